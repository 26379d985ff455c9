
import{A as e,S as t,h as n,l as r,p as i,w as a}from"./common.js";import{i as o,r as s}from"./stop.js";function c({last:c,queue:{now:l,waiting:u}}){let{client:d,say:f}=t(),[p,m]=a(null),h=e=>e.then(()=>m(null),m),g=e=>h(d.post(`/alerts`,e)),{isStopped:_,toggle:v,error:y}=o(),b=(t,n,a,o)=>e`<${r} disabled=${!o} onClick=${a}><${i} name=${t} /><span>${n}</span><//>`;return e`<section class="remote" aria-label=${f(`remote.title`)}>
    <${s} isStopped=${_} toggle=${v} />
    ${b(`next`,f(`remote.skip`),()=>g({control:`skip`,entry:l.ids[0]}),l)}
    ${b(`cross`,f(`remote.clear`),()=>g({control:`clear`}),l||u.length>0)}
    ${b(`again`,f(`remote.replay`),()=>g({event_id:c.event_id}),c)}
    <${n} error=${p??y} />
  </section>`}export{c as Remote};