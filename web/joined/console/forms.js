
import{C as e,D as t,S as n,T as r,c as i,g as a,h as o,k as s,l as c,p as l,t as u,u as d,w as f,y as p}from"./common.js";let m=[],h=null;function g(e){m=[];for(let t=e,n;n=t.parentElement;t=n)m.push({node:t,parent:n,index:[...n.children].indexOf(t)})}function _(){let e=document.getElementById(`main`);for(let{parent:t,index:n}of m.filter(({parent:e})=>e.isConnected)){let r=t!==e&&t.contains(e);for(let i of r?[e]:[t.children[n],t.children[n-1],t])for(let e of i?[i,...i.querySelectorAll(`a, button, input, select, textarea, summary, [tabindex]`)]:[])if(e.focus({preventScroll:!0}),document.activeElement===e){h=e;return}}}addEventListener(`focusin`,({target:e})=>g(e)),new MutationObserver(()=>{m[0]?.node.isConnected?g(m[0].node):document.activeElement===document.body&&_()}).observe(document.body,{childList:!0,subtree:!0});function v(){let e=t(null);return r(()=>{let{activeElement:t,body:n}=document;(m.length>0&&t===n||h&&t===h)&&e.current?.focus()},[]),e}const y=/(^|[;\r\n])(?="*[=+\-@\t])/g;function b(e){if(e==null)return``;let t=typeof e==`object`?JSON.stringify(e):String(e),n=typeof e==`number`?t:t.replace(y,`$1'`);return/[",;\r\n]/.test(n)?`"${n.replaceAll(`"`,`""`)}"`:n}const x=e=>e.map(e=>`${e.map(b).join(`,`)}\r\n`),S=e=>s`<${i}><${C} ...${e} /><//>`;function C({title:e,onClose:r,children:i,className:a=``}){let{say:o}=n(),c=t(null),u=t(!1);return f(()=>{c.current.showModal(),a!==`drawer`&&c.current.querySelector(`form :is(input, select, textarea)`)?.focus()},[]),s`<dialog ref=${c} class=${a} aria-label=${e} onClose=${r} onInput=${({target:e})=>u.current||=!!e.form}
    onClick=${({target:e})=>e===c.current&&!u.current&&r()}>
    <header class="bar spread">
      <h2 dir="auto">${e}</h2>
      <button class="quiet" aria-label=${o(`close`)} onClick=${r}><${l} name="cross" /></button>
    </header>
    ${i}
  </dialog>`}const w=`.*\\S.*`;function T({validity:e,title:t,type:n,min:r,max:i,validationMessage:a},o){if(e.valid)return``;let s=e=>n===`date`?o.date(`${e}T00:00`):e;return e.valueMissing||n===`date`&&e.badInput?o(`field.missing`):e.badInput||e.stepMismatch?o(`field.whole`):e.rangeUnderflow?o(`field.at_least`,{min:s(r)}):e.rangeOverflow?o(`field.at_most`,{max:s(i)}):e.patternMismatch&&t||a}function E(e,t,n){let r=e?.errors?.find(({pointer:e})=>e===`/${t}`);return r?n.has(`violation.${r.code}`)?n(`violation.${r.code}`):r.detail:``}function D({label:t,options:r,reason:i=``,isWide:a=!1,onInput:o,...c}){let{say:l}=n(),[u,d]=e(``),f=e=>{let{currentTarget:t}=e;e.preventDefault(),d(T(t,l)),t.form?.querySelector(`:is(input, select, textarea):invalid`)===t&&t.focus()},m=e=>{d(``),o?.(e)},h=i||u,g={...p(t,h),onInvalid:f,...c,onInput:m},_=c.rows?`textarea`:`input`;return s`<label class=${`field ${a?`wide`:``}`}>
    <span>${t}</span>
    ${r?s`<select ...${g}>
        ${r.map(e=>s`<option value=${e.value??e}>${e.label??e}</option>`)}</select>`:s`<${_} ...${g} />`}
    ${h&&s`<span class="bad" role="alert">${h}</span>`}
  </label>`}function O({value:t,onCommit:r,...i}){let{say:a}=n(),[o,c]=e(null),[l,u]=e(``);return s`<${D} ...${i} value=${o??t} reason=${l} onInput=${({currentTarget:e})=>{c(e.value),u(``)}} onChange=${({currentTarget:e})=>{u(T(e,a)),e.validity.valid&&(c(null),r(e.value))}} />`}function k({fields:t,submit:r,send:i,children:a,isMain:l=!0,onCancel:u}){let[d,f]=e(null),[p,m]=e(``),[h,g]=e(!1),{say:_}=n();return s`<form class=${t.length===1?`single`:``} onSubmit=${async e=>{e.preventDefault();let t=e.currentTarget;f(null),m(``),g(!0);try{let e=await i(Object.fromEntries(new FormData(t)));e!==null&&(m(e??_(`done`)),t.reset())}catch(e){f(e)}g(!1)}} onInvalidCapture=${()=>m(``)}>
    <div class="fields">
      ${t.map(({value:e,...t})=>s`<${D} ...${t} defaultValue=${e} />`)}</div>
    ${a}
    <${c} class=${l?`main`:``} busy=${h}>${r}<//>${` `}
    ${u&&s`<button type="button" onClick=${u}>${_(`cancel`)}</button>`}
    <span class="good" role="status">${p}</span>
    <${o} error=${d} />
  </form>`}function A({label:i,question:a,act:o,className:l=`quiet`,description:u,note:f,onOpen:p}){let{say:m}=n(),[h,g]=e(!1),[_,v,y]=[t(null),t(null),t(null)];r(()=>{if(!h)return;let e=()=>{let{top:e,bottom:t,left:n,right:r}=_.current.getBoundingClientRect(),{offsetWidth:i,offsetHeight:a}=v.current,o=t+a+6>innerHeight?e-a-6:t+6,s=n+i+6>innerWidth?r-i:n;v.current.style.transform=`translate(${Math.max(6,s)}px, ${Math.max(6,o)}px)`};return v.current.showModal(),e(),y.current.focus({preventScroll:!0}),addEventListener(`scroll`,e,{capture:!0,passive:!0}),addEventListener(`resize`,e),()=>{removeEventListener(`scroll`,e,{capture:!0}),removeEventListener(`resize`,e)}},[h]);let b=()=>{v.current.close(),g(!1)};return s`<button ref=${_} class=${l} aria-label=${u} aria-expanded=${h}
      onClick=${()=>(p?.(),g(!0))} ...${d()}>${i}</button>
    ${h&&s`<dialog ref=${v} class="asking card" aria-label=${u??i} onClose=${e=>e.currentTarget===v.current&&g(!1)}
      onClick=${({clientX:e,clientY:t,target:n,currentTarget:r})=>{if(n!==r)return;let{top:i,bottom:a,left:o,right:s}=n.getBoundingClientRect();(e<o||e>s||t<i||t>a)&&b()}}>
      <form onSubmit=${e=>{e.preventDefault(),b(),o()}}>
        ${u&&s`<p dir="auto"><strong>${u}</strong></p>`}
        ${f&&s`<p>${f}</p>`}
        <${c} class="danger">${a}<//>
        <button type="button" ref=${y} onClick=${b}>${m(`cancel`)}</button>
      </form>
    </dialog>`}`}function j({label:e,names:i,children:a,onInput:o}){let{parameters:c,setParameters:l}=n(),u=Object.keys(i),d=u.includes(c.get(`tab`))?c.get(`tab`):u[0],f=e=>l({tab:e===u[0]?null:e}),p=e=>{let t=Number(e.key===`ArrowRight`)-Number(e.key===`ArrowLeft`);if(t===0)return;let n=u[(u.indexOf(d)+t+u.length)%u.length];f(n),e.currentTarget.querySelector(`#tab-${n}`).focus()},m=t(null);return r(()=>{let[e,t]=[m.current.querySelector(`#tab-${d}`),m.current].map(e=>e.getBoundingClientRect());m.current.scrollLeft+=Math.min(0,e.left-t.left-32)+Math.max(0,e.right-t.right+32)},[d]),s`<div role="tablist" class="tabs" aria-label=${e} onKeyDown=${p} ref=${m}
      onScroll=${()=>m.current.classList.toggle(`scrolled`,m.current.scrollLeft>0)}>
      ${u.map(e=>s`<button role="tab" id=${`tab-${e}`} aria-selected=${e===d}
        aria-controls="panel" tabindex=${e===d?0:-1}
        onClick=${()=>f(e)}>${i[e]}</button>`)}
    </div>
    <div role="tabpanel" id="panel" aria-labelledby=${`tab-${d}`} tabindex="0"
      onInput=${o}>${a(d)}</div>`}const M=e=>({class:`opening`,onClick:t=>{t.target.closest(`a, button`)||(location.hash=e)}}),N=({label:e,columns:t,children:n})=>s`<div class="scroll" tabindex="0" role="region" aria-label=${e}>
  <table>
    <thead><tr>${t.map(e=>s`<th scope="col"
      class=${e.className??``}>${e.label??e}</th>`)}</tr></thead>
    <tbody>${n}</tbody>
  </table>
