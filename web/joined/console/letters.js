
import{a as e,d as t}from"./forms.js";import{C as n,E as r,O as i,S as a,f as o,m as s,x as c}from"./common.js";import{i as l}from"./rows.js";import{r as u,t as d}from"./picture.js";import{c as f,i as p,l as m,n as h,o as g,r as _,s as v,t as y}from"./seal-buttons.js";function b(){let{say:e,parameters:t}=c(),n=f(t);n.set(`limit`,`24`);let[r,a]=[n.get(`seal`),n.get(`stamp_type`)],l=[...n].length>1,u=({stamps:e})=>a===null||e.some(({stamp_type:e})=>e===a),d=e=>r===null||String(e.seal)===r,p=g(`/documents?${n}`,e=>h(e)&&d(e)&&u(e)&&!n.has(`created_before`)),m=p.records.length===0&&!p.busy&&!p.error&&!p.next;return i`<h1>${e(`nav.letters`)}</h1>
    ${(l||!m)&&i`<${x} seal=${r} stamp=${a} />`}
    ${m&&i`<${o}>${e(l?`letters.none`:`letters.empty`)}${` `}
      ${l?i`<a class="button" href="#/letters">${e(`activity.reset`)}</a>`:i`<a class="button" href="#/overview">${e(`activity.setup`)}</a>`}<//>`}
    ${p.records.length>0&&i`<ul class="letters" aria-label=${e(`nav.letters`)}>
      ${p.records.map(e=>i`<${S} key=${e.document_id} letter=${e} />`)}
    </ul>`}
    <${s} list=${p} scrolls />`}function x({seal:e,stamp:n}){let{say:r,parameters:a,setParameters:o}=c(),s=[.../* @__PURE__ */ new Set([...Object.keys(d),...n?[n]:[]])].map(e=>({value:e,label:p(e,r)})),l=[{value:``,label:r(`letters.any_stamp`)},...s],u=({currentTarget:{name:e,value:t}})=>o({[e]:t}),f=t=>o({seal:String(t)===e?null:String(t)}),m=(e,n,o)=>i`<${t} label=${r(n)} name=${e} onChange=${u} ...${o}
    value=${a.get(e)??``} />`,h=matchMedia(`(min-width: 30.01rem)`).matches||[`seal`,`stamp`,`from`,`to`].some(e=>a.get(e));return i`<details class="card letter-filters" open=${h}>
    <summary>${r(`letters.filters`)}</summary>
    <${y} selected=${e===null?null:Number(e)} onChoose=${f} />
    <div class="fields">
      ${m(`stamp`,`letters.stamp`,{options:l})}
      ${m(`from`,`analytics.from`,{type:`date`})}
      ${m(`to`,`analytics.to`,{type:`date`})}
    </div>
  </details>`}function S({letter:e}){let{client:t,say:o,parameters:s}=c(),d=r(null),[f,p]=a(!1),[h,g]=a(e.event),y=o(`overlay.document`);n(()=>{let e=new IntersectionObserver(e=>e.some(({isIntersecting:e})=>e)&&p(!0),{rootMargin:`300px`});return e.observe(d.current),()=>e.disconnect()},[]),n(()=>{f&&!h&&_(t,e.document_id).then(g,()=>g(null))},[f]),n(()=>{let t=!1;return f&&u(e,y).then(e=>t||d.current?.replaceChildren(e)).catch(()=>{}),()=>{t=!0}},[f,e.document_data,JSON.stringify(e.stamps)]);let b=String(e.document_id),x=h===void 0?i`<span class="bone"></span>`:h?.user_name??o(`letters.document`,{id:b}),S=e.created_at;return i`<li>
    <a class="letter-card" href=${v(e.document_id,s)}>
      <span class="sheet" ref=${d}></span>
      <${m} seal=${e.seal} />
      <span class="from"><strong class="name" dir="auto">${x}</strong>
        <time datetime=${S} title=${o.time(S)}>${o.ago(S)}</time></span>
      <span class="quiet line">${h&&(l(h,o)||o(`kind.plain`))}</span>
    </a>
  </li>`}const C=()=>Promise.all([import(`./letter.js`),import(`./rows.js`),import(`./forms.js`),import(`./picture.js`),import(`./seal-buttons.js`),import(`./overlay.js`)]).then(([module])=>module).then(({Letter:e})=>e),w=({id:t})=>t?i`<${e} load=${C} id=${t} />`:i`<${b} />`;export{w as View};