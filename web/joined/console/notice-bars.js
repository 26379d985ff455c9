
import{B as e,F as t,G as n,N as r,R as i,U as a,j as o,z as s}from"./common.js";import{n as c}from"./problem2.js";import{n as l,t as u}from"./stop.js";import{n as d}from"./stop-key.js";function f(){let{connected:r,say:a,outage:l,retry:u}=i(),[d,f]=s(null);e(()=>{if(r)return f(null);let e=Date.now(),t=setTimeout(()=>f(e),1e3);return()=>clearTimeout(t)},[r]),e(()=>void document.body.classList.toggle(`is-offline`,d!==null),[d]);let p=d&&new Intl.DateTimeFormat(a.lang,{timeStyle:`short`}).format(d);return n`<div role="status">
    ${p&&n`<div class="notice-bar offline">
      <${o} name="warning" /><span>${a(`offline`,{time:p})}</span>
      ${t.has(l)&&n`<${c} error=${l} />`}
      <button onClick=${u}>${a(`retry`)}</button>
    </div>`}
  </div>`}function p(t){let n=a(t);n.current=t,e(()=>{let e=e=>{d(e)&&(e.preventDefault(),n.current())},t=()=>{let{activeElement:t}=document;t instanceof HTMLIFrameElement&&t.contentWindow?.addEventListener(`keydown`,e)};return addEventListener(`keydown`,e),addEventListener(`blur`,t),()=>{removeEventListener(`keydown`,e),removeEventListener(`blur`,t)}},[])}function m(){let{say:e}=i(),{isStopped:t,toggle:a,error:s}=l();return p(a),n`<div class="stop-notice" role="status">
    ${t&&n`<div class="notice-bar stopped">
      <${o} name="halt" /><span>${e(`stop.stopped`)}</span>
      <${u} isStopped toggle=${a} label=${e(`stop.resume`)} />
    </div>`}
    <${r} error=${s} />
  </div>`}const h=()=>n`<div class="notice-bars"><${f} /><${m} /></div>`;export{h as Notices};