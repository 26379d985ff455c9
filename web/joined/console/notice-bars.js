
import{C as e,D as t,S as n,a as r,g as i,k as a,m as o,r as s,t as c,v as l,w as u}from"./common.js";import{i as d,n as f,r as p}from"./stop.js";function m(){let{connected:t,say:i,outage:s,retry:c}=n(),[d,f]=e(null);u(()=>{if(t)return f(null);let e=Date.now(),n=setTimeout(()=>f(e),1e3);return()=>clearTimeout(n)},[t]),u(()=>void document.body.classList.toggle(`is-offline`,d!==null),[d]);let p=d&&new Intl.DateTimeFormat(i.lang,{timeStyle:`short`}).format(d);return a`<div role="status">
    ${p&&a`<div class="notice-bar offline">
      <${o} name="warning" /><span>${i(`offline`,{time:p})}</span>
      ${l.has(s)&&a`<${r} error=${s} />`}
      <button onClick=${c}>${i(`retry`)}</button>
    </div>`}
  </div>`}function h(e){let n=t(e);n.current=e,u(()=>{let e=e=>{f(e)&&(e.preventDefault(),n.current())},t=()=>{let{activeElement:t}=document;t instanceof HTMLIFrameElement&&t.contentWindow?.addEventListener(`keydown`,e)};return addEventListener(`keydown`,e),addEventListener(`blur`,t),()=>{removeEventListener(`keydown`,e),removeEventListener(`blur`,t)}},[])}function g(){let{say:e}=n(),{isStopped:t,toggle:r,error:s}=d();return h(r),a`<div class="stop-notice" role="status">
    ${t&&a`<div class="notice-bar stopped">
      <${o} name="halt" /><span>${e(`stop.stopped`)}</span>
      <${p} isStopped toggle=${r} label=${e(`stop.resume`)} />
    </div>`}
    <${i} error=${s} />
  </div>`}function _({onCount:e}){let{client:t}=n(),r={status:`pending`,limit:100},{value:i,reload:a}=c(async()=>(await t.page(`/purchases`,{query:r})).records.length,`waiting`);return s(e=>e.startsWith(`purchase.`),a,500),u(()=>e(i>99?`99+`:String(i||``)),[i]),null}const v=()=>a`<div class="notice-bars"><${m} /><${g} /></div>`;export{v as Notices,_ as Waiting};