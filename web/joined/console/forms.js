
import{C as e,E as t,O as n,S as r,c as i,g as a,h as o,l as s,w as c,x as l}from"./common.js";const u=/(^|[;\r\n])(?="*[=+\-@\t])/g;function d(e){if(e==null)return``;let t=typeof e==`object`?JSON.stringify(e):String(e),n=typeof e==`number`?t:t.replace(u,`$1'`);return/[",;\r\n]/.test(n)?`"${n.replaceAll(`"`,`""`)}"`:n}const f=e=>e.map(e=>`${e.map(d).join(`,`)}\r\n`),p=e=>n`<${i}><${m} ...${e} /><//>`;function m({title:r,onClose:i,children:a,className:o=``}){let{say:s}=l(),c=t(null);return e(()=>{c.current.showModal(),o!==`drawer`&&c.current.querySelector(`form :is(input, select, textarea)`)?.focus()},[]),n`<dialog ref=${c} class=${o} aria-label=${r} onClose=${i}
    onClick=${e=>e.target===c.current&&i()}>
    <header class="bar spread">
      <h2 dir="auto">${r}</h2>
      <button class="quiet" onClick=${i}>${s(`close`)}</button>
    </header>
    ${a}
  </dialog>`}const h=`.*\\S.*`;function g({validity:e,title:t,min:n,max:r,validationMessage:i},a){return e.valid?``:e.valueMissing?a(`field.missing`):e.badInput||e.stepMismatch?a(`field.whole`):e.rangeUnderflow?a(`field.at_least`,{min:n}):e.rangeOverflow?a(`field.at_most`,{max:r}):e.patternMismatch&&t||i}function _({label:e,options:t,reason:i=``,onInput:a,...o}){let{say:s}=l(),[c,u]=r(``),d=e=>{let{currentTarget:t}=e;e.preventDefault(),u(g(t,s)),t.form?.querySelector(`:is(input, select, textarea):invalid`)===t&&t.focus()},f=e=>{u(``),a?.(e)},p=i||c,m=o.rows?`textarea`:`input`;return n`<label class=${o.rows?`field wide`:`field`}>
    <span>${e}</span>
    ${t?n`<select onInput=${f} onInvalid=${d} ...${o}>
        ${t.map(e=>n`<option value=${e.value??e}>${e.label??e}</option>`)}</select>`:n`<${m} aria-invalid=${p?`true`:void 0} onInput=${f} onInvalid=${d} ...${o} />`}
    ${p&&n`<span class="bad" role="alert">${p}</span>`}
  </label>`}function v({value:e,onCommit:t,...i}){let{say:a}=l(),[o,s]=r(null),[c,u]=r(``);return n`<${_} ...${i} value=${o??e} reason=${c} onInput=${({currentTarget:e})=>{s(e.value),u(``)}} onChange=${({currentTarget:e})=>{u(g(e,a)),e.validity.valid&&(s(null),t(e.value))}} />`}function y({fields:e,submit:t,send:i,children:a,isMain:c=!0}){let[u,d]=r(null),[f,p]=r(``),[m,h]=r(!1),{say:g}=l();return n`<form class=${e.length===1?`single`:``} onSubmit=${async e=>{e.preventDefault();let t=e.currentTarget;d(null),p(``),h(!0);try{let e=await i(Object.fromEntries(new FormData(t)));e!==null&&(p(e??g(`done`)),t.reset())}catch(e){d(e)}h(!1)}}>
    <div class="fields">
      ${e.map(({value:e,...t})=>n`<${_} ...${t} defaultValue=${e} />`)}</div>
    ${a}
    <${s} class=${c?`main`:``} disabled=${m}>${t}<//>${` `}
    <span class="good" role="status">${f}</span>
    <${o} error=${u} />
  </form>`}function b({label:e,question:i,act:a,className:o=`quiet`,description:u,note:d}){let{say:f}=l(),[p,m]=r(!1),[h,g,_]=[t(null),t(null),t(null)];c(()=>{if(!p)return;let e=()=>{let{top:e,bottom:t,left:n,right:r}=h.current.getBoundingClientRect(),{offsetWidth:i,offsetHeight:a}=g.current,o=t+a+6>innerHeight?e-a-6:t+6,s=n+i+6>innerWidth?r-i:n;g.current.style.transform=`translate(${Math.max(6,s)}px, ${Math.max(6,o)}px)`};return g.current.showModal(),e(),_.current.focus({preventScroll:!0}),addEventListener(`scroll`,e,{capture:!0,passive:!0}),addEventListener(`resize`,e),()=>{removeEventListener(`scroll`,e,{capture:!0}),removeEventListener(`resize`,e)}},[p]);let v=()=>g.current.close();return n`<button ref=${h} class=${o} aria-label=${u} aria-expanded=${p}
      onClick=${()=>m(!0)}>${e}</button>
    ${p&&n`<dialog ref=${g} class="asking card" aria-label=${u??e} onClose=${()=>m(!1)}
      onClick=${({clientX:e,clientY:t,detail:n})=>{let{top:r,bottom:i,left:a,right:o}=g.current.getBoundingClientRect();n>0&&(e<a||e>o||t<r||t>i)&&v()}}>
      ${d&&n`<p>${d}</p>`}
      <${s} class="danger" onClick=${()=>(v(),a())}>${i}<//>
      <button ref=${_} onClick=${v}>${f(`cancel`)}</button>
    </dialog>`}`}function x({label:e,names:r,children:i}){let{parameters:a,setParameters:o}=l(),s=Object.keys(r),u=s.includes(a.get(`tab`))?a.get(`tab`):s[0],d=e=>o({tab:e===s[0]?null:e}),f=e=>{let t=Number(e.key===`ArrowRight`)-Number(e.key===`ArrowLeft`);if(t===0)return;let n=s[(s.indexOf(u)+t+s.length)%s.length];d(n),e.currentTarget.querySelector(`#tab-${n}`).focus()},p=t(null);return c(()=>{let e=p.current.querySelector(`#tab-${u}`);p.current.scrollLeft+=e.getBoundingClientRect().left-p.current.getBoundingClientRect().left-16},[u]),n`<div role="tablist" class="tabs" aria-label=${e} onKeyDown=${f} ref=${p}>
      ${s.map(e=>n`<button role="tab" id=${`tab-${e}`} aria-selected=${e===u}
        aria-controls="panel" tabindex=${e===u?0:-1}
        onClick=${()=>d(e)}>${r[e]}</button>`)}
    </div>
    <div role="tabpanel" id="panel" aria-labelledby=${`tab-${u}`} tabindex="0">${i(u)}</div>`}const S=({label:e,columns:t,children:r})=>n`<div class="scroll" tabindex="0" role="region" aria-label=${e}>
  <table>
    <thead><tr>${t.map(e=>n`<th scope="col"
      class=${e.className??``}>${e.label??e}</th>`)}</tr></thead>
    <tbody>${r}</tbody>
  </table>
