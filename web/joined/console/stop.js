
import{F as e,H as t,U as n,W as r,Y as i,g as a,i as o,j as s,o as c,s as l}from"./common.js";function u(){let{client:e,say:i,subscribe:s}=t(),{value:u,reload:d}=a(()=>c(e),`overlays to stop`),[f,p]=n(null),m=o(u??[]);return r(()=>s(({type:e})=>e===`overlay.updated`&&d()),[]),{isStopped:m,toggle:async()=>{try{await l(e,!m,i(`alerts.first_name`)),p(null)}catch(e){p(e)}d()},error:f}}function d({isStopped:n,toggle:r,label:a}){let{say:o}=t();return i`<${s} class=${`stop-all ${n?`stopped`:``}`} onClick=${r}>
    <${e} name=${n?`play`:`halt`} />
    <span>${a??o(n?`queue.resume_all`:`queue.stop_all`)}</span>
  <//>`}export{u as n,d as t};