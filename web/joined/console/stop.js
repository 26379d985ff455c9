
import{E as e,J as t,L as n,V as r,X as i,Y as a,i as o,o as s,s as c,tt as l}from"./common.js";function u(){let{client:n,say:r,subscribe:l}=t(),{value:u,reload:d}=e(()=>s(n),`overlays to stop`),[f,p]=a(null),m=o(u??[]);return i(()=>l(({type:e})=>e===`overlay.updated`&&d()),[]),{isStopped:m,toggle:async()=>{try{await c(n,!m,r(`alerts.first_name`)),p(null)}catch(e){p(e)}d()},error:f}}function d({isStopped:e,toggle:i,label:a}){let{say:o}=t();return l`<${n} class=${`stop-all ${e?`stopped`:``}`} onClick=${i}>
    <${r} name=${e?`play`:`halt`} />
    <span>${a??o(e?`queue.resume_all`:`queue.stop_all`)}</span>
  <//>`}export{u as n,d as t};