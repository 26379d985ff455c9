
import{$ as e,G as t,J as n,U as r,V as i,X as a,Y as o,tt as s}from"./common.js";import{n as c}from"./problem2.js";import{n as l,t as u}from"./stop.js";import{n as d}from"./stop-key.js";function f(){let{connected:e,say:r,outage:l,retry:u}=n(),[d,f]=o(null);a(()=>{if(e)return f(null);let t=Date.now(),n=setTimeout(()=>f(t),1e3);return()=>clearTimeout(n)},[e]),a(()=>void document.body.classList.toggle(`is-offline`,d!==null),[d]);let p=d&&new Intl.DateTimeFormat(r.lang,{timeStyle:`short`}).format(d);return s`<div role="status">
    ${p&&s`<div class="notice-bar offline">
      <${i} name="warning" /><span>${r(`offline`,{time:p})}</span>
      ${t.has(l)&&s`<${c} error=${l} />`}
      <button onClick=${u}>${r(`retry`)}</button>
    </div>`}
  </div>`}function p(t){let n=e(t);n.current=t,a(()=>{let e=e=>{d(e)&&(e.preventDefault(),n.current())},t=()=>{let{activeElement:t}=document;t instanceof HTMLIFrameElement&&t.contentWindow?.addEventListener(`keydown`,e)};return addEventListener(`keydown`,e),addEventListener(`blur`,t),()=>{removeEventListener(`keydown`,e),removeEventListener(`blur`,t)}},[])}function m(){let{say:e}=n(),{isStopped:t,toggle:a,error:o}=l();return p(a),s`<div class="stop-notice" role="status">
    ${t&&s`<div class="notice-bar stopped">
      <${i} name="halt" /><span>${e(`stop.stopped`)}</span>
      <${u} isStopped toggle=${a} label=${e(`stop.resume`)} />
    </div>`}
    <${r} error=${o} />
  </div>`}const h=()=>s`<div class="notice-bars"><${f} /><${m} /></div>`;export{h as Notices};