
import{A as e,C as t,E as n,O as r,T as i,_ as a,b as o,c as s,d as c,g as l,l as u,m as d,t as f,w as p}from"./common.js";let m=[],h=null;function g(e){m=[];for(let t=e,n;n=t.parentElement;t=n)m.push({node:t,parent:n,index:[...n.children].indexOf(t)})}function _(){let e=document.getElementById(`main`);for(let{parent:t,index:n}of m.filter(({parent:e})=>e.isConnected)){let r=t!==e&&t.contains(e);for(let i of r?[e]:[t.children[n],t.children[n-1],t])for(let e of i?[i,...i.querySelectorAll(`a, button, input, select, textarea, summary, [tabindex]`)]:[])if(e.focus({preventScroll:!0}),document.activeElement===e){h=e;return}}}addEventListener(`focusin`,({target:e})=>g(e)),new MutationObserver(()=>{m[0]?.node.isConnected?g(m[0].node):document.activeElement===document.body&&_()}).observe(document.body,{childList:!0,subtree:!0});function v(){let e=r(null);return n(()=>{let{activeElement:t,body:n}=document;(m.length>0&&t===n||h&&t===h)&&e.current?.focus()},[]),e}const y=/(^|[;\r\n])(?="*[=+\-@\t])/g;function b(e){if(e==null)return``;let t=typeof e==`object`?JSON.stringify(e):String(e),n=typeof e==`number`?t:t.replace(y,`$1'`);return/[",;\r\n]/.test(n)?`"${n.replaceAll(`"`,`""`)}"`:n}const x=e=>e.map(e=>`${e.map(b).join(`,`)}\r\n`),S=t=>e`<${s}><${C} ...${t} /><//>`;function C({title:n,onClose:a,children:o,className:s=``}){let{say:c}=t(),l=r(null),u=r(!1);return i(()=>{l.current.showModal(),s!==`drawer`&&l.current.querySelector(`form :is(input, select, textarea)`)?.focus()},[]),e`<dialog ref=${l} class=${s} aria-label=${n} onClose=${a} onInput=${({target:e})=>u.current||=!!e.form}
    onClick=${({target:e})=>e===l.current&&!u.current&&a()}>
    <header class="bar spread">
      <h2 dir="auto">${n}</h2>
      <button class="quiet" aria-label=${c(`close`)} onClick=${a}><${d} name="cross" /></button>
    </header>
    ${o}
  </dialog>`}const w=`.*\\S.*`;function T({validity:e,title:t,type:n,min:r,max:i,validationMessage:a},o){if(e.valid)return``;let s=e=>n===`date`?o.date(`${e}T00:00`):e;return e.valueMissing||n===`date`&&e.badInput?o(`field.missing`):e.badInput||e.stepMismatch?o(`field.whole`):e.rangeUnderflow?o(`field.at_least`,{min:s(r)}):e.rangeOverflow?o(`field.at_most`,{max:s(i)}):e.patternMismatch&&t||a}function E({label:n,options:r,reason:i=``,isWide:a=!1,onInput:s,...c}){let{say:l}=t(),[u,d]=p(``),f=e=>{let{currentTarget:t}=e;e.preventDefault(),d(T(t,l)),t.form?.querySelector(`:is(input, select, textarea):invalid`)===t&&t.focus()},m=e=>{d(``),s?.(e)},h=i||u,g={...o(n,h),onInvalid:f,...c,onInput:m},_=c.rows?`textarea`:`input`;return e`<label class=${`field ${a?`wide`:``}`}>
    <span>${n}</span>
    ${r?e`<select ...${g}>
        ${r.map(t=>e`<option value=${t.value??t}>${t.label??t}</option>`)}</select>`:e`<${_} ...${g} />`}
    ${h&&e`<span class="bad" role="alert">${h}</span>`}
  </label>`}function D({value:n,onCommit:r,...i}){let{say:a}=t(),[o,s]=p(null),[c,l]=p(``);return e`<${E} ...${i} value=${o??n} reason=${c} onInput=${({currentTarget:e})=>{s(e.value),l(``)}} onChange=${({currentTarget:e})=>{l(T(e,a)),e.validity.valid&&(s(null),r(e.value))}} />`}function O({fields:n,submit:r,send:i,children:a,isMain:o=!0,onCancel:s}){let[c,d]=p(null),[f,m]=p(``),[h,g]=p(!1),{say:_}=t();return e`<form class=${n.length===1?`single`:``} onSubmit=${async e=>{e.preventDefault();let t=e.currentTarget;d(null),m(``),g(!0);try{let e=await i(Object.fromEntries(new FormData(t)));e!==null&&(m(e??_(`done`)),t.reset())}catch(e){d(e)}g(!1)}} onInvalidCapture=${()=>m(``)}>
    <div class="fields">
      ${n.map(({value:t,...n})=>e`<${E} ...${n} defaultValue=${t} />`)}</div>
    ${a}
    <${u} class=${o?`main`:``} busy=${h}>${r}<//>${` `}
    ${s&&e`<button type="button" onClick=${s}>${_(`cancel`)}</button>`}
    <span class="good" role="status">${f}</span>
    <${l} error=${c} />
  </form>`}function k({label:i,question:a,act:o,className:s=`quiet`,description:l,note:d,onOpen:f}){let{say:m}=t(),[h,g]=p(!1),[_,v,y]=[r(null),r(null),r(null)];n(()=>{if(!h)return;let e=()=>{let{top:e,bottom:t,left:n,right:r}=_.current.getBoundingClientRect(),{offsetWidth:i,offsetHeight:a}=v.current,o=t+a+6>innerHeight?e-a-6:t+6,s=n+i+6>innerWidth?r-i:n;v.current.style.transform=`translate(${Math.max(6,s)}px, ${Math.max(6,o)}px)`};return v.current.showModal(),e(),y.current.focus({preventScroll:!0}),addEventListener(`scroll`,e,{capture:!0,passive:!0}),addEventListener(`resize`,e),()=>{removeEventListener(`scroll`,e,{capture:!0}),removeEventListener(`resize`,e)}},[h]);let b=()=>{v.current.close(),g(!1)};return e`<button ref=${_} class=${s} aria-label=${l} aria-expanded=${h}
      onClick=${()=>(f?.(),g(!0))} ...${c()}>${i}</button>
    ${h&&e`<dialog ref=${v} class="asking card" aria-label=${l??i} onClose=${e=>e.currentTarget===v.current&&g(!1)}
      onClick=${({clientX:e,clientY:t,target:n,currentTarget:r})=>{if(n!==r)return;let{top:i,bottom:a,left:o,right:s}=n.getBoundingClientRect();(e<o||e>s||t<i||t>a)&&b()}}>
      <form onSubmit=${e=>{e.preventDefault(),b(),o()}}>
        ${l&&e`<p dir="auto"><strong>${l}</strong></p>`}
        ${d&&e`<p>${d}</p>`}
        <${u} class="danger">${a}<//>
        <button type="button" ref=${y} onClick=${b}>${m(`cancel`)}</button>
      </form>
    </dialog>`}`}function A({label:i,names:a,children:o,onInput:s}){let{parameters:c,setParameters:l}=t(),u=Object.keys(a),d=u.includes(c.get(`tab`))?c.get(`tab`):u[0],f=e=>l({tab:e===u[0]?null:e}),p=e=>{let t=Number(e.key===`ArrowRight`)-Number(e.key===`ArrowLeft`);if(t===0)return;let n=u[(u.indexOf(d)+t+u.length)%u.length];f(n),e.currentTarget.querySelector(`#tab-${n}`).focus()},m=r(null);return n(()=>{let e=m.current.querySelector(`#tab-${d}`);m.current.scrollLeft+=e.getBoundingClientRect().left-m.current.getBoundingClientRect().left-16},[d]),e`<div role="tablist" class="tabs" aria-label=${i} onKeyDown=${p} ref=${m}>
      ${u.map(t=>e`<button role="tab" id=${`tab-${t}`} aria-selected=${t===d}
        aria-controls="panel" tabindex=${t===d?0:-1}
        onClick=${()=>f(t)}>${a[t]}</button>`)}
    </div>
    <div role="tabpanel" id="panel" aria-labelledby=${`tab-${d}`} tabindex="0"
      onInput=${s}>${o(d)}</div>`}const j=e=>({class:`opening`,onClick:t=>{t.target.closest(`a, button`)||(location.hash=e)}}),M=({label:t,columns:n,children:r})=>e`<div class="scroll" tabindex="0" role="region" aria-label=${t}>
  <table>
    <thead><tr>${n.map(t=>e`<th scope="col"
      class=${t.className??``}>${t.label??t}</th>`)}</tr></thead>
    <tbody>${r}</tbody>
  </table>
