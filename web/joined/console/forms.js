
import{C as e,D as t,S as n,T as r,_ as i,c as a,d as o,g as s,k as c,l,m as u,t as d,w as f}from"./common.js";let p=[],m=null;function h(e){p=[];for(let t=e,n;n=t.parentElement;t=n)p.push({node:t,parent:n,index:[...n.children].indexOf(t)})}function g(){let e=document.getElementById(`main`);for(let{parent:t,index:n}of p.filter(({parent:e})=>e.isConnected)){let r=t!==e&&t.contains(e);for(let i of r?[e]:[t.children[n],t.children[n-1],t])for(let e of i?[i,...i.querySelectorAll(`a, button, input, select, textarea, summary, [tabindex]`)]:[])if(e.focus({preventScroll:!0}),document.activeElement===e){m=e;return}}}addEventListener(`focusin`,({target:e})=>h(e)),new MutationObserver(()=>{p[0]?.node.isConnected?h(p[0].node):document.activeElement===document.body&&g()}).observe(document.body,{childList:!0,subtree:!0});function _(){let e=t(null);return r(()=>{let{activeElement:t,body:n}=document;(p.length>0&&t===n||m&&t===m)&&e.current?.focus()},[]),e}const v=/(^|[;\r\n])(?="*[=+\-@\t])/g;function y(e){if(e==null)return``;let t=typeof e==`object`?JSON.stringify(e):String(e),n=typeof e==`number`?t:t.replace(v,`$1'`);return/[",;\r\n]/.test(n)?`"${n.replaceAll(`"`,`""`)}"`:n}const b=e=>e.map(e=>`${e.map(y).join(`,`)}\r\n`),x=e=>c`<${a}><${S} ...${e} /><//>`;function S({title:e,onClose:r,children:i,className:a=``}){let{say:o}=n(),s=t(null),l=t(!1);return f(()=>{s.current.showModal(),a!==`drawer`&&s.current.querySelector(`form :is(input, select, textarea)`)?.focus()},[]),c`<dialog ref=${s} class=${a} aria-label=${e} onClose=${r} onInput=${({target:e})=>l.current||=!!e.form}
    onClick=${({target:e})=>e===s.current&&!l.current&&r()}>
    <header class="bar spread">
      <h2 dir="auto">${e}</h2>
      <button class="quiet" aria-label=${o(`close`)} onClick=${r}><${u} name="cross" /></button>
    </header>
    ${i}
  </dialog>`}const C=`.*\\S.*`;function w({validity:e,title:t,type:n,min:r,max:i,validationMessage:a},o){if(e.valid)return``;let s=e=>n===`date`?o.date(`${e}T00:00`):e;return e.valueMissing||n===`date`&&e.badInput?o(`field.missing`):e.badInput||e.stepMismatch?o(`field.whole`):e.rangeUnderflow?o(`field.at_least`,{min:s(r)}):e.rangeOverflow?o(`field.at_most`,{max:s(i)}):e.patternMismatch&&t||a}function T({label:t,options:r,reason:i=``,isWide:a=!1,onInput:o,...s}){let{say:l}=n(),[u,d]=e(``),f=e=>{let{currentTarget:t}=e;e.preventDefault(),d(w(t,l)),t.form?.querySelector(`:is(input, select, textarea):invalid`)===t&&t.focus()},p=e=>{d(``),o?.(e)},m=i||u,h=s.rows?`textarea`:`input`;return c`<label class=${`field ${a?`wide`:``}`}>
    <span>${t}</span>
    ${r?c`<select onInput=${p} onInvalid=${f} ...${s}>
        ${r.map(e=>c`<option value=${e.value??e}>${e.label??e}</option>`)}</select>`:c`<${h} aria-invalid=${m?`true`:void 0} onInput=${p} onInvalid=${f} ...${s} />`}
    ${m&&c`<span class="bad" role="alert">${m}</span>`}
  </label>`}function E({value:t,onCommit:r,...i}){let{say:a}=n(),[o,s]=e(null),[l,u]=e(``);return c`<${T} ...${i} value=${o??t} reason=${l} onInput=${({currentTarget:e})=>{s(e.value),u(``)}} onChange=${({currentTarget:e})=>{u(w(e,a)),e.validity.valid&&(s(null),r(e.value))}} />`}function D({fields:t,submit:r,send:i,children:a,isMain:o=!0,onCancel:u}){let[d,f]=e(null),[p,m]=e(``),[h,g]=e(!1),{say:_}=n();return c`<form class=${t.length===1?`single`:``} onSubmit=${async e=>{e.preventDefault();let t=e.currentTarget;f(null),m(``),g(!0);try{let e=await i(Object.fromEntries(new FormData(t)));e!==null&&(m(e??_(`done`)),t.reset())}catch(e){f(e)}g(!1)}} onInvalidCapture=${()=>m(``)}>
    <div class="fields">
      ${t.map(({value:e,...t})=>c`<${T} ...${t} defaultValue=${e} />`)}</div>
    ${a}
    <${l} class=${o?`main`:``} busy=${h}>${r}<//>${` `}
    ${u&&c`<button type="button" onClick=${u}>${_(`cancel`)}</button>`}
    <span class="good" role="status">${p}</span>
    <${s} error=${d} />
  </form>`}function O({label:i,question:a,act:s,className:u=`quiet`,description:d,note:f,onOpen:p}){let{say:m}=n(),[h,g]=e(!1),[_,v,y]=[t(null),t(null),t(null)];r(()=>{if(!h)return;let e=()=>{let{top:e,bottom:t,left:n,right:r}=_.current.getBoundingClientRect(),{offsetWidth:i,offsetHeight:a}=v.current,o=t+a+6>innerHeight?e-a-6:t+6,s=n+i+6>innerWidth?r-i:n;v.current.style.transform=`translate(${Math.max(6,s)}px, ${Math.max(6,o)}px)`};return v.current.showModal(),e(),y.current.focus({preventScroll:!0}),addEventListener(`scroll`,e,{capture:!0,passive:!0}),addEventListener(`resize`,e),()=>{removeEventListener(`scroll`,e,{capture:!0}),removeEventListener(`resize`,e)}},[h]);let b=()=>{v.current.close(),g(!1)};return c`<button ref=${_} class=${u} aria-label=${d} aria-expanded=${h}
      onClick=${()=>(p?.(),g(!0))} ...${o()}>${i}</button>
    ${h&&c`<dialog ref=${v} class="asking card" aria-label=${d??i} onClose=${e=>e.currentTarget===v.current&&g(!1)}
      onClick=${({clientX:e,clientY:t,target:n,currentTarget:r})=>{if(n!==r)return;let{top:i,bottom:a,left:o,right:s}=n.getBoundingClientRect();(e<o||e>s||t<i||t>a)&&b()}}>
      <form onSubmit=${e=>{e.preventDefault(),b(),s()}}>
        ${d&&c`<p dir="auto"><strong>${d}</strong></p>`}
        ${f&&c`<p>${f}</p>`}
        <${l} class="danger">${a}<//>
        <button type="button" ref=${y} onClick=${b}>${m(`cancel`)}</button>
      </form>
    </dialog>`}`}function k({label:e,names:i,children:a,onInput:o}){let{parameters:s,setParameters:l}=n(),u=Object.keys(i),d=u.includes(s.get(`tab`))?s.get(`tab`):u[0],f=e=>l({tab:e===u[0]?null:e}),p=e=>{let t=Number(e.key===`ArrowRight`)-Number(e.key===`ArrowLeft`);if(t===0)return;let n=u[(u.indexOf(d)+t+u.length)%u.length];f(n),e.currentTarget.querySelector(`#tab-${n}`).focus()},m=t(null);return r(()=>{let e=m.current.querySelector(`#tab-${d}`);m.current.scrollLeft+=e.getBoundingClientRect().left-m.current.getBoundingClientRect().left-16},[d]),c`<div role="tablist" class="tabs" aria-label=${e} onKeyDown=${p} ref=${m}>
      ${u.map(e=>c`<button role="tab" id=${`tab-${e}`} aria-selected=${e===d}
        aria-controls="panel" tabindex=${e===d?0:-1}
        onClick=${()=>f(e)}>${i[e]}</button>`)}
    </div>
    <div role="tabpanel" id="panel" aria-labelledby=${`tab-${d}`} tabindex="0"
      onInput=${o}>${a(d)}</div>`}const A=e=>({class:`opening`,onClick:t=>{t.target.closest(`a, button`)||(location.hash=e)}}),j=({label:e,columns:t,children:n})=>c`<div class="scroll" tabindex="0" role="region" aria-label=${e}>
  <table>
    <thead><tr>${t.map(e=>c`<th scope="col"
      class=${e.className??``}>${e.label??e}</th>`)}</tr></thead>
    <tbody>${n}</tbody>
  </table>
