
import{p as e}from"./forms.js";import{S as t,h as n,k as r,t as i}from"./common.js";import{t as a}from"./sources.js";import{t as o}from"./twitch.js";function s(){let{say:e}=t();return r`<section class="card" aria-label="Twitch">
    <${o} />
    <details><summary>${e(`twitch.events`)}</summary><${c} /></details>
  </section>`}function c(){let{client:o,say:s}=t(),{value:c,error:l,reload:u}=i(async()=>{let e=(await o.get(`/statistics`,{query:{from:/* @__PURE__ */ new Date(Date.now()-6048e5),by:`day`}})).flatMap(({sources:e})=>Object.entries(e));return a(e.filter(([e])=>e.startsWith(`twitch/`)),s)},`twitch ${s.lang}`,3e4),d=[s(`settings.kind`),{label:s(`twitch.count`),className:`amount`}];return r`${c?.length===0&&r`<p>${s(`twitch.none`)}</p>`}
    ${c?.length>0&&r`<${e} label=${s(`twitch.events`)} columns=${d}>
      ${c.map(([e,t])=>r`<tr key=${e}>
          <td>${e}</td><td class="amount">${s.number(t)}</td>
        </tr>`)}
    <//>`}
    <p class="quiet">${s(`twitch.check`)} <code>twitch check</code></p>
    <${n} error=${l} onRetry=${u} />`}export{s as TwitchSettings};