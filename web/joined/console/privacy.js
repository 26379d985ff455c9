
import{y as e}from"./forms.js";import{O as t,S as n,h as r,l as i,x as a}from"./common.js";import{a as o,i as s,o as c}from"./viewers.js";const l=[`name`,`texts`,`letters`,`notes`],u=[`events`,`wallet`,`things`,`statistics`];function d({user:e,isAnonymized:r,reload:i}){let{say:o}=a(),[c,l]=n(``),u=()=>l(``);return r?t`<section class="card privacy">
      <h2>${o(`privacy.is_anonymized`)}</h2>
      <p>${o(`privacy.is_anonymized_how`)}</p>
    </section>`:t`<div class="privacy">
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
    ${c===`anonymize`&&t`<${f} user=${e} onClose=${u} onDone=${i} />`}
    ${c===`opt_out`&&t`<${p} platformId=${e.platform_id} name=${e.name} onClose=${u}
      onDone=${i} />`}
  </div>`}function f({user:e,onClose:n,onDone:r}){let{client:i,say:o}=a(),s=o(`privacy.anonymize_of`,{name:e.name});return t`<${_} title=${s} sure=${o(`privacy.anonymize_sure`)}
    send=${()=>i.post(`/users/${e.user_id}/anonymize`,{})} onClose=${n} onDone=${r}>
    <${g} />
  <//>`}function p({platformId:e,name:n=e,onClose:r,onDone:i}){let{client:o,say:s}=a();return t`<${_} title=${s(`privacy.opt_out_of`,{name:n})} sure=${s(`privacy.opt_out_sure`)}
    send=${()=>o.post(`/opt-outs`,{platform_id:e})} onClose=${r} onDone=${i}>
    <p>${s(`privacy.opt_out_means`)}</p>
    <p>${s(`privacy.opt_out_gifts`)}</p>
    <${g} />
  <//>`}function m({user:e,onClose:n,onDone:r}){let{client:i,say:s,setParameters:c}=a();return t`<${_} title=${s(`privacy.delete_of`,{name:e.name})} sure=${s(`viewer.delete_sure`)}
    send=${()=>i.delete(`/users/${e.user_id}`)} onClose=${n} onDone=${r}>
    <p>${s(`privacy.delete_means`)} ${!o(e)&&t`<button class="quiet" onClick=${()=>(n(),c({tab:`privacy`}))}>${s(`privacy.instead`)}</button>`}</p>
    <div class="losses"><${h} title="lost" keys=${[...l,...u]} /></div>
    <p><strong>${s(`privacy.final`)}</strong></p>
  <//>`}function h({title:e,keys:n}){let{say:r}=a();return t`<div class=${e}>
    <h3>${r(`privacy.${e}`)}</h3>
    <ul>${n.map(e=>t`<li>${r(`privacy.${l.includes(e)?`lost`:`kept`}.${e}`)}</li>`)}</ul>
  </div>`}function g(){let{say:e}=a();return t`<div class="losses"><${h} title="lost" keys=${l} /><${h} title="kept" keys=${u} /></div>
    <p><strong>${e(`privacy.lost_final`)}</strong> ${e(`privacy.new_viewer`)}</p>`}function _({title:o,sure:s,send:l,onClose:u,onDone:d,children:f}){let{say:p}=a(),[m,h]=n(null),[g,_]=n(!1);return t`<${e} title=${o} onClose=${u} className="privacy-question">
    ${f}
    <${r} error=${m} />
    <div class="bar">
      <${i} class="danger" disabled=${g} onClick=${async()=>{_(!0),h(null);try{await l(),u(),d()}catch(e){h(c(e,p)),_(!1)}}}>${s}<//>
      <button onClick=${u}>${p(`cancel`)}</button>
    </div>
  <//>`}export{p as n,d as r,m as t};