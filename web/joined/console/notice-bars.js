
import{A as e,C as t,O as n,T as r,a as i,g as a,m as o,r as s,t as c,v as l,w as u}from"./common.js";import{i as d,n as f,r as p}from"./stop.js";function m(){let{connected:n,say:a,outage:s,retry:c}=t(),[d,f]=u(null);r(()=>{if(n)return f(null);let e=Date.now(),t=setTimeout(()=>f(e),1e3);return()=>clearTimeout(t)},[n]),r(()=>void document.body.classList.toggle(`is-offline`,d!==null),[d]);let p=d&&new Intl.DateTimeFormat(a.lang,{timeStyle:`short`}).format(d);return e`<div role="status">
    ${p&&e`<div class="notice-bar offline">
      <${o} name="warning" /><span>${a(`offline`,{time:p})}</span>
      ${l.has(s)&&e`<${i} error=${s} />`}
      <button onClick=${c}>${a(`retry`)}</button>
    </div>`}
  </div>`}function h(e){let t=n(e);t.current=e,r(()=>{let e=e=>{f(e)&&(e.preventDefault(),t.current())},n=()=>{let{activeElement:t}=document;t instanceof HTMLIFrameElement&&t.contentWindow?.addEventListener(`keydown`,e)};return addEventListener(`keydown`,e),addEventListener(`blur`,n),()=>{removeEventListener(`keydown`,e),removeEventListener(`blur`,n)}},[])}function g(){let{say:n}=t(),{isStopped:r,toggle:i,error:s}=d();return h(i),e`<div class="stop-notice" role="status">
    ${r&&e`<div class="notice-bar stopped">
      <${o} name="halt" /><span>${n(`stop.stopped`)}</span>
      <${p} isStopped toggle=${i} label=${n(`stop.resume`)} />
    </div>`}
    <${a} error=${s} />
  </div>`}function _({onCount:e}){let{client:n}=t(),i={status:`pending`,limit:100},{value:a,reload:o}=c(async()=>(await n.page(`/purchases`,{query:i})).records.length,`waiting`);return s(e=>e.startsWith(`purchase.`),o,500),r(()=>e(a>99?`99+`:String(a||``)),[a]),null}const v=()=>e`<div class="notice-bars"><${m} /><${g} /></div>`;export{v as Notices,_ as Waiting};