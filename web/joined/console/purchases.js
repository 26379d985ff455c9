
import{c as e,r as t}from"./forms.js";import{A as n,O as r,S as i,T as a,h as o,l as s,m as c,n as l,w as u}from"./common.js";import{s as d}from"./sentences.js";const f=t(()=>Promise.all([import(`./thing2.js`),import(`./thing.js`)]).then(([module])=>module).then(({Thing:e})=>e,()=>()=>null),n`<svg class="thing" viewBox="-8 -8 80 80" />`);function p(e,t){let{subscribe:n}=i(),o=l(e),[s,c]=u(/* @__PURE__ */ new Map),d=r(/* @__PURE__ */ new Set),f=(e,t)=>c(n=>new Map(n).set(e,t));a(()=>n(({type:e,subject:t,data:n})=>{if(e!==`purchase.created`&&e!==`purchase.updated`)return;let r=Number(t.split(`/`)[1]);e===`purchase.created`&&d.current.add(r),f(r,n??null)}),[]);let p=o.records.map(e=>{let{purchase_id:t}=e;return s.has(t)?s.get(t):e}),m=new Set(o.records.map(({purchase_id:e})=>e)),h=[...s].filter(([e])=>d.current.has(e)&&!m.has(e)).map(([,e])=>e),g=(e.includes(`order=asc`)?[...p,...o.next?[]:h]:[...h.reverse(),...p]).filter(e=>e&&t(e));return{...o,records:g,apply:f}}function m({path:e,matches:t,label:r,isQueue:o,children:s}){let{say:l}=i(),d=p(e,t),[f,m]=u(``),[,g]=u(0);a(()=>{let e=setInterval(()=>g(Date.now()),6e4);return()=>clearInterval(e)},[]);let _=d.records.length===0&&!d.busy&&!d.error&&!d.next,v=d.records.length;return n`<p class="unseen" role="status">${v>0&&l(`purchases.count`,{many:v})}</p>
    ${_&&s}
    ${v>0&&n`<ul class=${`purchases card ${o?`queued`:``}`} aria-label=${r}>
      ${d.records.map(e=>n`<${h} key=${e.purchase_id} purchase=${e} apply=${d.apply} onClosed=${m} />`)}
    </ul>`}
    ${o&&n`<p class="closed" role="status">
      ${f&&n`${f} · <a href="#/store?tab=history">${l(`store.history`)}</a>`}</p>`}
    <${c} list=${d} scrolls />`}function h({purchase:t,apply:r,onClosed:a}){let{client:c,say:l}=i(),{purchase_id:p,user_id:m,user:h,name:g,quantity:_,price:v,answer:y,status:b,created_at:x}=t,[S,C]=u(null),[w,T]=u(!1),E=`/purchases/${p}`,D=e=>r(p,e),O=async e=>{T(!0),C(null);try{D(await c.patch(E,{status:e})),a(`${l(`purchase.${e}`)}: ${A}, ${j}, ${d(v,l)}`)}catch(e){C(e),e.code===`purchase_closed`&&c.get(E).then(D,()=>{})}T(!1)},k=({detail:e})=>e<2&&O(`fulfilled`),A=h?.name??l(`viewer.title`),j=_>1?l(`purchase.many`,{many:_,name:g}):g,M=e=>`${l(e)}: ${A}, ${j}`,N=l(t.item_id?`purchase.refund_item_sure`:`purchase.refund_sure`,{points:d(v,l)});return n`<li class=${b} tabindex="-1">
    <${f} name=${g} />
    <div class="what">
      <a class="name" dir="auto" title=${A} href=${`#/viewers/${m}`}>${A}</a>${` `}
      <span dir="auto">${j}</span>
      ${y&&n`<p class="words" dir="auto">${y}</p>`}
    </div>
    <span class="price">${d(v,l)}</span>
    <time datetime=${x} title=${l.time(x)}>${l.ago(x)}</time>
    <span class="badge">${l(`purchase.${b}`)}</span>
    <div class="buttons">
      ${b===`pending`&&n`<${s} aria-label=${M(`purchase.fulfil`)} busy=${w} onClick=${k}>
        ${l(`purchase.fulfil`)}
      <//>`}
      ${b!==`refunded`&&n`<${e} label=${l(`purchase.refund`)} description=${M(`purchase.refund`)} question=${N}
        act=${()=>O(`refunded`)} />`}
    </div>
    <${o} error=${S} />
  </li>`}export{m as t};