</div>`;function M(e,t){let n=new Blob([`﻿`,...b(t)],{type:`text/csv`}),r=Object.assign(document.createElement(`a`),{href:URL.createObjectURL(n),download:e});r.click(),URL.revokeObjectURL(r.href)}const N=3e4;function P(e,t){let n=null,r=`[]`,i=async()=>{let{gaps:a}=await e.get(`/connections/twitch`).catch(()=>({gaps:null}));n!==void 0&&(a&&JSON.stringify(a)!==r&&t(a),r=a?JSON.stringify(a):r,n=setTimeout(i,N))};return i(),()=>{clearTimeout(n),n=void 0}}function F({from:e,to:t},n,r){let i=e=>new Intl.DateTimeFormat(n.lang,{timeStyle:`short`}).format(new Date(e)),a=n.date(e)===n.date(t);return n(`gap`,{from:r||!a?n.time(e):i(e),to:a?i(t):n.time(t)})}function I({gaps:e,above:t,below:r}){let{say:i}=n(),a=e=>Date.parse(e.occurred_at);return e.filter(({from:e})=>Date.parse(e)>=a(r)&&(!t||Date.parse(e)<a(t))).map(e=>c`<div class="gap" role="listitem" key=${e.from}>${F(e,i,!1)}</div>`)}function L({from:e,to:t}){let{client:r,say:i}=n(),{value:a}=d(()=>r.get(`/connections/twitch`),`gaps`,N),o=(a?.gaps??[]).filter(n=>Date.parse(n.to)>e.getTime()&&Date.parse(n.from)<t.getTime());if(o.length===0)return null;let s=e=>c`<ul>${e.map(e=>c`<li key=${e.from}>${F(e,i,!0)}</li>`)}</ul>`;return c`<section class="card gaps" aria-label=${i(`gaps.title`)}>
    <h2>${i(`gaps.title`)}</h2>
    <p class="quiet">${i(`gaps.why`)}</p>
    ${s(o.slice(0,5))}
    ${o.length>5&&c`<details><summary>${i(`count_more`,{many:o.length-5})}</summary>
      ${s(o.slice(5))}</details>`}
  </section>`}function R(t,r){let a=null,o=null;return l=>{let{say:u}=n(),[,d]=e(a!==null),[p,m]=e(null);return f(()=>{o??=t(u).then(e=>void(a=e)),o.then(()=>d(!0),e=>{o=null,m(e)})},[]),a?c`<${a} ...${l} />`:p?c`<${s} error=${p} onRetry=${()=>location.reload()} />`:r??c`<${i} rows=${6} />`}}function z({text:t,label:r,description:i}){let{say:a}=n(),[o,s]=e(``);return f(()=>s(``),[t]),c`<button type="button" aria-label=${i} onClick=${async()=>{try{await navigator.clipboard.writeText(t),s(`copied`)}catch{s(`twitch.copy_failed`)}}}>${r??a(`copy`)}</button>${` `}
    <span class="good" role="status">${o&&a(o)}</span>`}function B(e){f(()=>{if(!e)return;let{title:t}=document;return document.title=`${e} · ${t}`,()=>{document.title=t}},[e])}export{x as _,L as a,O as c,C as d,E as f,M as g,A as h,I as i,T as l,k as m,z as n,P as o,j as p,R as r,F as s,B as t,D as u,_ as v};