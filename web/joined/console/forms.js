
import{C as e,E as t,O as n,S as r,c as i,g as a,h as o,l as s,p as c,t as l,u,w as d,x as f}from"./common.js";let p=[],m=null;function h(e){p=[];for(let t=e,n;n=t.parentElement;t=n)p.push({node:t,parent:n,index:[...n.children].indexOf(t)})}function g(){for(let{parent:e,index:t}of p.filter(({parent:e})=>e.isConnected))for(let n of[e.children[t],e.children[t-1],e])for(let e of n?[n,...n.querySelectorAll(`a, button, input, select, textarea, summary, [tabindex]`)]:[])if(e.focus({preventScroll:!0}),document.activeElement===e){m=e;return}}addEventListener(`focusin`,({target:e})=>h(e)),new MutationObserver(()=>{p[0]?.node.isConnected?h(p[0].node):document.activeElement===document.body&&g()}).observe(document.body,{childList:!0,subtree:!0});function _(){let e=t(null);return d(()=>{let{activeElement:t,body:n}=document;(p.length>0&&t===n||t&&t===m)&&e.current?.focus()},[]),e}const v=/(^|[;\r\n])(?="*[=+\-@\t])/g;function y(e){if(e==null)return``;let t=typeof e==`object`?JSON.stringify(e):String(e),n=typeof e==`number`?t:t.replace(v,`$1'`);return/[",;\r\n]/.test(n)?`"${n.replaceAll(`"`,`""`)}"`:n}const b=e=>e.map(e=>`${e.map(y).join(`,`)}\r\n`),x=e=>n`<${i}><${S} ...${e} /><//>`;function S({title:r,onClose:i,children:a,className:o=``}){let{say:s}=f(),l=t(null),u=t(!1);return e(()=>{l.current.showModal(),o!==`drawer`&&l.current.querySelector(`form :is(input, select, textarea)`)?.focus()},[]),n`<dialog ref=${l} class=${o} aria-label=${r} onClose=${i} onInput=${({target:e})=>u.current||=!!e.form}
    onClick=${({target:e})=>e===l.current&&!u.current&&i()}>
    <header class="bar spread">
      <h2 dir="auto">${r}</h2>
      <button class="quiet" aria-label=${s(`close`)} onClick=${i}><${c} name="cross" /></button>
    </header>
    ${a}
  </dialog>`}const C=`.*\\S.*`;function w({validity:e,title:t,type:n,min:r,max:i,validationMessage:a},o){if(e.valid)return``;let s=e=>n===`date`?o.date(`${e}T00:00`):e;return e.valueMissing||n===`date`&&e.badInput?o(`field.missing`):e.badInput||e.stepMismatch?o(`field.whole`):e.rangeUnderflow?o(`field.at_least`,{min:s(r)}):e.rangeOverflow?o(`field.at_most`,{max:s(i)}):e.patternMismatch&&t||a}function T({label:e,options:t,reason:i=``,isWide:a=!1,onInput:o,...s}){let{say:c}=f(),[l,u]=r(``),d=e=>{let{currentTarget:t}=e;e.preventDefault(),u(w(t,c)),t.closest(`form, dialog`)?.querySelector(`:is(input, select, textarea):invalid`)===t&&t.focus()},p=e=>{u(``),o?.(e)},m=i||l,h=s.rows?`textarea`:`input`;return n`<label class=${`field ${a?`wide`:``}`}>
    <span>${e}</span>
    ${t?n`<select onInput=${p} onInvalid=${d} ...${s}>
        ${t.map(e=>n`<option value=${e.value??e}>${e.label??e}</option>`)}</select>`:n`<${h} aria-invalid=${m?`true`:void 0} onInput=${p} onInvalid=${d} ...${s} />`}
    ${m&&n`<span class="bad" role="alert">${m}</span>`}
  </label>`}function E({value:e,onCommit:t,...i}){let{say:a}=f(),[o,s]=r(null),[c,l]=r(``);return n`<${T} ...${i} value=${o??e} reason=${c} onInput=${({currentTarget:e})=>{s(e.value),l(``)}} onChange=${({currentTarget:e})=>{l(w(e,a)),e.validity.valid&&(s(null),t(e.value))}} />`}function D({fields:e,submit:t,send:i,children:a,isMain:c=!0,onCancel:l}){let[u,d]=r(null),[p,m]=r(``),[h,g]=r(!1),{say:_}=f();return n`<form class=${e.length===1?`single`:``} onSubmit=${async e=>{e.preventDefault();let t=e.currentTarget;d(null),m(``),g(!0);try{let e=await i(Object.fromEntries(new FormData(t)));e!==null&&(m(e??_(`done`)),t.reset())}catch(e){d(e)}g(!1)}} onInvalidCapture=${()=>m(``)}>
    <div class="fields">
      ${e.map(({value:e,...t})=>n`<${T} ...${t} defaultValue=${e} />`)}</div>
    ${a}
    <${s} class=${c?`main`:``} busy=${h}>${t}<//>${` `}
    ${l&&n`<button type="button" onClick=${l}>${_(`cancel`)}</button>`}
    <span class="good" role="status">${p}</span>
    <${o} error=${u} />
  </form>`}function O({label:e,question:i,act:a,className:o=`quiet`,description:c,note:l,onOpen:p}){let{say:m}=f(),[h,g]=r(!1),[_,v,y]=[t(null),t(null),t(null)];d(()=>{if(!h)return;let e=()=>{let{top:e,bottom:t,left:n,right:r}=_.current.getBoundingClientRect(),{offsetWidth:i,offsetHeight:a}=v.current,o=t+a+6>innerHeight?e-a-6:t+6,s=n+i+6>innerWidth?r-i:n;v.current.style.transform=`translate(${Math.max(6,s)}px, ${Math.max(6,o)}px)`};return v.current.showModal(),e(),y.current.focus({preventScroll:!0}),addEventListener(`scroll`,e,{capture:!0,passive:!0}),addEventListener(`resize`,e),()=>{removeEventListener(`scroll`,e,{capture:!0}),removeEventListener(`resize`,e)}},[h]);let b=()=>{v.current.close(),g(!1)};return n`<button ref=${_} class=${o} aria-label=${c} aria-expanded=${h}
      onClick=${()=>(p?.(),g(!0))} ...${u()}>${e}</button>
    ${h&&n`<dialog ref=${v} class="asking card" aria-label=${c??e} onClose=${e=>e.currentTarget===v.current&&g(!1)}
      onClick=${({clientX:e,clientY:t,target:n,currentTarget:r})=>{if(n!==r)return;let{top:i,bottom:a,left:o,right:s}=n.getBoundingClientRect();(e<o||e>s||t<i||t>a)&&b()}}>
      ${c&&n`<p dir="auto"><strong>${c}</strong></p>`}
      ${l&&n`<p>${l}</p>`}
      <${s} class="danger" onClick=${()=>{v.current.querySelector(`:invalid`)?.reportValidity()!==!1&&(b(),a())}}>${i}<//>
      <button ref=${y} onClick=${b}>${m(`cancel`)}</button>
    </dialog>`}`}function k({label:e,names:r,children:i,onInput:a}){let{parameters:o,setParameters:s}=f(),c=Object.keys(r),l=c.includes(o.get(`tab`))?o.get(`tab`):c[0],u=e=>s({tab:e===c[0]?null:e}),p=e=>{let t=Number(e.key===`ArrowRight`)-Number(e.key===`ArrowLeft`);if(t===0)return;let n=c[(c.indexOf(l)+t+c.length)%c.length];u(n),e.currentTarget.querySelector(`#tab-${n}`).focus()},m=t(null);return d(()=>{let e=m.current.querySelector(`#tab-${l}`);m.current.scrollLeft+=e.getBoundingClientRect().left-m.current.getBoundingClientRect().left-16},[l]),n`<div role="tablist" class="tabs" aria-label=${e} onKeyDown=${p} ref=${m}>
      ${c.map(e=>n`<button role="tab" id=${`tab-${e}`} aria-selected=${e===l}
        aria-controls="panel" tabindex=${e===l?0:-1}
        onClick=${()=>u(e)}>${r[e]}</button>`)}
    </div>
    <div role="tabpanel" id="panel" aria-labelledby=${`tab-${l}`} tabindex="0"
      onInput=${a}>${i(l)}</div>`}const A=e=>({class:`opening`,onClick:t=>{t.target.closest(`a, button`)||(location.hash=e)}}),j=({label:e,columns:t,children:r})=>n`<div class="scroll" tabindex="0" role="region" aria-label=${e}>
  <table>
    <thead><tr>${t.map(e=>n`<th scope="col"
      class=${e.className??``}>${e.label??e}</th>`)}</tr></thead>
    <tbody>${r}</tbody>
  </table>
