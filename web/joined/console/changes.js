
import{A as e,E as t,S as n,u as r,w as i}from"./common.js";function a({record:{name:t,enabled:i},changed:a,onChange:o}){let{say:s}=n(),c=a??i;return e`<label class="switch">
    <span class="quiet" aria-hidden="true">${s(c?`rules.on`:`rules.off`)}</span>
    <input type="checkbox" role="switch" checked=${c} aria-label=${s(`rules.enabled_of`,{name:t})}
      aria-busy=${a===void 0?void 0:`true`}
      onChange=${e=>o(e.currentTarget.checked)} ...${r()} />
  </label>`}function o(e,n){let[r,a]=i({id:null,error:null}),[o,s]=i({}),c=(e,t)=>s(n=>({...n,[e]:{...n[e],...t}}));return t(()=>{s(e=>Object.fromEntries(Object.entries(e).filter(([,{hasEnded:e}])=>!e)))},[e]),{change:(e,t,r)=>(c(e,{enabled:r,hasEnded:!1}),t.then(()=>a({id:null,error:null}),t=>(c(e,{enabled:void 0}),a({id:e,error:t}))).then(()=>(c(e,{hasEnded:!0}),n()))),errorOf:e=>e===r.id?r.error:null,enabledBy:e=>o[e]?.enabled}}export{o as n,a as t};