
import{C as e,S as t,T as n,k as r,u as i}from"./common.js";function a({record:{name:e,enabled:n},changed:a,onChange:o}){let{say:s}=t(),c=a??n;return r`<label class="switch">
    <span class="quiet" aria-hidden="true">${s(c?`rules.on`:`rules.off`)}</span>
    <input type="checkbox" role="switch" checked=${c} aria-label=${s(`rules.enabled_of`,{name:e})}
      aria-busy=${a===void 0?void 0:`true`}
      onChange=${e=>o(e.currentTarget.checked)} ...${i()} />
  </label>`}function o(t,r){let[i,a]=e({id:null,error:null}),[o,s]=e({});n(()=>s({}),[t]);let c=(e,t)=>s(n=>({...n,[e]:t}));return{change:(e,t,n)=>(c(e,n),t.then(()=>a({id:null,error:null}),t=>(c(e,void 0),a({id:e,error:t}))).then(r)),errorOf:e=>e===i.id?i.error:null,enabledBy:e=>o[e]}}export{o as n,a as t};