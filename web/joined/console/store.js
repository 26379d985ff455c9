
import{l as e,m as t,r as n}from"./forms.js";import{A as r,S as i,f as a}from"./common.js";import{t as o}from"./purchases.js";const s=[`pending`,`fulfilled`,`refunded`],c=({status:e})=>e===`pending`,l=n(()=>Promise.all([import(`./products.js`),import(`./thing.js`),import(`./draft.js`),import(`./sentences.js`),import(`./changes.js`)]).then(([module])=>module).then(({Products:e})=>e));function u(){let{say:e,setParameters:n}=i(),s={queue:e(`store.queue`),products:e(`store.products`),history:e(`store.history`)},u=()=>n({tab:`products`});return r`<h1>${e(`nav.store`)}</h1>
    <${t} label=${e(`nav.store`)} names=${s}>
      ${t=>r`${t===`queue`&&r`<${o} key="queue" path="/purchases?status=pending&order=asc&limit=50" matches=${c}
          label=${s.queue} isQueue>
          <${a}>${e(`store.queue_empty`)} <button onClick=${u}>${e(`store.see_products`)}</button><//>
        <//>`}
        ${t===`products`&&r`<${l} />`}
        ${t===`history`&&r`<${d} label=${s.history} />`}`}
    <//>`}function d({label:t}){let{say:n,parameters:c,setParameters:l}=i(),u=s.find(e=>e===c.get(`status`)),d=[{value:``,label:n(`store.all`)},...s.map(e=>({value:e,label:n(`purchase.${e}`)}))];return r`<div class="bar end">
      <${e} label=${n(`store.status`)} value=${u??``} options=${d}
        onChange=${e=>l({status:e.currentTarget.value})} />
    </div>
    <${o} key=${u} path=${`/purchases?limit=50${u?`&status=${u}`:``}`} matches=${e=>!u||e.status===u}
      label=${t}>
      <${a}>${n(u?`store.status_empty`:`store.history_empty`)}<//>
    <//>`}export{u as View};