
import{C as e,D as t,S as n,T as r,k as i,u as a}from"./common.js";function o({record:{name:e,enabled:t},changed:r,onChange:o}){let{say:s}=n(),c=r??t;return i`<label class="switch">
    <span class="quiet" aria-hidden="true">${s(c?`rules.on`:`rules.off`)}</span>
    <input type="checkbox" role="switch" checked=${c} aria-label=${s(`rules.enabled_of`,{name:e})}
      aria-busy=${r===void 0?void 0:`true`}
      onChange=${e=>o(e.currentTarget.checked)} ...${a()} />
  </label>`}function s(n,i){let[a,o]=e({id:null,error:null}),[s,c]=e({}),l=t(/* @__PURE__ */ new Set),u=([e])=>!l.current.delete(e);r(()=>c(e=>Object.fromEntries(Object.entries(e).filter(u))),[n]);let d=(e,t)=>c(n=>({...n,[e]:t}));return{change:(e,t,n)=>(d(e,n),t.then(()=>o({id:null,error:null}),t=>(d(e,void 0),o({id:e,error:t}))).then(()=>(l.current.add(String(e)),i()))),errorOf:e=>e===a.id?a.error:null,enabledBy:e=>s[e]}}export{s as n,o as t};