</div>`;function M(e,t){let n=new Blob([`﻿`,...b(t)],{type:`text/csv`}),r=Object.assign(document.createElement(`a`),{href:URL.createObjectURL(n),download:e});r.click(),URL.revokeObjectURL(r.href)}const N=3e4;function P(e,t){let n=null,r=`[]`,i=async()=>{let{gaps:a}=await e.get(`/connections/twitch`).catch(()=>({gaps:null}));n!==void 0&&(a&&JSON.stringify(a)!==r&&t(a),r=a?JSON.stringify(a):r,n=setTimeout(i,N))};return i(),()=>{clearTimeout(n),n=void 0}}function F({from:e,to:t},n,r){let i=e=>new Intl.DateTimeFormat(n.lang,{timeStyle:`short`}).format(new Date(e)),a=n.date(e)===n.date(t);return n(`gap`,{from:r||!a?n.time(e):i(e),to:a?i(t):n.time(t)})}function I({gaps:e,above:t,below:r}){let{say:i}=f(),a=e=>Date.parse(e.occurred_at);return e.filter(({from:e})=>Date.parse(e)>=a(r)&&(!t||Date.parse(e)<a(t))).map(e=>n`<div class="gap" role="listitem" key=${e.from}>${F(e,i,!1)}</div>`)}function L({from:e,to:t}){let{client:r,say:i}=f(),{value:a}=l(()=>r.get(`/connections/twitch`),`gaps`,N),o=(a?.gaps??[]).filter(n=>Date.parse(n.to)>e.getTime()&&Date.parse(n.from)<t.getTime());if(o.length===0)return null;let s=e=>n`<ul>${e.map(e=>n`<li key=${e.from}>${F(e,i,!0)}</li>`)}</ul>`;return n`<section class="card gaps" aria-label=${i(`gaps.title`)}>
    <h2>${i(`gaps.title`)}</h2>
    <p class="quiet">${i(`gaps.why`)}</p>
    ${s(o.slice(0,5))}
    ${o.length>5&&n`<details><summary>${i(`count_more`,{many:o.length-5})}</summary>
      ${s(o.slice(5))}</details>`}
  </section>`}function R(t,i){let s=null,c=null;return l=>{let{say:u}=f(),[,d]=r(s!==null),[p,m]=r(null);return e(()=>{c??=t(u).then(e=>void(s=e)),c.then(()=>d(!0),e=>{c=null,m(e)})},[]),s?n`<${s} ...${l} />`:p?n`<${o} error=${p} onRetry=${()=>location.reload()} />`:i??n`<${a} rows=${6} />`}}function z({text:t,label:i,description:a}){let{say:o}=f(),[s,c]=r(``);return e(()=>c(``),[t]),n`<button type="button" aria-label=${a} onClick=${async()=>{try{await navigator.clipboard.writeText(t),c(`copied`)}catch{c(`twitch.copy_failed`)}}}>${i??o(`copy`)}</button>${` `}
    <span class="good" role="status">${s&&o(s)}</span>`}function B(t){e(()=>{if(!t)return;let{title:e}=document;return document.title=`${t} · ${e}`,()=>{document.title=e}},[t])}export{x as _,L as a,O as c,C as d,E as f,M as g,A as h,I as i,T as l,k as m,z as n,P as o,j as p,R as r,F as s,B as t,D as u,_ as v};