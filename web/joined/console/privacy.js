
import{A as e,H as t,L as n,U as r,Y as i,j as a}from"./common.js";import{r as o,t as s}from"./privacy-words.js";const c=[`name`,`texts`,`letters`,`notes`],l=[`events`,`wallet`,`things`,`statistics`];function u({user:e,isAnonymized:n,reload:a}){let{say:o}=t(),[c,l]=r(``),u=()=>l(``);return n?i`<section class="card privacy">
      <h2>${o(`privacy.is_anonymized`)}</h2>
      <p>${o(`privacy.is_anonymized_how`)}</p>
    </section>`:i`<div class="privacy">
    <section class="card">
      <h2>${o(`privacy.anonymize`)}</h2>
      <p>${o(`privacy.anonymize_how`)}</p>
      <button onClick=${()=>l(`anonymize`)}>${o(`privacy.anonymize`)}…</button>
    </section>
    <section class="card">
      <h2>${o(`privacy.opt_out`)}</h2>
      <p>${o(`privacy.opt_out_how`)}</p>
      <button onClick=${()=>l(`opt_out`)}>${o(`privacy.opt_out`)}…</button>
    </section>
    <p class="quiet"><a href=${s}>${o(`privacy.guide`)}</a></p>
    ${c===`anonymize`&&i`<${d} user=${e} onClose=${u} onDone=${a} />`}
    ${c===`opt_out`&&i`<${f} platformId=${e.platform_id} name=${e.name} onClose=${u}
      onDone=${a} />`}
  </div>`}function d({user:e,onClose:n,onDone:r}){let{client:a,say:o}=t(),s=o(`privacy.anonymize_of`,{name:e.name});return i`<${g} title=${s} sure=${o(`privacy.anonymize_sure`)}
    send=${()=>a.post(`/users/${e.user_id}/anonymize`,{})} onClose=${n} onDone=${r}>
    <${h} />
  <//>`}function f({platformId:e,name:n=e,onClose:r,onDone:a}){let{client:o,say:s}=t();return i`<${g} title=${s(`privacy.opt_out_of`,{name:n})} sure=${s(`privacy.opt_out_sure`)}
    send=${()=>o.post(`/opt-outs`,{platform_id:e})} onClose=${r} onDone=${a}>
    <p>${s(`privacy.opt_out_means`)}</p>
    <p>${s(`privacy.opt_out_gifts`)}</p>
    <${h} />
  <//>`}function p({user:e,onClose:n,onDone:r}){let{client:a,say:o}=t();return i`<${g} title=${o(`privacy.delete_of`,{name:e.name})} sure=${o(`viewer.delete_sure`)}
    send=${()=>a.delete(`/users/${e.user_id}`)} onClose=${n} onDone=${r}>
    <p>${o(`privacy.delete_means`)}</p>
    <div class="losses"><${m} title="lost" keys=${[...c,...l]} /></div>
    <p><strong>${o(`privacy.final`)}</strong></p>
  <//>`}function m({title:e,keys:n}){let{say:r}=t();return i`<div class=${e}>
    <h3>${r(`privacy.${e}`)}</h3>
    <ul>${n.map(e=>i`<li>${r(`privacy.${c.includes(e)?`lost`:`kept`}.${e}`)}</li>`)}</ul>
  </div>`}function h(){let{say:e}=t();return i`<div class="losses"><${m} title="lost" keys=${c} /><${m} title="kept" keys=${l} /></div>
    <p><strong>${e(`privacy.lost_final`)}</strong> ${e(`privacy.new_viewer`)}</p>`}function g({title:s,sure:c,send:l,onClose:u,onDone:d,children:f}){let{say:p}=t(),[m,h]=r(null),[g,_]=r(!1);return i`<${e} title=${s} onClose=${u} className="privacy-question">
    ${f}
    <${n} error=${m} />
    <div class="bar">
      <${a} class="danger" disabled=${g} onClick=${async()=>{_(!0),h(null);try{await l(),u(),d()}catch(e){h(o(e,p)),_(!1)}}}>${c}<//>
      <button onClick=${u}>${p(`cancel`)}</button>
    </div>
  <//>`}export{f as n,u as r,p as t};