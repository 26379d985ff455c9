
import{n as e,r as t}from"./aside2.js";import{F as n,H as r,L as i,U as a,Y as o,j as s}from"./common.js";import{n as c,t as l}from"./stop.js";function u({last:u}){let{client:d,say:f}=r(),{value:p}=e(),{now:m}=t(p),[h,g]=a(null),_=e=>e.then(()=>g(null),g),v=e=>_(d.post(`/alerts`,e)),{isStopped:y,toggle:b,error:x}=c(),S=(e,t,r,i)=>o`<${s} disabled=${!i} onClick=${r}><${n} name=${e} /><span>${t}</span><//>`;return o`<section class="remote" aria-label=${f(`remote.title`)}>
    <${l} isStopped=${y} toggle=${b} />
    ${S(`next`,f(`remote.skip`),()=>v({control:`skip`,entry:m.ids[0]}),m)}
    ${S(`cross`,f(`remote.clear`),()=>v({control:`clear`}),p)}
    ${S(`again`,f(`remote.replay`),()=>v({event_id:u.event_id}),u)}
    <${i} error=${h??x} />
  </section>`}export{u as Remote};