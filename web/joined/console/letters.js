
import{l as e,r as t}from"./forms.js";import{C as n,D as r,S as i,f as a,k as o,m as s,w as c}from"./common.js";import{r as l,t as u}from"./picture.js";import{a as d,c as f,i as p,l as m,n as h,o as g,t as _,u as v}from"./seal-buttons.js";const y=t(()=>Promise.all([import(`./events.js`),import(`./rows.js`)]).then(([module])=>module).then(({sentence:e})=>({event:t})=>{let{say:n}=i();return e(t,n)||n(`kind.plain`)}),` `);function b(){let{say:e,parameters:t}=i(),n=v(t);n.set(`limit`,`18`);let[r,c]=[n.get(`seal`),n.get(`stamp_type`)],l=[...n].length>1,u=({stamps:e})=>c===null||e.some(({stamp_type:e})=>e===c),d=e=>r===null||String(e.seal)===r,m=f(`/documents?${n}`,e=>p(e)&&d(e)&&u(e)&&!n.has(`created_before`)),h=m.records.length===0&&!m.busy&&!m.error&&!m.next;return o`<h1>${e(`nav.letters`)}</h1>
    ${(l||!h)&&o`<${x} seal=${r} stamp=${c} />`}
    ${h&&o`<${a}>${e(l?`letters.none`:`letters.empty`)}${` `}
      ${l?o`<a class="button" href="#/letters">${e(`activity.reset`)}</a>`:o`<a class="button" href="#/overview">${e(`activity.setup`)}</a>`}<//>`}
    ${m.records.length>0&&o`<ul class="letters" aria-label=${e(`nav.letters`)}>
      ${m.records.map(e=>o`<${S} key=${e.document_id} letter=${e} />`)}
    </ul>`}
    <${s} list=${m} scrolls />`}function x({seal:t,stamp:n}){let{say:r,parameters:a,setParameters:s}=i(),c=[.../* @__PURE__ */ new Set([...Object.keys(u),...n?[n]:[]])].map(e=>({value:e,label:g(e,r)})),l=[{value:``,label:r(`letters.any_stamp`)},...c],d=({currentTarget:{name:e,value:t}})=>s({[e]:t}),f=e=>s({seal:String(e)===t?null:String(e)}),p=(t,n,i)=>o`<${e} label=${r(n)} name=${t} onChange=${d} ...${i}
    value=${a.get(t)??``} />`,m=matchMedia(`(min-width: 30.01rem)`).matches||[`seal`,`stamp`,`from`,`to`].some(e=>a.get(e));return o`<details class="card letter-filters" open=${m}>
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
  </details>`}function S({letter:e}){let{client:t,say:a,parameters:s}=i(),u=r(null),[f,p]=n(!1),[h,g]=n(e.event),v=a(`overlay.document`);c(()=>{let e=new IntersectionObserver(e=>e.some(({isIntersecting:e})=>e)&&p(!0),{rootMargin:`300px`});return e.observe(u.current),()=>e.disconnect()},[]),c(()=>{f&&!h&&d(t,e.document_id).then(g,()=>g(null))},[f]),c(()=>{let t=!1;return f&&l(e,v).then(e=>t||u.current?.replaceChildren(e)).catch(()=>{}),()=>{t=!0}},[f,e.document_data,JSON.stringify(e.stamps)]);let b=String(e.document_id),x=h===void 0?o`<span class="bone"></span>`:h?.user_name??a(`letters.document`,{id:b}),S=e.created_at;return o`<li>
    <a class="letter-card" href=${m(e.document_id,s)}>
      <span class="sheet" ref=${u}></span>
      <${_} seal=${e.seal} />
      <span class="from"><strong class="name" dir="auto">${x}</strong>
        <time datetime=${S} title=${a.time(S)}>${a.ago(S)}</time></span>
      <span class="quiet line">${h&&o`<${y} event=${h} />`}</span>
    </a>
  </li>`}const C=t(()=>Promise.all([import(`./letter.js`),import(`./rows.js`),import(`./picture.js`),import(`./seal.js`),import(`./seal-buttons.js`),import(`./overlay.js`)]).then(([module])=>module).then(({Letter:e})=>e)),w=({id:e})=>e?o`<${C} id=${e} />`:o`<${b} />`;export{w as View};