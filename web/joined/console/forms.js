
import{A as e,C as t,E as n,O as r,S as i,T as a,c as o,g as s,h as c,l,p as u,t as d,u as f,w as p,y as m}from"./common.js";let h=[],g=null;const _=/* @__PURE__ */ new Map;let v;function y(e){h=[];for(let t=e,n;n=t.parentElement;t=n)h.push({node:t,parent:n,index:[...n.children].indexOf(t)})}function b(){let e=document.getElementById(`main`);for(let{parent:t,index:n}of h.filter(({parent:e})=>e.isConnected)){let r=t!==e&&t.contains(e);for(let i of r?[e]:[t.children[n],t.children[n-1],t])for(let e of i?[i,...i.querySelectorAll(`a, button, input, select, textarea, summary, [tabindex]`)]:[])if(e.focus({preventScroll:!0}),document.activeElement===e){g=e;return}}}function x(){let e=document.getElementById(`main`),t=v&&[...e?.querySelectorAll(`a`)??[]].find(e=>e.getAttribute(`href`)===v);t&&(v=void 0,[document.body,e,g].includes(document.activeElement)&&t.focus({preventScroll:!0}))}const S=e=>e.split(`?`)[0];addEventListener(`click`,({target:e})=>{let t=e.closest(`a`);t?.closest(`#main`)?_.set(S(location.hash),t.getAttribute(`href`)??``):t&&_.delete(S(t.hash))},{capture:!0}),addEventListener(`hashchange`,()=>{v=_.get(S(location.hash)),_.delete(S(location.hash))}),addEventListener(`focusin`,({target:e})=>y(e)),new MutationObserver(()=>{h[0]?.node.isConnected?y(h[0].node):document.activeElement===document.body&&b(),x()}).observe(document.body,{childList:!0,subtree:!0});function C(){let e=r(null);return n(()=>{let{activeElement:t,body:n}=document;(h.length>0&&t===n||g&&t===g)&&e.current?.focus()},[]),e}const w=/(^|[;\r\n])(?="*[=+\-@\t])/g;function T(e){if(e==null)return``;let t=typeof e==`object`?JSON.stringify(e):String(e),n=typeof e==`number`?t:t.replace(w,`$1'`);return/[",;\r\n]/.test(n)?`"${n.replaceAll(`"`,`""`)}"`:n}const E=e=>e.map(e=>`${e.map(T).join(`,`)}\r\n`),D=t=>e`<${o}><${O} ...${t} /><//>`;function O({title:t,onClose:n,children:o,className:s=``}){let{say:c}=i(),l=r(null),d=r(!1);return a(()=>{l.current.showModal(),s!==`drawer`&&l.current.querySelector(`form :is(input, select, textarea)`)?.focus()},[]),e`<dialog ref=${l} class=${s} aria-label=${t} onClose=${n} onInput=${({target:e})=>d.current||=!!e.form}
    onClick=${({target:e})=>e===l.current&&!d.current&&n()}>
    <header class="bar spread">
      <h2 dir="auto">${t}</h2>
      <button class="quiet" aria-label=${c(`close`)} onClick=${n}><${u} name="cross" /></button>
    </header>
    ${o}
  </dialog>`}const k=`.*\\S.*`;function A({validity:e,title:t,type:n,min:r,max:i,validationMessage:a},o){if(e.valid)return``;let s=e=>n===`date`?o.date(`${e}T00:00`):Number(e);return e.valueMissing||n===`date`&&e.badInput?o(`field.missing`):e.badInput||e.stepMismatch?o(`field.whole`):e.rangeUnderflow?o(`field.at_least`,{min:s(r)}):e.rangeOverflow?o(`field.at_most`,{max:s(i)}):e.patternMismatch&&t||a}function j(e,n,r){let i=e?.errors?.find(({pointer:e})=>e===`/${n}`);if(!i)return``;let a=`error.${i.code}_${n}`;if(r.has(a))return r(a);let o=t(i,r);return`${o[0].toUpperCase()}${o.slice(1)}${o.endsWith(`.`)?``:`.`}`}function M({label:t,options:n,reason:r=``,isWide:a=!1,onInput:o,...s}){let{say:c}=i(),[l,u]=p(``),d=e=>{let{currentTarget:t}=e;e.preventDefault(),u(A(t,c)),t.form?.querySelector(`:is(input, select, textarea):invalid`)===t&&t.focus()},f=e=>{u(``),o?.(e)},h=r||l,g={...m(t,h),onInvalid:d,...s,onInput:f},_=s.rows?`textarea`:`input`;return e`<label class=${`field ${a?`wide`:``}`}>
    <span>${t}</span>
    ${n?e`<select ...${g}>
        ${n.map(t=>e`<option value=${t.value??t}>${t.label??t}</option>`)}</select>`:e`<${_} ...${g} />`}
    ${h&&e`<span class="bad" role="alert">${h}</span>`}
  </label>`}function N({value:t,onCommit:n,...r}){let{say:a}=i(),[o,s]=p(null),[c,l]=p(``);return e`<${M} ...${r} value=${o??t} reason=${c} onInput=${({currentTarget:e})=>{s(e.value),l(``)}} onChange=${({currentTarget:e})=>{l(A(e,a)),e.validity.valid&&(s(null),n(e.value))}} />`}function P({fields:t,submit:n,send:r,children:a,isMain:o=!0,onCancel:s}){let[u,d]=p(null),[f,m]=p(``),[h,g]=p(!1),{say:_}=i();return e`<form class=${t.length===1?`single`:``} onSubmit=${async e=>{e.preventDefault();let t=e.currentTarget;d(null),m(``),g(!0);try{let e=await r(Object.fromEntries(new FormData(t)));e!==null&&(m(e??_(`done`)),t.reset())}catch(e){d(e)}g(!1)}} onInvalidCapture=${()=>m(``)}>
    <div class="fields">
      ${t.map(({value:t,...n})=>e`<${M} ...${n} defaultValue=${t} />`)}</div>
    ${a}
    <${l} class=${o?`main`:``} busy=${h}>${n}<//>${` `}
    ${s&&e`<button type="button" onClick=${s}>${_(`cancel`)}</button>`}
    <span class="good" role="status">${f}</span>
    <${c} error=${u} />
  </form>`}function F({label:t,question:a,act:o,className:s=`quiet`,description:c,note:u,onOpen:d}){let{say:m}=i(),[h,g]=p(!1),[_,v,y]=[r(null),r(null),r(null)];n(()=>{if(!h)return;let e=()=>{let{top:e,bottom:t,left:n,right:r}=_.current.getBoundingClientRect(),{offsetWidth:i,offsetHeight:a}=v.current,o=t+a+6>innerHeight?e-a-6:t+6,s=n+i+6>innerWidth?r-i:n;v.current.style.transform=`translate(${Math.max(6,s)}px, ${Math.max(6,o)}px)`};return v.current.showModal(),e(),y.current.focus({preventScroll:!0}),addEventListener(`scroll`,e,{capture:!0,passive:!0}),addEventListener(`resize`,e),()=>{removeEventListener(`scroll`,e,{capture:!0}),removeEventListener(`resize`,e)}},[h]);let b=()=>{v.current.close(),g(!1)};return e`<button ref=${_} class=${s} aria-label=${c} aria-expanded=${h}
      onClick=${()=>(d?.(),g(!0))} ...${f()}>${t}</button>
    ${h&&e`<dialog ref=${v} class="asking card" aria-label=${c??t} onClose=${e=>e.currentTarget===v.current&&g(!1)}
      onClick=${({clientX:e,clientY:t,target:n,currentTarget:r})=>{if(n!==r)return;let{top:i,bottom:a,left:o,right:s}=n.getBoundingClientRect();(e<o||e>s||t<i||t>a)&&b()}}>
      <form onSubmit=${e=>{e.preventDefault(),b(),o()}}>
        ${c&&e`<p dir="auto"><strong>${c}</strong></p>`}
        ${u&&e`<p>${u}</p>`}
        <${l} class="danger">${a}<//>
        <button type="button" ref=${y} onClick=${b}>${m(`cancel`)}</button>
      </form>
    </dialog>`}`}function I({label:t,names:a,children:o,onInput:s}){let{parameters:c,setParameters:l}=i(),u=Object.keys(a),d=u.includes(c.get(`tab`))?c.get(`tab`):u[0],f=e=>l({tab:e===u[0]?null:e}),p=e=>{let t=Number(e.key===`ArrowRight`)-Number(e.key===`ArrowLeft`);if(t===0)return;let n=u[(u.indexOf(d)+t+u.length)%u.length];f(n),e.currentTarget.querySelector(`#tab-${n}`).focus()},m=r(null);return n(()=>{let[e,t]=[m.current.querySelector(`#tab-${d}`),m.current].map(e=>e.getBoundingClientRect());m.current.scrollLeft+=Math.min(0,e.left-t.left-32)+Math.max(0,e.right-t.right+32)},[d]),e`<div role="tablist" class="tabs" aria-label=${t} onKeyDown=${p} ref=${m}
      onScroll=${()=>m.current.classList.toggle(`scrolled`,m.current.scrollLeft>0)}>
      ${u.map(t=>e`<button role="tab" id=${`tab-${t}`} aria-selected=${t===d}
        aria-controls="panel" tabindex=${t===d?0:-1}
        onClick=${()=>f(t)}>${a[t]}</button>`)}
    </div>
    <div role="tabpanel" id="panel" aria-labelledby=${`tab-${d}`} tabindex="0"
      onInput=${s}>${o(d)}</div>`}const L=e=>({class:`opening`,onClick:t=>{t.target.closest(`a, button`)||(location.hash=e)}}),R=({label:t,columns:n,children:r})=>e`<div class="scroll" tabindex="0" role="region" aria-label=${t}>
  <table>
    <thead><tr>${n.map(t=>e`<th scope="col"
      class=${t.className??``}>${t.label??t}</th>`)}</tr></thead>
    <tbody>${r}</tbody>
  </table>
