
import{l as e,r as t}from"./forms.js";import{C as n,E as r,O as i,S as a,f as o,m as s,x as c}from"./common.js";import{r as l,t as u}from"./picture.js";import{a as d,c as f,i as p,l as m,n as h,o as g,t as _,u as v}from"./seal-buttons.js";const y=t(()=>Promise.all([import(`./events.js`),import(`./rows.js`)]).then(([module])=>module).then(({sentence:e})=>({event:t})=>{let{say:n}=c();return e(t,n)||n(`kind.plain`)}),` `);function b(){let{say:e,parameters:t}=c(),n=v(t);n.set(`limit`,`18`);let[r,a]=[n.get(`seal`),n.get(`stamp_type`)],l=[...n].length>1,u=({stamps:e})=>a===null||e.some(({stamp_type:e})=>e===a),d=e=>r===null||String(e.seal)===r,m=f(`/documents?${n}`,e=>p(e)&&d(e)&&u(e)&&!n.has(`created_before`)),h=m.records.length===0&&!m.busy&&!m.error&&!m.next;return i`<h1>${e(`nav.letters`)}</h1>
    ${(l||!h)&&i`<${x} seal=${r} stamp=${a} />`}
    ${h&&i`<${o}>${e(l?`letters.none`:`letters.empty`)}${` `}
      ${l?i`<a class="button" href="#/letters">${e(`activity.reset`)}</a>`:i`<a class="button" href="#/overview">${e(`activity.setup`)}</a>`}<//>`}
    ${m.records.length>0&&i`<ul class="letters" aria-label=${e(`nav.letters`)}>
      ${m.records.map(e=>i`<${S} key=${e.document_id} letter=${e} />`)}
    </ul>`}
    <${s} list=${m} scrolls />`}function x({seal:t,stamp:n}){let{say:r,parameters:a,setParameters:o}=c(),s=[.../* @__PURE__ */ new Set([...Object.keys(u),...n?[n]:[]])].map(e=>({value:e,label:g(e,r)})),l=[{value:``,label:r(`letters.any_stamp`)},...s],d=({currentTarget:{name:e,value:t}})=>o({[e]:t}),f=e=>o({seal:String(e)===t?null:String(e)}),p=(t,n,o)=>i`<${e} label=${r(n)} name=${t} onChange=${d} ...${o}
    value=${a.get(t)??``} />`,m=matchMedia(`(min-width: 30.01rem)`).matches||[`seal`,`stamp`,`from`,`to`].some(e=>a.get(e));return i`<details class="card letter-filters" open=${m}>
    <summary>${r(`letters.filters`)}</summary>
    <div class="seal-filter">
      <span aria-hidden="true">${r(`letters.seal`)}</span>
      <${h} selected=${t===null?null:Number(t)} onChoose=${f} />
    </div>
    <div class="fields">
      ${p(`stamp`,`letters.stamp`,{options:l})}
      ${p(`from`,`analytics.from`,{type:`date`})}
      ${p(`to`,`analytics.to`,{type:`date`})}
    </div>
  </details>`}function S({letter:e}){let{client:t,say:o,parameters:s}=c(),u=r(null),[f,p]=a(!1),[h,g]=a(e.event),v=o(`overlay.document`);n(()=>{let e=new IntersectionObserver(e=>e.some(({isIntersecting:e})=>e)&&p(!0),{rootMargin:`300px`});return e.observe(u.current),()=>e.disconnect()},[]),n(()=>{f&&!h&&d(t,e.document_id).then(g,()=>g(null))},[f]),n(()=>{let t=!1;return f&&l(e,v).then(e=>t||u.current?.replaceChildren(e)).catch(()=>{}),()=>{t=!0}},[f,e.document_data,JSON.stringify(e.stamps)]);let b=String(e.document_id),x=h===void 0?i`<span class="bone"></span>`:h?.user_name??o(`letters.document`,{id:b}),S=e.created_at;return i`<li>
    <a class="letter-card" href=${m(e.document_id,s)}>
      <span class="sheet" ref=${u}></span>
      <${_} seal=${e.seal} />
      <span class="from"><strong class="name" dir="auto">${x}</strong>
        <time datetime=${S} title=${o.time(S)}>${o.ago(S)}</time></span>
      <span class="quiet line">${h&&i`<${y} event=${h} />`}</span>
    </a>
  </li>`}const C=t(()=>Promise.all([import(`./letter.js`),import(`./rows.js`),import(`./picture.js`),import(`./seal.js`),import(`./seal-buttons.js`),import(`./overlay.js`)]).then(([module])=>module).then(({Letter:e})=>e)),w=({id:e})=>e?i`<${C} id=${e} />`:i`<${b} />`;export{w as View};