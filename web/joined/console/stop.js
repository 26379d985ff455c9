
import{B as e,D as t,G as n,R as r,g as i,i as a,j as o,o as s,s as c,z as l}from"./common.js";function u(){let{client:t,say:n,subscribe:o}=r(),{value:u,reload:d}=i(()=>s(t),`overlays to stop`),[f,p]=l(null),m=a(u??[]);return e(()=>o(({type:e})=>e===`overlay.updated`&&d()),[]),{isStopped:m,toggle:async()=>{try{await c(t,!m,n(`alerts.first_name`)),p(null)}catch(e){p(e)}d()},error:f}}function d({isStopped:e,toggle:i,label:a}){let{say:s}=r();return n`<${t} class=${`stop-all ${e?`stopped`:``}`} onClick=${i}>
    <${o} name=${e?`play`:`halt`} />
    <span>${a??s(e?`queue.resume_all`:`queue.stop_all`)}</span>
  <//>`}export{u as n,d as t};