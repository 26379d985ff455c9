
import{n as e,r as t}from"./aside.js";import{D as n,G as r,N as i,R as a,j as o,z as s}from"./common.js";import{n as c,t as l}from"./stop.js";function u({last:u}){let{client:d,say:f}=a(),{value:p}=e(),{now:m}=t(p),[h,g]=s(null),_=e=>e.then(()=>g(null),g),v=e=>_(d.post(`/alerts`,e)),{isStopped:y,toggle:b,error:x}=c(),S=(e,t,i,a)=>r`<${n} disabled=${!a} onClick=${i}><${o} name=${e} /><span>${t}</span><//>`;return r`<section class="remote" aria-label=${f(`remote.title`)}>
    <${l} isStopped=${y} toggle=${b} />
    ${S(`next`,f(`remote.skip`),()=>v({control:`skip`,entry:m.ids[0]}),m)}
    ${S(`cross`,f(`remote.clear`),()=>v({control:`clear`}),p)}
    ${S(`again`,f(`remote.replay`),()=>v({event_id:u.event_id}),u)}
    <${i} error=${h??x} />
  </section>`}export{u as Remote};