
import{u as e}from"./first.js";import{B as t,F as n,G as r,L as i,R as a,j as o,z as s}from"./common.js";function c(e,t){return t.has(`error.${e.code}`)?e.code:e.status?e.status>=500||e.status===429?e.status===500?`internal_error`:`unavailable`:e.status===404?`record_not_found`:`refused`:i(e)?`unreachable`:null}function l(e,t){let n=c(e,t);if(!n)return{what:e.message,how:e.how??``};let r=/`(\w+)`/.exec(e.detail)?.[1]??``,i={scope:t.has(`scope.${r}`)?t(`scope.${r}`):r};return{what:t(n===`unreachable`?n:`error.${n}`,i),how:t.has(`fix.${n}`)?t(`fix.${n}`,i):``}}const u=(e,t)=>l(e,t).what;function d({error:e}){let{say:i}=a(),[o,c]=s(Date.now());t(()=>{let e=setInterval(()=>c(Date.now()),1e3);return()=>clearInterval(e)},[]);let l=Math.max(0,Math.ceil(((n.get(e)??o)-o)/1e3)),u=l>0?i(`attempt`,{seconds:l}):i(`attempt.now`);return r`<p class="quiet" aria-hidden="true">${u}</p>`}const f=t=>{let{id:n,parameters:r}=e(location.hash);return t.status===404&&!!(n||r.get(`open`))},p=({error:t,onRetry:n})=>{let{say:i,replaceToken:o}=a(),{view:s,parameters:c}=e(location.hash),l=c.get(`resource`);if(t.status===403&&t.code!==`origin_not_allowed`)return r`<button onClick=${()=>o(t)}>${i(`token.other`)}</button>`;if(f(t)){let e=`#/${s}${l?`?${new URLSearchParams({resource:l})}`:``}`;return r`<a class="button" href=${e}>${i(`error.back`,{view:i(`nav.${s}`)})}</a>`}return n?r`<button onClick=${n}>${i(`retry`)}</button>`:null};function m({error:e,onRetry:t,isLarge:i}){let{say:s}=a(),{what:c,how:u}=l(e,s),m=(e.errors??[]).map(({pointer:e,parameter:t,code:n,detail:i})=>{let a=e?.slice(1)??t;return r`<li>
        ${s.has(`field.${a}`)?r`<strong>${s(`field.${a}`)}</strong>`:r`<code>${a}</code>`}${` `}
        ${s.has(`violation.${n}`)?s(`violation.${n}`):i}
      </li>`});return r`<div class=${`error problem ${i||f(e)?`large`:``}`} role="alert">
    <${o} name="warning" />
    <div>
      <p><strong>${c}</strong></p>
      ${m.length>0&&r`<ul>${m}</ul>`}
      ${u&&r`<p class="quiet">${u}</p>`}
      ${n.has(e)&&r`<${d} error=${e} />`}
    </div>
    <${p} error=${e} onRetry=${t} />
  </div>`}export{l as i,d as n,u as r,m as t};