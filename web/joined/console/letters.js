
import{l as e,r as t}from"./forms.js";import{A as n,O as r,S as i,T as a,f as o,m as s,w as c}from"./common.js";import{r as l,t as u}from"./picture.js";import{a as d,c as f,i as p,l as m,n as h,o as g,t as _,u as v}from"./seal-buttons.js";const y=t(()=>Promise.all([import(`./events.js`),import(`./rows.js`)]).then(([module])=>module).then(({sentence:e})=>({event:t})=>{let{say:n}=i();return e(t,n)||n(`kind.plain`)}),` `);function b(){let{say:e,parameters:t}=i(),r=v(t);r.set(`limit`,`18`);let[a,c]=[r.get(`seal`),r.get(`stamp_type`)],l=[...r].length>1,u=({stamps:e})=>c===null||e.some(({stamp_type:e})=>e===c),d=e=>a===null||String(e.seal)===a,m=f(`/documents?${r}`,e=>p(e)&&d(e)&&u(e)&&!r.has(`created_before`)),h=m.records.length===0&&!m.busy&&!m.error&&!m.next;return n`<h1>${e(`nav.letters`)}</h1>
    ${(l||!h)&&n`<${x} seal=${a} stamp=${c} />`}
    ${h&&n`<${o}>${e(l?`letters.none`:`letters.empty`)}${` `}
      ${l?n`<a class="button" href="#/letters">${e(`activity.reset`)}</a>`:n`<a class="button" href="#/overview">${e(`activity.setup`)}</a>`}<//>`}
    ${m.records.length>0&&n`<ul class="letters" aria-label=${e(`nav.letters`)}>
      ${m.records.map(e=>n`<${S} key=${e.document_id} letter=${e} />`)}
    </ul>`}
    <${s} list=${m} scrolls />`}function x({seal:t,stamp:r}){let{say:a,parameters:o,setParameters:s}=i(),c=[.../* @__PURE__ */ new Set([...Object.keys(u),...r?[r]:[]])].map(e=>({value:e,label:g(e,a)})),l=[{value:``,label:a(`letters.any_stamp`)},...c],d=({currentTarget:{name:e,value:t}})=>s({[e]:t}),f=e=>s({seal:String(e)===t?null:String(e)}),p=(t,r,i)=>n`<${e} label=${a(r)} name=${t} onChange=${d} ...${i}
    value=${o.get(t)??``} />`,m=matchMedia(`(min-width: 30.01rem)`).matches||[`seal`,`stamp`,`from`,`to`].some(e=>o.get(e));return n`<details class="card letter-filters" open=${m}>
    <summary>${a(`letters.filters`)}</summary>
    <div class="seal-filter">
      <span aria-hidden="true">${a(`letters.seal`)}</span>
      <${h} selected=${t===null?null:Number(t)} onChoose=${f} />
    </div>
    <div class="fields">
      ${p(`stamp`,`letters.stamp`,{options:l})}
      ${p(`from`,`analytics.from`,{type:`date`})}
      ${p(`to`,`analytics.to`,{type:`date`})}
    </div>
  </details>`}function S({letter:e}){let{client:t,say:o,parameters:s}=i(),u=r(null),[f,p]=c(!1),[h,g]=c(e.event),v=o(`overlay.document`);a(()=>{let e=new IntersectionObserver(e=>e.some(({isIntersecting:e})=>e)&&p(!0),{rootMargin:`300px`});return e.observe(u.current),()=>e.disconnect()},[]),a(()=>{f&&!h&&d(t,e.document_id).then(g,()=>g(null))},[f]),a(()=>{let t=!1;return f&&l(e,v).then(e=>t||u.current?.replaceChildren(e)).catch(()=>{}),()=>{t=!0}},[f,e.document_data,JSON.stringify(e.stamps)]);let b=String(e.document_id),x=h===void 0?n`<span class="bone"></span>`:h?.user_name??o(`letters.document`,{id:b}),S=e.created_at;return n`<li>
    <a class="letter-card" href=${m(e.document_id,s)}>
      <span class="sheet" ref=${u}></span>
      <${_} seal=${e.seal} />
      <span class="from"><strong class="name" dir="auto">${x}</strong>
        <time datetime=${S} title=${o.time(S)}>${o.ago(S)}</time></span>
      <span class="quiet line">${h&&n`<${y} event=${h} />`}</span>
    </a>
  </li>`}const C=t(()=>Promise.all([import(`./letter.js`),import(`./rows.js`),import(`./picture.js`),import(`./seal.js`),import(`./seal-buttons.js`),import(`./overlay.js`)]).then(([module])=>module).then(({Letter:e})=>e)),w=({id:e})=>e?n`<${C} id=${e} />`:n`<${b} />`;export{w as View};