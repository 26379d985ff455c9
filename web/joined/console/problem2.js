
import{l as e}from"./first.js";import{G as t,J as n,V as r,X as i,Y as a,q as o,tt as s}from"./common.js";function c(e,t){return t.has(`error.${e.code}`)?e.code:e.status?e.status>=500||e.status===429?e.status===500?`internal_error`:`unavailable`:e.status===404?`record_not_found`:`refused`:o(e)?`unreachable`:null}function l(e,t){let n=c(e,t);if(!n)return{what:e.message,how:e.how??``};let r=/`(\w+)`/.exec(e.detail)?.[1]??``,i={scope:t.has(`scope.${r}`)?t(`scope.${r}`):r};return{what:t(n===`unreachable`?n:`error.${n}`,i),how:t.has(`fix.${n}`)?t(`fix.${n}`,i):``}}const u=(e,t)=>l(e,t).what;function d({error:e}){let{say:r}=n(),[o,c]=a(Date.now());i(()=>{let e=setInterval(()=>c(Date.now()),1e3);return()=>clearInterval(e)},[]);let l=Math.max(0,Math.ceil(((t.get(e)??o)-o)/1e3)),u=l>0?r(`attempt`,{seconds:l}):r(`attempt.now`);return s`<p class="quiet" aria-hidden="true">${u}</p>`}const f=t=>{let{id:n,parameters:r}=e(location.hash);return t.status===404&&!!(n||r.get(`open`))},p=({error:t,onRetry:r})=>{let{say:i,replaceToken:a}=n(),{view:o,parameters:c}=e(location.hash),l=c.get(`resource`);if(t.status===403&&t.code!==`origin_not_allowed`)return s`<button onClick=${()=>a(t)}>${i(`token.other`)}</button>`;if(f(t)){let e=`#/${o}${l?`?${new URLSearchParams({resource:l})}`:``}`;return s`<a class="button" href=${e}>${i(`error.back`,{view:i(`nav.${o}`)})}</a>`}return r?s`<button onClick=${r}>${i(`retry`)}</button>`:null};function m({error:e,onRetry:i,isLarge:a}){let{say:o}=n(),{what:c,how:u}=l(e,o),m=(e.errors??[]).map(({pointer:e,parameter:t,code:n,detail:r})=>{let i=e?.slice(1)??t;return s`<li>
        ${o.has(`field.${i}`)?s`<strong>${o(`field.${i}`)}</strong>`:s`<code>${i}</code>`}${` `}
        ${o.has(`violation.${n}`)?o(`violation.${n}`):r}
      </li>`});return s`<div class=${`error problem ${a||f(e)?`large`:``}`} role="alert">
    <${r} name="warning" />
    <div>
      <p><strong>${c}</strong></p>
      ${m.length>0&&s`<ul>${m}</ul>`}
      ${u&&s`<p class="quiet">${u}</p>`}
      ${t.has(e)&&s`<${d} error=${e} />`}
    </div>
    <${p} error=${e} onRetry=${i} />
  </div>`}export{l as i,d as n,u as r,m as t};