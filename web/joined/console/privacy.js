
import{A as e,H as t,L as n,U as r,Y as i,j as a}from"./common.js";import{n as o,r as s,t as c}from"./privacy-words.js";const l=[`name`,`texts`,`letters`,`notes`],u=[`events`,`wallet`,`things`,`statistics`];function d({user:e,isAnonymized:n,reload:a}){let{say:o}=t(),[s,l]=r(``),u=()=>l(``);return n?i`<section class="card privacy">
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
    <p class="quiet"><a href=${c}>${o(`privacy.guide`)}</a></p>
    ${s===`anonymize`&&i`<${f} user=${e} onClose=${u} onDone=${a} />`}
    ${s===`opt_out`&&i`<${p} platformId=${e.platform_id} name=${e.name} onClose=${u}
      onDone=${a} />`}
  </div>`}function f({user:e,onClose:n,onDone:r}){let{client:a,say:o}=t(),s=o(`privacy.anonymize_of`,{name:e.name});return i`<${_} title=${s} sure=${o(`privacy.anonymize_sure`)}
    send=${()=>a.post(`/users/${e.user_id}/anonymize`,{})} onClose=${n} onDone=${r}>
    <${g} />
  <//>`}function p({platformId:e,name:n=e,onClose:r,onDone:a}){let{client:o,say:s}=t();return i`<${_} title=${s(`privacy.opt_out_of`,{name:n})} sure=${s(`privacy.opt_out_sure`)}
    send=${()=>o.post(`/opt-outs`,{platform_id:e})} onClose=${r} onDone=${a}>
    <p>${s(`privacy.opt_out_means`)}</p>
    <p>${s(`privacy.opt_out_gifts`)}</p>
    <${g} />
  <//>`}function m({user:e,onClose:n,onDone:r}){let{client:a,say:s,setParameters:c}=t();return i`<${_} title=${s(`privacy.delete_of`,{name:e.name})} sure=${s(`viewer.delete_sure`)}
    send=${()=>a.delete(`/users/${e.user_id}`)} onClose=${n} onDone=${r}>
    <p>${s(`privacy.delete_means`)} ${!o(e)&&i`<button class="quiet" onClick=${()=>(n(),c({tab:`privacy`}))}>${s(`privacy.instead`)}</button>`}</p>
    <div class="losses"><${h} title="lost" keys=${[...l,...u]} /></div>
    <p><strong>${s(`privacy.final`)}</strong></p>
  <//>`}function h({title:e,keys:n}){let{say:r}=t();return i`<div class=${e}>
    <h3>${r(`privacy.${e}`)}</h3>
    <ul>${n.map(e=>i`<li>${r(`privacy.${l.includes(e)?`lost`:`kept`}.${e}`)}</li>`)}</ul>
  </div>`}function g(){let{say:e}=t();return i`<div class="losses"><${h} title="lost" keys=${l} /><${h} title="kept" keys=${u} /></div>
    <p><strong>${e(`privacy.lost_final`)}</strong> ${e(`privacy.new_viewer`)}</p>`}function _({title:o,sure:c,send:l,onClose:u,onDone:d,children:f}){let{say:p}=t(),[m,h]=r(null),[g,_]=r(!1);return i`<${e} title=${o} onClose=${u} className="privacy-question">
    ${f}
    <${n} error=${m} />
    <div class="bar">
      <${a} class="danger" disabled=${g} onClick=${async()=>{_(!0),h(null);try{await l(),u(),d()}catch(e){h(s(e,p)),_(!1)}}}>${c}<//>
      <button onClick=${u}>${p(`cancel`)}</button>
    </div>
  <//>`}export{p as n,d as r,m as t};