
import{_ as e,f as t,o as n}from"./forms.js";import{O as r,f as i,x as a}from"./common.js";import{t as o}from"./purchases.js";const s=[`pending`,`fulfilled`,`refunded`],c=({status:e})=>e===`pending`,l=n(()=>Promise.all([import(`./products.js`),import(`./thing.js`),import(`./forms.js`),import(`./sentences.js`)]).then(([module])=>module).then(({Products:e})=>e));function u(){let{say:t,setParameters:n}=a(),s={queue:t(`store.queue`),products:t(`store.products`),history:t(`store.history`)},u=()=>n({tab:`products`});return r`<h1>${t(`nav.store`)}</h1>
    <${e} label=${t(`nav.store`)} names=${s}>
      ${e=>r`${e===`queue`&&r`<${o} key="queue" path="/purchases?status=pending&order=asc&limit=50" matches=${c}
          label=${s.queue} isQueue>
          <${i}>${t(`store.queue_empty`)} <button onClick=${u}>${t(`store.see_products`)}</button><//>
        <//>`}
        ${e===`products`&&r`<${l} />`}
        ${e===`history`&&r`<${d} label=${s.history} />`}`}
    <//>`}function d({label:e}){let{say:n,parameters:c,setParameters:l}=a(),u=s.find(e=>e===c.get(`status`)),d=[{value:``,label:n(`store.all`)},...s.map(e=>({value:e,label:n(`purchase.${e}`)}))];return r`<div class="bar end">
      <${t} label=${n(`store.status`)} value=${u??``} options=${d}
        onChange=${e=>l({status:e.currentTarget.value})} />
    </div>
    <${o} key=${u} path=${`/purchases?limit=50${u?`&status=${u}`:``}`} matches=${e=>!u||e.status===u}
      label=${e}>
      <${i}>${n(u?`store.status_empty`:`store.history_empty`)}<//>
    <//>`}export{u as View};