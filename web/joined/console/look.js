
import{m as e,u as t}from"./overlay.js";import{d as n,m as r}from"./forms.js";import{O as i,S as a,l as o,u as s,x as c}from"./common.js";function l({isSet:e,onChange:n}){let{say:r}=c(),[l,u]=a(``);return i`<div class="bar">
    <${t} label=${r(`alerts.own_sound`)} accept="audio/*" onFile=${e=>{if(e.size>32768||!e.type.startsWith(`audio/`)){u(r(`alerts.sound_too_long`));return}u(``);let t=new FileReader;t.addEventListener(`load`,()=>n(t.result)),t.readAsDataURL(e)}} ...${s()} />
    ${e&&i`<${o} onClick=${()=>n(void 0)}>${r(`alerts.remove_sound`)}<//>`}
    ${l&&i`<p class="error" role="alert">${l}</p>`}
  </div>`}const u=[{value:`en`,label:`English`},{value:`de`,label:`Deutsch`}];function d({settings:t,change:a}){let{say:o}=c(),s=(e,t,n,s)=>i`<${r} label=${o(e)} type="number" value=${n} ...${s} onCommit=${e=>a([t],e===``?void 0:Number(e))} />`,d=(e,t,r,s)=>i`<${n} label=${o(e)} value=${r} options=${s} onChange=${e=>a([t],e.currentTarget.value)} />`,f=e.map(e=>({value:e,label:o(`size.${e}`)}));return i`<section class="card alert-look" aria-label=${o(`alerts.look`)}>
    <div class="fields">
      ${s(`alerts.scale`,`scale`,t.scale,{min:.25,max:4,step:.05})}
      ${d(`alerts.largest_size`,`largest_size`,t.largestSize,f)}
      ${s(`alerts.margin`,`margin`,t.margin,{min:0,max:20,step:1})}
      ${s(`alerts.duration`,`duration`,t.duration/1e3,{min:1,max:60,step:.5})}
      ${s(`alerts.delay`,`delay`,t.delay/1e3,{min:0,max:600,step:1})}
      ${s(`alerts.max_age`,`max_age`,t.maxAge/1e3,{min:1,max:86400,step:1})}
      ${d(`settings.language`,`lang`,t.lang,[{value:``,label:o(`alerts.browser`)},...u])}
    </div>
    <${l} isSet=${t.customSound!==null}
      onChange=${e=>a([`custom_sound`],e)} />
  </section>`}export{d as Look};