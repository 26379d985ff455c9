
import{C as e,D as t,S as n,_ as r,a as i,h as a,k as o,p as s,r as c,t as l,w as u}from"./common.js";import{i as d,n as f,r as p}from"./stop.js";function m(){let{connected:t,say:a,outage:c,retry:l}=n(),[d,f]=e(null);u(()=>{if(t)return f(null);let e=Date.now(),n=setTimeout(()=>f(e),1e3);return()=>clearTimeout(n)},[t]),u(()=>void document.body.classList.toggle(`is-offline`,d!==null),[d]);let p=d&&new Intl.DateTimeFormat(a.lang,{timeStyle:`short`}).format(d);return o`<div role="status">
    ${p&&o`<div class="notice-bar offline">
      <${s} name="warning" /><span>${a(`offline`,{time:p})}</span>
      ${r.has(c)&&o`<${i} error=${c} />`}
      <button onClick=${l}>${a(`retry`)}</button>
    </div>`}
  </div>`}function h(e){let n=t(e);n.current=e,u(()=>{let e=e=>{f(e)&&(e.preventDefault(),n.current())},t=()=>{let{activeElement:t}=document;t instanceof HTMLIFrameElement&&t.contentWindow?.addEventListener(`keydown`,e)};return addEventListener(`keydown`,e),addEventListener(`blur`,t),()=>{removeEventListener(`keydown`,e),removeEventListener(`blur`,t)}},[])}function g(){let{say:e}=n(),{isStopped:t,toggle:r,error:i}=d();return h(r),o`<div class="stop-notice" role="status">
    ${t&&o`<div class="notice-bar stopped">
      <${s} name="halt" /><span>${e(`stop.stopped`)}</span>
      <${p} isStopped toggle=${r} label=${e(`stop.resume`)} />
    </div>`}
    <${a} error=${i} />
  </div>`}function _({onCount:e}){let{client:t}=n(),r={status:`pending`,limit:100},{value:i,reload:a}=l(async()=>(await t.page(`/purchases`,{query:r})).records.length,`waiting`);return c(e=>e.startsWith(`purchase.`),a,500),u(()=>e(i>99?`99+`:String(i||``)),[i]),null}const v=()=>o`<div class="notice-bars"><${m} /><${g} /></div>`;export{v as Notices,_ as Waiting};