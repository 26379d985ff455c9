
import{d as e,o as t}from"./forms.js";import{C as n,E as r,O as i,S as a,h as o,l as s,m as c,n as l,x as u}from"./common.js";import{s as d}from"./sentences.js";const f=t(()=>Promise.all([import(`./thing2.js`),import(`./thing.js`)]).then(([module])=>module).then(({Thing:e})=>e,()=>()=>null),i`<svg class="thing" viewBox="-8 -8 80 80" />`);function p(e,t){let{subscribe:i}=u(),o=l(e),[s,c]=a(/* @__PURE__ */ new Map),d=r(/* @__PURE__ */ new Set),f=(e,t)=>c(n=>new Map(n).set(e,t));n(()=>i(({type:e,subject:t,data:n})=>{if(e!==`purchase.created`&&e!==`purchase.updated`)return;let r=Number(t.split(`/`)[1]);e===`purchase.created`&&d.current.add(r),f(r,n??null)}),[]);let p=o.records.map(e=>{let{purchase_id:t}=e;return s.has(t)?s.get(t):e}),m=new Set(o.records.map(({purchase_id:e})=>e)),h=[...s].filter(([e])=>d.current.has(e)&&!m.has(e)).map(([,e])=>e),g=(e.includes(`order=asc`)?[...p,...o.next?[]:h]:[...h.reverse(),...p]).filter(e=>e&&t(e));return{...o,records:g,apply:f}}function m({path:e,matches:t,label:r,isQueue:o,children:s}){let{say:l}=u(),d=p(e,t),[f,m]=a(``),[,g]=a(0);n(()=>{let e=setInterval(()=>g(Date.now()),6e4);return()=>clearInterval(e)},[]);let _=d.records.length===0&&!d.busy&&!d.error&&!d.next,v=d.records.length;return i`<p class="unseen" role="status">${v>0&&l(`purchases.count`,{many:v})}</p>
    ${_&&s}
    ${v>0&&i`<ul class=${`purchases card ${o?`queued`:``}`} aria-label=${r}>
      ${d.records.map(e=>i`<${h} key=${e.purchase_id} purchase=${e} apply=${d.apply}
        matches=${t} onClosed=${m} />`)}
    </ul>`}
    ${o&&i`<p class="closed" role="status">
      ${f&&i`${f} · <a href="#/store?tab=history">${l(`store.history`)}</a>`}</p>`}
    <${c} list=${d} scrolls />`}function h({purchase:t,apply:n,matches:c,onClosed:l}){let{client:p,say:m}=u(),{purchase_id:h,user_id:g,user:_,name:v,quantity:y,price:b,answer:x,status:S,created_at:C}=t,[w,T]=a(null),[E,D]=a(!1),O=`/purchases/${h}`,k=r(null),A=e=>{let t=document.activeElement;if(k.current&&(t===document.body||k.current.contains(t))){let{nextElementSibling:t,previousElementSibling:n}=k.current;(c(e)?k.current:t??n??k.current.closest(`[role=tabpanel]`)).focus()}n(h,e)},j=async e=>{D(!0),T(null);try{A(await p.patch(O,{status:e})),l(`${m(`purchase.${e}`)}: ${N}, ${P}, ${d(b,m)}`)}catch(e){T(e),e.code===`purchase_closed`&&p.get(O).then(A,()=>{})}D(!1)},M=({detail:e})=>e<2&&j(`fulfilled`),N=_?.name??m(`viewer.title`),P=y>1?m(`purchase.many`,{many:y,name:v}):v,F=e=>`${m(e)}: ${N}, ${P}`,I=m(t.item_id?`purchase.refund_item_sure`:`purchase.refund_sure`,{points:d(b,m)});return i`<li class=${S} tabindex="-1" ref=${k}>
    <${f} name=${v} />
    <div class="what">
      <a class="name" dir="auto" title=${N} href=${`#/viewers/${g}`}>${N}</a>${` `}
      <span dir="auto">${P}</span>
      ${x&&i`<p class="words" dir="auto">${x}</p>`}
    </div>
    <span class="price">${d(b,m)}</span>
    <time datetime=${C} title=${m.time(C)}>${m.ago(C)}</time>
    <span class="badge">${m(`purchase.${S}`)}</span>
    <div class="buttons">
      ${S===`pending`&&i`<${s} aria-label=${F(`purchase.fulfil`)} disabled=${E} onClick=${M}>
        ${m(`purchase.fulfil`)}
      <//>`}
      ${S!==`refunded`&&i`<${e} label=${m(`purchase.refund`)} description=${F(`purchase.refund`)} question=${I}
        act=${()=>j(`refunded`)} />`}
    </div>
    <${o} error=${w} />
  </li>`}export{m as t};