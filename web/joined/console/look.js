
import{C as e,a as t}from"./overlay.js";import{d as n,f as r,l as i}from"./forms.js";import{A as a,S as o,l as s,u as c,w as l}from"./common.js";function u({isSet:e,onChange:n}){let{say:r}=o(),[i,u]=l(``);return a`<div class="bar">
    <${t} label=${r(`alerts.own_sound`)} accept="audio/*" onFile=${e=>{if(e.size>32768||!e.type.startsWith(`audio/`)){u(r(`alerts.sound_too_long`));return}u(``);let t=new FileReader;t.addEventListener(`load`,()=>n(t.result)),t.readAsDataURL(e)}} ...${c()} />
    ${e&&a`<${s} onClick=${()=>n(void 0)}>${r(`alerts.remove_sound`)}<//>`}
    ${i&&a`<p class="error" role="alert">${i}</p>`}
  </div>`}const d=[{value:`en`,label:`English`},{value:`de`,label:`Deutsch`}];function f({name:t,rename:s,settings:c,change:l}){let{say:f}=o(),p=(e,t,n,i)=>a`<${r} label=${f(e)} type="number" value=${n} ...${i} onCommit=${e=>l([t],e===``?void 0:Number(e))} />`,m=(e,t,n,r)=>a`<${i} label=${f(e)} value=${n} options=${r} onChange=${e=>l([t],e.currentTarget.value)} />`,h=e.map(e=>({value:e,label:f(`size.${e}`)}));return a`<section class="card alert-look" aria-label=${f(`alerts.look`)}>
    <div class="fields">
      <${r} label=${f(`alerts.name`)} value=${t} required pattern=${n} maxlength="1024"
        onCommit=${s} />
      <${r} label=${f(`alerts.scale`)} type="number" value=${Math.round(c.scale*100)} min="25" max="400"
        step="5" onCommit=${e=>l([`scale`],e===``?void 0:Number(e)/100)} />
      ${m(`alerts.largest_size`,`largest_size`,c.largestSize,h)}
      ${p(`alerts.margin`,`margin`,c.margin,{min:0,max:20,step:1})}
      ${p(`alerts.duration`,`duration`,c.duration/1e3,{min:1,max:60,step:.5})}
      ${p(`alerts.delay`,`delay`,c.delay/1e3,{min:0,max:600,step:1})}
      ${p(`alerts.max_age`,`max_age`,c.maxAge/1e3,{min:1,max:86400,step:1})}
      ${m(`settings.language`,`lang`,c.lang,[{value:``,label:f(`alerts.browser`)},...d])}
    </div>
    <${u} isSet=${c.customSound!==null}
      onChange=${e=>l([`custom_sound`],e)} />
  </section>`}export{f as Look};