
import{t as e}from"./thing.js";import{u as t}from"./forms.js";import{C as n,E as r,O as i,S as a,h as o,l as s,m as c,n as l,x as u}from"./common.js";import{o as d}from"./sentences.js";function f(e,t){let{subscribe:i}=u(),o=l(e),[s,c]=a(/* @__PURE__ */ new Map),d=r(/* @__PURE__ */ new Set),f=(e,t)=>c(n=>new Map(n).set(e,t));n(()=>i(({type:e,subject:t,data:n})=>{if(e!==`purchase.created`&&e!==`purchase.updated`)return;let r=Number(t.split(`/`)[1]);e===`purchase.created`&&d.current.add(r),f(r,n??null)}),[]);let p=o.records.map(e=>{let{purchase_id:t}=e;return s.has(t)?s.get(t):e}),m=new Set(o.records.map(({purchase_id:e})=>e)),h=[...s].filter(([e])=>d.current.has(e)&&!m.has(e)).map(([,e])=>e),g=(e.includes(`order=asc`)?[...p,...o.next?[]:h]:[...h.reverse(),...p]).filter(e=>e&&t(e));return{...o,records:g,apply:f}}function p({path:e,matches:t,label:r,isQueue:o,children:s}){let{say:l}=u(),d=f(e,t),[,p]=a(0);n(()=>{let e=setInterval(()=>p(Date.now()),6e4);return()=>clearInterval(e)},[]);let h=d.records.length===0&&!d.busy&&!d.error&&!d.next,g=d.records.length;return i`<p class="unseen" role="status">${g>0&&l(`purchases.count`,{many:g})}</p>
    ${h&&s}
    ${g>0&&i`<ul class=${`purchases card ${o?`queued`:``}`} aria-label=${r}>
      ${d.records.map(e=>i`<${m} key=${e.purchase_id} purchase=${e} apply=${d.apply}
        matches=${t} />`)}
    </ul>`}
    <${c} list=${d} scrolls />`}function m({purchase:n,apply:c,matches:l}){let{client:f,say:p}=u(),{purchase_id:m,user_id:h,user:g,name:_,quantity:v,price:y,answer:b,status:x,created_at:S}=n,[C,w]=a(null),[T,E]=a(!1),D=`/purchases/${m}`,O=r(null),k=e=>{let t=document.activeElement;if(O.current&&(t===document.body||O.current.contains(t))){let{nextElementSibling:t,previousElementSibling:n}=O.current;(l(e)?O.current:t??n??O.current.closest(`[role=tabpanel]`)).focus()}c(m,e)},A=async e=>{E(!0),w(null);try{k(await f.patch(D,{status:e}))}catch(e){w(e),e.code===`purchase_closed`&&f.get(D).then(k,()=>{})}E(!1)},j=({detail:e})=>e<2&&A(`fulfilled`),M=g?.name??p(`viewer.title`),N=v>1?p(`purchase.many`,{many:v,name:_}):_,P=e=>`${p(e)}: ${M}, ${N}`,F=p(n.item_id?`purchase.refund_item_sure`:`purchase.refund_sure`,{points:d(y,p)});return i`<li class=${x} tabindex="-1" ref=${O}>
    <${e} name=${_} />
    <div class="what">
      <a class="name" dir="auto" title=${M} href=${`#/viewers/${h}`}>${M}</a>${` `}
      <span dir="auto">${N}</span>
      ${b&&i`<p class="words" dir="auto">${b}</p>`}
    </div>
    <span class="price">${d(y,p)}</span>
    <time datetime=${S} title=${p.time(S)}>${p.ago(S)}</time>
    <span class="badge">${p(`purchase.${x}`)}</span>
    <div class="buttons">
      ${x===`pending`&&i`<${s} aria-label=${P(`purchase.fulfil`)} disabled=${T} onClick=${j}>
        ${p(`purchase.fulfil`)}
      <//>`}
      ${x!==`refunded`&&i`<${t} label=${p(`purchase.refund`)} description=${P(`purchase.refund`)} question=${F}
        note=${`${M}: ${N}`}
        act=${()=>A(`refunded`)} />`}
    </div>
    <${o} error=${C} />
  </li>`}export{p as t};