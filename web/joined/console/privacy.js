
import{v as e}from"./forms.js";import{C as t,S as n,h as r,k as i,l as a}from"./common.js";import{a as o,s}from"./viewers.js";const c=[`name`,`texts`,`letters`,`notes`],l=[`events`,`wallet`,`things`,`statistics`];function u({user:e,isAnonymized:r,reload:a}){let{say:s}=n(),[c,l]=t(``),u=()=>l(``),m=(e,t,n=``)=>i`<section class="card">
    <h2>${t}</h2>
    <p>${s(`privacy.${e}_how`)}</p>
    <button class=${n} onClick=${()=>l(e)}>${t}…</button>
  </section>`;return i`<div class="privacy">
    ${r?i`<section class="card">
          <h2>${s(`privacy.is_anonymized`)}</h2>
          <p>${s(`privacy.is_anonymized_how`)}</p>
        </section>`:i`${m(`anonymize`,s(`privacy.anonymize`))}${m(`opt_out`,s(`privacy.opt_out`))}`}
    ${m(`delete`,s(`delete`),`bad`)}
    <p class="quiet"><a href=${o}>${s(`privacy.guide`)}</a></p>
    ${c===`anonymize`&&i`<${d} user=${e} onClose=${u} onDone=${a} />`}
    ${c===`opt_out`&&i`<${f} platformId=${e.platform_id} name=${e.name} onClose=${u}
      onDone=${a} />`}
    ${c===`delete`&&i`<${p} user=${e} onClose=${u}
      onDone=${()=>location.hash=`#/viewers`} />`}
  </div>`}function d({user:e,onClose:t,onDone:r}){let{client:a,say:o}=n(),s=o(`privacy.anonymize_of`,{name:e.name});return i`<${g} title=${s} sure=${o(`privacy.anonymize_sure`)}
    send=${()=>a.post(`/users/${e.user_id}/anonymize`,{})} onClose=${t} onDone=${r}>
    <${h} />
  <//>`}function f({platformId:e,name:t=e,onClose:r,onDone:a}){let{client:o,say:s}=n();return i`<${g} title=${s(`privacy.opt_out_of`,{name:t})} sure=${s(`privacy.opt_out_sure`)}
    send=${()=>o.post(`/opt-outs`,{platform_id:e})} onClose=${r} onDone=${a}>
    <p>${s(`privacy.opt_out_means`)}</p>
    <p>${s(`privacy.opt_out_gifts`)}</p>
    <${h} />
  <//>`}function p({user:e,onClose:t,onDone:r}){let{client:a,say:o}=n();return i`<${g} title=${o(`privacy.delete_of`,{name:e.name})} sure=${o(`viewer.delete_sure`)}
    send=${()=>a.delete(`/users/${e.user_id}`)} onClose=${t} onDone=${r}>
    <p>${o(`privacy.delete_means`)}</p>
    <div class="losses"><${m} title="lost" keys=${[...c,...l]} /></div>
    <p><strong>${o(`privacy.final`)}</strong></p>
  <//>`}function m({title:e,keys:t}){let{say:r}=n();return i`<div class=${e}>
    <h3>${r(`privacy.${e}`)}</h3>
    <ul>${t.map(e=>i`<li>${r(`privacy.${c.includes(e)?`lost`:`kept`}.${e}`)}</li>`)}</ul>
  </div>`}function h(){let{say:e}=n();return i`<div class="losses"><${m} title="lost" keys=${c} /><${m} title="kept" keys=${l} /></div>
    <p><strong>${e(`privacy.lost_final`)}</strong> ${e(`privacy.new_viewer`)}</p>`}function g({title:o,sure:c,send:l,onClose:u,onDone:d,children:f}){let{say:p}=n(),[m,h]=t(null),[g,_]=t(!1);return i`<${e} title=${o} onClose=${u} className="privacy-question">
    ${f}
    <${r} error=${m} />
    <div class="bar">
      <${a} class="danger" busy=${g} onClick=${async()=>{_(!0),h(null);try{await l(),u(),d()}catch(e){h(s(e,p)),_(!1)}}}>${c}<//>
      <button onClick=${u}>${p(`cancel`)}</button>
    </div>
  <//>`}export{u as n,f as t};