</div>`;function C(e,t){let n=new Blob([`﻿`,...f(t)],{type:`text/csv`}),r=Object.assign(document.createElement(`a`),{href:URL.createObjectURL(n),download:e});r.click(),URL.revokeObjectURL(r.href)}function w({load:t,...i}){let{say:s}=l(),[c,u]=r(null),[d,f]=r(null);return e(()=>{t(s).then(e=>u(()=>e),f)},[]),c?n`<${c} ...${i} />`:d?n`<${o} error=${d} onRetry=${()=>location.reload()} />`:n`<${a} rows=${6} />`}function T({text:t,label:i,description:a}){let{say:o}=l(),[s,c]=r(``);return e(()=>c(``),[t]),n`<button type="button" aria-label=${a} onClick=${async()=>{try{await navigator.clipboard.writeText(t),c(`copied`)}catch{c(`twitch.copy_failed`)}}}>${i??o(`copy`)}</button>${` `}
    <span class="good" role="status">${s&&o(s)}</span>`}let E=-1/0;addEventListener(`click`,()=>E=performance.now(),!0);const D=()=>document.getElementById(`panel`)?.focus({preventScroll:!0});function O(){let e=t(null);return c(()=>{performance.now()-E<5e3&&document.activeElement===document.body&&e.current?.focus()},[]),e}function k(t){e(()=>{if(!t)return;let{title:e}=document;return document.title=`${t} · ${e}`,()=>{document.title=e}},[t])}export{w as a,y as c,S as d,x as f,T as i,h as l,p as m,D as n,b as o,C as p,O as r,_ as s,k as t,v as u};