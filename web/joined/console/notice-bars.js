
import{A as e,O as t,S as n,T as r,_ as i,a,h as o,p as s,r as c,t as l,w as u}from"./common.js";import{i as d,n as f,r as p}from"./stop.js";function m(){let{connected:t,say:o,outage:c,retry:l}=n(),[d,f]=u(null);r(()=>{if(t)return f(null);let e=Date.now(),n=setTimeout(()=>f(e),1e3);return()=>clearTimeout(n)},[t]),r(()=>void document.body.classList.toggle(`is-offline`,d!==null),[d]);let p=d&&new Intl.DateTimeFormat(o.lang,{timeStyle:`short`}).format(d);return e`<div role="status">
    ${p&&e`<div class="notice-bar offline">
      <${s} name="warning" /><span>${o(`offline`,{time:p})}</span>
      ${i.has(c)&&e`<${a} error=${c} />`}
      <button onClick=${l}>${o(`retry`)}</button>
    </div>`}
  </div>`}function h(e){let n=t(e);n.current=e,r(()=>{let e=e=>{f(e)&&(e.preventDefault(),n.current())},t=()=>{let{activeElement:t}=document;t instanceof HTMLIFrameElement&&t.contentWindow?.addEventListener(`keydown`,e)};return addEventListener(`keydown`,e),addEventListener(`blur`,t),()=>{removeEventListener(`keydown`,e),removeEventListener(`blur`,t)}},[])}function g(){let{say:t}=n(),{isStopped:r,toggle:i,error:a}=d();return h(i),e`<div class="stop-notice" role="status">
    ${r&&e`<div class="notice-bar stopped">
      <${s} name="halt" /><span>${t(`stop.stopped`)}</span>
      <${p} isStopped toggle=${i} label=${t(`stop.resume`)} />
    </div>`}
    <${o} error=${a} />
  </div>`}function _({onCount:e}){let{client:t}=n(),i={status:`pending`,limit:100},{value:a,reload:o}=l(async()=>(await t.page(`/purchases`,{query:i})).records.length,`waiting`);return c(e=>e.startsWith(`purchase.`),o,500),r(()=>e(a>99?`99+`:String(a||``)),[a]),null}const v=()=>e`<div class="notice-bars"><${m} /><${g} /></div>`;export{v as Notices,_ as Waiting};