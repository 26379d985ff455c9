
import{O as e,t,x as n}from"./common.js";const r=3e4;function i(e,t){let n=null,i=`[]`,a=async()=>{let{gaps:o}=await e.get(`/connections/twitch`).catch(()=>({gaps:null}));n!==void 0&&(o&&JSON.stringify(o)!==i&&t(o),i=o?JSON.stringify(o):i,n=setTimeout(a,r))};return a(),()=>{clearTimeout(n),n=void 0}}function a({from:e,to:t},n,r){let i=e=>new Intl.DateTimeFormat(n.lang,{timeStyle:`short`}).format(new Date(e)),a=n.date(e)===n.date(t);return n(`gap`,{from:r||!a?n.time(e):i(e),to:a?i(t):n.time(t)})}function o({gaps:t,above:r,below:i}){let{say:o}=n(),s=e=>Date.parse(e.occurred_at);return t.filter(({from:e})=>Date.parse(e)>=s(i)&&(!r||Date.parse(e)<s(r))).map(t=>e`<div class="gap" role="listitem" key=${t.from}>${a(t,o,!1)}</div>`)}function s({from:i,to:o}){let{client:s,say:c}=n(),{value:l}=t(()=>s.get(`/connections/twitch`),`gaps`,r),u=(l?.gaps??[]).filter(e=>Date.parse(e.to)>i.getTime()&&Date.parse(e.from)<o.getTime());if(u.length===0)return null;let d=t=>e`<ul>${t.map(t=>e`<li key=${t.from}>${a(t,c,!0)}</li>`)}</ul>`;return e`<section class="card gaps" aria-label=${c(`gaps.title`)}>
    <h2>${c(`gaps.title`)}</h2>
    <p class="quiet">${c(`gaps.why`)}</p>
    ${d(u.slice(0,5))}
    ${u.length>5&&e`<details><summary>${c(`gaps.more`,{many:u.length-5})}</summary>
      ${d(u.slice(5))}</details>`}
  </section>`}export{a as i,s as n,i as r,o as t};