</div>`;function N(e,t){let n=new Blob([`﻿`,...x(t)],{type:`text/csv`}),r=Object.assign(document.createElement(`a`),{href:URL.createObjectURL(n),download:e});r.click(),URL.revokeObjectURL(r.href)}const P=3e4;function F(e,t){let n=null,r=`[]`,i=async()=>{let{gaps:a}=await e.get(`/connections/twitch`).catch(()=>({gaps:null}));n!==void 0&&(a&&JSON.stringify(a)!==r&&t(a),r=a?JSON.stringify(a):r,n=setTimeout(i,P))};return i(),()=>{clearTimeout(n),n=void 0}}function I({from:e,to:t},n,r){let i=e=>new Intl.DateTimeFormat(n.lang,{timeStyle:`short`}).format(new Date(e)),a=n.date(e)===n.date(t);return n(`gap`,{from:r||!a?n.time(e):i(e),to:a?i(t):n.time(t)})}function L({gaps:n,above:r,below:i}){let{say:a}=t(),o=e=>Date.parse(e.occurred_at);return n.filter(({from:e})=>Date.parse(e)>=o(i)&&(!r||Date.parse(e)<o(r))).map(t=>e`<div class="gap" role="listitem" key=${t.from}>${I(t,a,!1)}</div>`)}function R({from:n,to:r}){let{client:i,say:a}=t(),{value:o}=f(()=>i.get(`/connections/twitch`),`gaps`,P),s=(o?.gaps??[]).filter(e=>Date.parse(e.to)>n.getTime()&&Date.parse(e.from)<r.getTime());if(s.length===0)return null;let c=t=>e`<ul>${t.map(t=>e`<li key=${t.from}>${I(t,a,!0)}</li>`)}</ul>`;return e`<section class="card gaps" aria-label=${a(`gaps.title`)}>
    <h2>${a(`gaps.title`)}</h2>
    <p class="quiet">${a(`gaps.why`)}</p>
    ${c(s.slice(0,5))}
    ${s.length>5&&e`<details><summary>${a(`count_more`,{many:s.length-5})}</summary>
      ${c(s.slice(5))}</details>`}
  </section>`}function z(n,r){let o=null,s=null;return c=>{let{say:u}=t(),[,d]=p(o!==null),[f,m]=p(null);return i(()=>{s??=n(u).then(e=>void(o=e)),s.then(()=>d(!0),e=>{s=null,m(e)})},[]),o?e`<${o} ...${c} />`:f?e`<${l} error=${f} onRetry=${()=>location.reload()} />`:r??e`<${a} rows=${6} />`}}function B({text:n,label:r,description:a}){let{say:o}=t(),[s,c]=p(``);return i(()=>c(``),[n]),e`<button type="button" aria-label=${a} onClick=${async()=>{try{await navigator.clipboard.writeText(n),c(`copied`)}catch{c(`twitch.copy_failed`)}}}>${r??o(`copy`)}</button>${` `}
    <span class="good" role="status">${s&&o(s)}</span>`}function V(e){i(()=>{if(!e)return;let{title:t}=document;return document.title=`${e} · ${t}`,()=>{document.title=t}},[e])}export{S as _,R as a,k as c,w as d,D as f,N as g,j as h,L as i,E as l,A as m,B as n,F as o,M as p,z as r,I as s,V as t,O as u,v};