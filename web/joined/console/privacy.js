
import{v as e}from"./forms.js";import{A as t,S as n,h as r,l as i,w as a}from"./common.js";import{a as o,s}from"./viewers.js";const c=[`name`,`texts`,`letters`,`notes`],l=[`events`,`wallet`,`things`,`statistics`];function u({user:e,isAnonymized:r,reload:i}){let{say:s}=n(),[c,l]=a(``),u=()=>l(``),m=(e,n,r=``)=>t`<section class="card">
    <h2>${n}</h2>
    <p>${s(`privacy.${e}_how`)}</p>
    <button class=${r} onClick=${()=>l(e)}>${n}…</button>
  </section>`;return t`<div class="privacy">
    ${r?t`<section class="card">
          <h2>${s(`privacy.is_anonymized`)}</h2>
          <p>${s(`privacy.is_anonymized_how`)}</p>
        </section>`:t`${m(`anonymize`,s(`privacy.anonymize`))}${m(`opt_out`,s(`privacy.opt_out`))}`}
    ${m(`delete`,s(`delete`),`bad`)}
    <p class="quiet"><a href=${o}>${s(`privacy.guide`)}</a></p>
    ${c===`anonymize`&&t`<${d} user=${e} onClose=${u} onDone=${i} />`}
    ${c===`opt_out`&&t`<${f} platformId=${e.platform_id} name=${e.name} onClose=${u}
      onDone=${i} />`}
    ${c===`delete`&&t`<${p} user=${e} onClose=${u}
      onDone=${()=>location.hash=`#/viewers`} />`}
  </div>`}function d({user:e,onClose:r,onDone:i}){let{client:a,say:o}=n(),s=o(`privacy.anonymize_of`,{name:e.name});return t`<${g} title=${s} sure=${o(`privacy.anonymize_sure`)}
    send=${()=>a.post(`/users/${e.user_id}/anonymize`,{})} onClose=${r} onDone=${i}>
    <${h} />
  <//>`}function f({platformId:e,name:r=e,onClose:i,onDone:a}){let{client:o,say:s}=n();return t`<${g} title=${s(`privacy.opt_out_of`,{name:r})} sure=${s(`privacy.opt_out_sure`)}
    send=${()=>o.post(`/opt-outs`,{platform_id:e})} onClose=${i} onDone=${a}>
    <p>${s(`privacy.opt_out_means`)}</p>
    <p>${s(`privacy.opt_out_gifts`)}</p>
    <${h} />
  <//>`}function p({user:e,onClose:r,onDone:i}){let{client:a,say:o}=n();return t`<${g} title=${o(`privacy.delete_of`,{name:e.name})} sure=${o(`viewer.delete_sure`)}
    send=${()=>a.delete(`/users/${e.user_id}`)} onClose=${r} onDone=${i}>
    <p>${o(`privacy.delete_means`)}</p>
    <div class="losses"><${m} title="lost" keys=${[...c,...l]} /></div>
    <p><strong>${o(`privacy.final`)}</strong></p>
  <//>`}function m({title:e,keys:r}){let{say:i}=n();return t`<div class=${e}>
    <h3>${i(`privacy.${e}`)}</h3>
    <ul>${r.map(e=>t`<li>${i(`privacy.${c.includes(e)?`lost`:`kept`}.${e}`)}</li>`)}</ul>
  </div>`}function h(){let{say:e}=n();return t`<div class="losses"><${m} title="lost" keys=${c} /><${m} title="kept" keys=${l} /></div>
    <p><strong>${e(`privacy.lost_final`)}</strong> ${e(`privacy.new_viewer`)}</p>`}function g({title:o,sure:c,send:l,onClose:u,onDone:d,children:f}){let{say:p}=n(),[m,h]=a(null),[g,_]=a(!1);return t`<${e} title=${o} onClose=${u} className="privacy-question">
    ${f}
    <${r} error=${m} />
    <div class="bar">
      <${i} class="danger" busy=${g} onClick=${async()=>{_(!0),h(null);try{await l(),u(),d()}catch(e){h(s(e,p)),_(!1)}}}>${c}<//>
      <button onClick=${u}>${p(`cancel`)}</button>
    </div>
  <//>`}export{u as n,f as t};