</div>`;function z(e,t){let n=new Blob([`﻿`,...E(t)],{type:`text/csv`}),r=Object.assign(document.createElement(`a`),{href:URL.createObjectURL(n),download:e});r.click(),URL.revokeObjectURL(r.href)}const B=3e4;function V(e,t){let n=null,r=`[]`,i=async()=>{let{gaps:a}=await e.get(`/connections/twitch`).catch(()=>({gaps:null}));n!==void 0&&(a&&JSON.stringify(a)!==r&&t(a),r=a?JSON.stringify(a):r,n=setTimeout(i,B))};return i(),()=>{clearTimeout(n),n=void 0}}function H({from:e,to:t},n,r){let i=e=>new Intl.DateTimeFormat(n.lang,{timeStyle:`short`}).format(new Date(e)),a=n.date(e)===n.date(t);return n(`gap`,{from:r||!a?n.time(e):i(e),to:a?i(t):n.time(t)})}function U({gaps:t,above:n,below:r}){let{say:a}=i(),o=e=>Date.parse(e.occurred_at);return t.filter(({from:e})=>Date.parse(e)>=o(r)&&(!n||Date.parse(e)<o(n))).map(t=>e`<div class="gap" role="listitem" key=${t.from}>${H(t,a,!1)}</div>`)}function W({from:t,to:n}){let{client:r,say:a}=i(),{value:o}=d(()=>r.get(`/connections/twitch`),`gaps`,B),s=(o?.gaps??[]).filter(e=>Date.parse(e.to)>t.getTime()&&Date.parse(e.from)<n.getTime());if(s.length===0)return null;let c=t=>e`<ul>${t.map(t=>e`<li key=${t.from}>${H(t,a,!0)}</li>`)}</ul>`;return e`<section class="card gaps" aria-label=${a(`gaps.title`)}>
    <h2>${a(`gaps.title`)}</h2>
    <p class="quiet">${a(`gaps.why`)}</p>
    ${c(s.slice(0,5))}
    ${s.length>5&&e`<details><summary>${a(`count_more`,{many:s.length-5})}</summary>
      ${c(s.slice(5))}</details>`}
  </section>`}function G(t,n){let r=null,o=null;return l=>{let{say:u}=i(),[,d]=p(r!==null),[f,m]=p(null);return a(()=>{o??=t(u).then(e=>void(r=e)),o.then(()=>d(!0),e=>{o=null,m(e)})},[]),r?e`<${r} ...${l} />`:f?e`<${c} error=${f} onRetry=${()=>location.reload()} />`:n??e`<${s} rows=${6} />`}}function K({text:t,label:n,description:r}){let{say:o}=i(),[s,c]=p(``);return a(()=>c(``),[t]),e`<button type="button" aria-label=${r} onClick=${async()=>{try{await navigator.clipboard.writeText(t),c(`copied`)}catch{c(`twitch.copy_failed`)}}}>${n??o(`copy`)}</button>${` `}
    <span class="good" role="status">${s&&o(s)}</span>`}function q(e){a(()=>{if(!e)return;let{title:t}=document;return document.title=`${e} · ${t}`,()=>{document.title=t}},[e])}export{z as _,W as a,F as c,k as d,N as f,L as g,j as h,U as i,M as l,I as m,K as n,V as o,R as p,G as r,H as s,q as t,P as u,D as v,C as y};