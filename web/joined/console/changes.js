
import{C as e,S as t,T as n,k as r,u as i}from"./common.js";function a({record:{name:e,enabled:n},changed:a,onChange:o}){let{say:s}=t(),c=a??n;return r`<label class="switch">
    <span class="quiet" aria-hidden="true">${s(c?`rules.on`:`rules.off`)}</span>
    <input type="checkbox" role="switch" checked=${c} aria-label=${s(`rules.enabled_of`,{name:e})}
      aria-busy=${a===void 0?void 0:`true`}
      onChange=${e=>o(e.currentTarget.checked)} ...${i()} />
  </label>`}function o(t,r){let[i,a]=e({id:null,error:null}),[o,s]=e({}),c=(e,t)=>s(n=>({...n,[e]:{...n[e],...t}}));return n(()=>{s(e=>Object.fromEntries(Object.entries(e).filter(([,{hasEnded:e}])=>!e)))},[t]),{change:(e,t,n)=>(c(e,{enabled:n,hasEnded:!1}),t.then(()=>a({id:null,error:null}),t=>(c(e,{enabled:void 0}),a({id:e,error:t}))).then(()=>(c(e,{hasEnded:!0}),r()))),errorOf:e=>e===i.id?i.error:null,enabledBy:e=>o[e]?.enabled}}export{o as n,a as t};