
import{C as e,E as t,O as n,S as r,_ as i,a,h as o,p as s,r as c,t as l,x as u}from"./common.js";import{i as d,n as f,r as p}from"./stop.js";function m(){let{connected:t,say:o,outage:c,retry:l}=u(),[d,f]=r(null);e(()=>{if(t)return f(null);let e=Date.now(),n=setTimeout(()=>f(e),1e3);return()=>clearTimeout(n)},[t]),e(()=>void document.body.classList.toggle(`is-offline`,d!==null),[d]);let p=d&&new Intl.DateTimeFormat(o.lang,{timeStyle:`short`}).format(d);return n`<div role="status">
    ${p&&n`<div class="notice-bar offline">
      <${s} name="warning" /><span>${o(`offline`,{time:p})}</span>
      ${i.has(c)&&n`<${a} error=${c} />`}
      <button onClick=${l}>${o(`retry`)}</button>
    </div>`}
  </div>`}function h(n){let r=t(n);r.current=n,e(()=>{let e=e=>{f(e)&&(e.preventDefault(),r.current())},t=()=>{let{activeElement:t}=document;t instanceof HTMLIFrameElement&&t.contentWindow?.addEventListener(`keydown`,e)};return addEventListener(`keydown`,e),addEventListener(`blur`,t),()=>{removeEventListener(`keydown`,e),removeEventListener(`blur`,t)}},[])}function g(){let{say:e}=u(),{isStopped:t,toggle:r,error:i}=d();return h(r),n`<div class="stop-notice" role="status">
    ${t&&n`<div class="notice-bar stopped">
      <${s} name="halt" /><span>${e(`stop.stopped`)}</span>
      <${p} isStopped toggle=${r} label=${e(`stop.resume`)} />
    </div>`}
    <${o} error=${i} />
  </div>`}function _({onCount:t}){let{client:n}=u(),r={status:`pending`,limit:100},{value:i,reload:a}=l(async()=>(await n.page(`/purchases`,{query:r})).records.length,`waiting`);return c(e=>e.startsWith(`purchase.`),a,500),e(()=>t(i>99?`99+`:String(i||``)),[i]),null}const v=()=>n`<div class="notice-bars"><${m} /><${g} /></div>`;export{v as Notices,_ as Waiting};