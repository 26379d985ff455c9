
import{F as e,H as t,L as n,U as r,W as i,Y as a,q as o,y as s,z as c}from"./common.js";import{n as l,t as u}from"./stop.js";import{n as d}from"./stop-key.js";function f(){let{connected:n,say:o,outage:l,retry:u}=t(),[d,f]=r(null);i(()=>{if(n)return f(null);let e=Date.now(),t=setTimeout(()=>f(e),1e3);return()=>clearTimeout(t)},[n]),i(()=>void document.body.classList.toggle(`is-offline`,d!==null),[d]);let p=d&&new Intl.DateTimeFormat(o.lang,{timeStyle:`short`}).format(d);return a`<div role="status">
    ${p&&a`<div class="notice-bar offline">
      <${e} name="warning" /><span>${o(`offline`,{time:p})}</span>
      ${c.has(l)&&a`<${s} error=${l} />`}
      <button onClick=${u}>${o(`retry`)}</button>
    </div>`}
  </div>`}function p(e){let t=o(e);t.current=e,i(()=>{let e=e=>{d(e)&&(e.preventDefault(),t.current())},n=()=>{let{activeElement:t}=document;t instanceof HTMLIFrameElement&&t.contentWindow?.addEventListener(`keydown`,e)};return addEventListener(`keydown`,e),addEventListener(`blur`,n),()=>{removeEventListener(`keydown`,e),removeEventListener(`blur`,n)}},[])}function m(){let{say:r}=t(),{isStopped:i,toggle:o,error:s}=l();return p(o),a`<div class="stop-notice" role="status">
    ${i&&a`<div class="notice-bar stopped">
      <${e} name="halt" /><span>${r(`stop.stopped`)}</span>
      <${u} isStopped toggle=${o} label=${r(`stop.resume`)} />
    </div>`}
    <${n} error=${s} />
  </div>`}const h=()=>a`<div class="notice-bars"><${f} /><${m} /></div>`;export{h as Notices};