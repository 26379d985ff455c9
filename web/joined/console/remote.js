
import{n as e,r as t}from"./aside.js";import{O as n,S as r,h as i,l as a,p as o,x as s}from"./common.js";import{i as c,r as l}from"./stop.js";function u({last:u}){let{client:d,say:f}=s(),{value:p}=e(),{now:m}=t(p),[h,g]=r(null),_=e=>e.then(()=>g(null),g),v=e=>_(d.post(`/alerts`,e)),{isStopped:y,toggle:b,error:x}=c(),S=(e,t,r,i)=>n`<${a} disabled=${!i} onClick=${r}><${o} name=${e} /><span>${t}</span><//>`;return n`<section class="remote" aria-label=${f(`remote.title`)}>
    <${l} isStopped=${y} toggle=${b} />
    ${S(`next`,f(`remote.skip`),()=>v({control:`skip`,entry:m.ids[0]}),m)}
    ${S(`cross`,f(`remote.clear`),()=>v({control:`clear`}),p)}
    ${S(`again`,f(`remote.replay`),()=>v({event_id:u.event_id}),u)}
    <${i} error=${h??x} />
  </section>`}export{u as Remote};