
import{p as e}from"./forms.js";import{A as t,S as n,h as r,t as i}from"./common.js";import{t as a}from"./sources.js";import{t as o}from"./twitch.js";function s(){let{say:e}=n();return t`<section class="card" aria-label="Twitch">
    <${o} />
    <details><summary>${e(`twitch.events`)}</summary><${c} /></details>
  </section>`}function c(){let{client:o,say:s}=n(),{value:c,error:l,reload:u}=i(async()=>{let e=(await o.get(`/statistics`,{query:{from:/* @__PURE__ */ new Date(Date.now()-6048e5),by:`day`}})).flatMap(({sources:e})=>Object.entries(e));return a(e.filter(([e])=>e.startsWith(`twitch/`)),s)},`twitch ${s.lang}`,3e4),d=[s(`settings.kind`),{label:s(`twitch.count`),className:`amount`}];return t`${c?.length===0&&t`<p>${s(`twitch.none`)}</p>`}
    ${c?.length>0&&t`<${e} label=${s(`twitch.events`)} columns=${d}>
      ${c.map(([e,n])=>t`<tr key=${e}>
          <td>${e}</td><td class="amount">${s.number(n)}</td>
        </tr>`)}
    <//>`}
    <p class="quiet">${s(`twitch.check`)} <code>twitch check</code></p>
    <${r} error=${l} onRetry=${u} />`}export{s as TwitchSettings};