</div>`;function P(e,t){let n=new Blob([`﻿`,...x(t)],{type:`text/csv`}),r=Object.assign(document.createElement(`a`),{href:URL.createObjectURL(n),download:e});r.click(),URL.revokeObjectURL(r.href)}const F=3e4;function I(e,t){let n=null,r=`[]`,i=async()=>{let{gaps:a}=await e.get(`/connections/twitch`).catch(()=>({gaps:null}));n!==void 0&&(a&&JSON.stringify(a)!==r&&t(a),r=a?JSON.stringify(a):r,n=setTimeout(i,F))};return i(),()=>{clearTimeout(n),n=void 0}}function L({from:e,to:t},n,r){let i=e=>new Intl.DateTimeFormat(n.lang,{timeStyle:`short`}).format(new Date(e)),a=n.date(e)===n.date(t);return n(`gap`,{from:r||!a?n.time(e):i(e),to:a?i(t):n.time(t)})}function R({gaps:e,above:t,below:r}){let{say:i}=n(),a=e=>Date.parse(e.occurred_at);return e.filter(({from:e})=>Date.parse(e)>=a(r)&&(!t||Date.parse(e)<a(t))).map(e=>s`<div class="gap" role="listitem" key=${e.from}>${L(e,i,!1)}</div>`)}function z({from:e,to:t}){let{client:r,say:i}=n(),{value:a}=u(()=>r.get(`/connections/twitch`),`gaps`,F),o=(a?.gaps??[]).filter(n=>Date.parse(n.to)>e.getTime()&&Date.parse(n.from)<t.getTime());if(o.length===0)return null;let c=e=>s`<ul>${e.map(e=>s`<li key=${e.from}>${L(e,i,!0)}</li>`)}</ul>`;return s`<section class="card gaps" aria-label=${i(`gaps.title`)}>
    <h2>${i(`gaps.title`)}</h2>
    <p class="quiet">${i(`gaps.why`)}</p>
    ${c(o.slice(0,5))}
    ${o.length>5&&s`<details><summary>${i(`count_more`,{many:o.length-5})}</summary>
      ${c(o.slice(5))}</details>`}
  </section>`}function B(t,r){let i=null,c=null;return l=>{let{say:u}=n(),[,d]=e(i!==null),[p,m]=e(null);return f(()=>{c??=t(u).then(e=>void(i=e)),c.then(()=>d(!0),e=>{c=null,m(e)})},[]),i?s`<${i} ...${l} />`:p?s`<${o} error=${p} onRetry=${()=>location.reload()} />`:r??s`<${a} rows=${6} />`}}function V({text:t,label:r,description:i}){let{say:a}=n(),[o,c]=e(``);return f(()=>c(``),[t]),s`<button type="button" aria-label=${i} onClick=${async()=>{try{await navigator.clipboard.writeText(t),c(`copied`)}catch{c(`twitch.copy_failed`)}}}>${r??a(`copy`)}</button>${` `}
    <span class="good" role="status">${o&&a(o)}</span>`}function H(e){f(()=>{if(!e)return;let{title:t}=document;return document.title=`${e} · ${t}`,()=>{document.title=t}},[e])}export{P as _,z as a,A as c,w as d,O as f,M as g,E as h,R as i,D as l,j as m,V as n,I as o,N as p,B as r,L as s,H as t,k as u,S as v,v as y};