
import{C as e,a as t}from"./overlay.js";import{d as n,f as r,l as i}from"./forms.js";import{C as a,S as o,d as s,k as c,l}from"./common.js";function u({isSet:e,onChange:n}){let{say:r}=o(),[i,u]=a(``);return c`<div class="bar">
    <${t} label=${r(`alerts.own_sound`)} accept="audio/*" onFile=${e=>{if(e.size>32768||!e.type.startsWith(`audio/`)){u(r(`alerts.sound_too_long`));return}u(``);let t=new FileReader;t.addEventListener(`load`,()=>n(t.result)),t.readAsDataURL(e)}} ...${s()} />
    ${e&&c`<${l} onClick=${()=>n(void 0)}>${r(`alerts.remove_sound`)}<//>`}
    ${i&&c`<p class="error" role="alert">${i}</p>`}
  </div>`}const d=[{value:`en`,label:`English`},{value:`de`,label:`Deutsch`}];function f({name:t,rename:a,settings:s,change:l}){let{say:f}=o(),p=(e,t,n,i)=>c`<${r} label=${f(e)} type="number" value=${n} ...${i} onCommit=${e=>l([t],e===``?void 0:Number(e))} />`,m=(e,t,n,r)=>c`<${i} label=${f(e)} value=${n} options=${r} onChange=${e=>l([t],e.currentTarget.value)} />`,h=e.map(e=>({value:e,label:f(`size.${e}`)}));return c`<section class="card alert-look" aria-label=${f(`alerts.look`)}>
    <div class="fields">
      <${r} label=${f(`alerts.name`)} value=${t} required pattern=${n} maxlength="1024"
        onCommit=${a} />
      <${r} label=${f(`alerts.scale`)} type="number" value=${Math.round(s.scale*100)} min="25" max="400"
        step="5" onCommit=${e=>l([`scale`],e===``?void 0:Number(e)/100)} />
      ${m(`alerts.largest_size`,`largest_size`,s.largestSize,h)}
      ${p(`alerts.margin`,`margin`,s.margin,{min:0,max:20,step:1})}
      ${p(`alerts.duration`,`duration`,s.duration/1e3,{min:1,max:60,step:.5})}
      ${p(`alerts.delay`,`delay`,s.delay/1e3,{min:0,max:600,step:1})}
      ${p(`alerts.max_age`,`max_age`,s.maxAge/1e3,{min:1,max:86400,step:1})}
      ${m(`settings.language`,`lang`,s.lang,[{value:``,label:f(`alerts.browser`)},...d])}
    </div>
    <${u} isSet=${s.customSound!==null}
      onChange=${e=>l([`custom_sound`],e)} />
  </section>`}export{f as Look};