
import{C as e,O as t,S as n,_ as r,a as i,p as a,r as o,t as s,x as c}from"./common.js";import{t as l}from"./stop.js";function u(){let{connected:o,say:s,outage:l,retry:u}=c(),[d,f]=n(null);e(()=>{if(o)return f(null);let e=Date.now(),t=setTimeout(()=>f(e),1e3);return()=>clearTimeout(t)},[o]),e(()=>void document.body.classList.toggle(`is-offline`,d!==null),[d]);let p=d&&new Intl.DateTimeFormat(s.lang,{timeStyle:`short`}).format(d);return t`<div role="status">
    ${p&&t`<div class="notice-bar offline">
      <${a} name="warning" /><span>${s(`offline`,{time:p})}</span>
      ${r.has(l)&&t`<${i} error=${l} />`}
      <button onClick=${u}>${s(`retry`)}</button>
    </div>`}
  </div>`}function d(){let{client:e,say:n}=c(),r={status:`pending`,limit:100},{value:i,reload:a}=s(async()=>(await e.page(`/purchases`,{query:r})).records.length,`waiting`);return o(e=>e.startsWith(`purchase.`),a,500),i?t`<b class="count" title=${n(`store.waiting`)}>${i>99?`99+`:i}</b>`:null}const f=()=>t`<div class="notice-bars"><${u} /><${l} /></div>`;export{f as Notices,d as Waiting};