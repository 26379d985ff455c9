
import{n as e,r as t,t as n}from"./figures.js";import{t as r}from"./queue.js";import{c as i}from"./settings.js";import{T as a}from"./first.js";import{F as o,H as s,L as c,R as l,U as u,W as d,Y as f,g as p,j as m,q as h}from"./common.js";import{t as g}from"./stop-key.js";import{n as _,t as v}from"./stop.js";const y=[`bits`,`subscriptions`,`messages`];function b({stream:e,children:t}){let{value:n,busy:r,error:i}=x();return f`<${C} overlay=${n} isMissing=${!n&&!r&&!i} />
    ${t}
    ${e&&f`<${T} from=${e.from} to=${e.to} />`}
    ${n&&f`<${E} overlay=${n} />`}`}function x(){let{client:e,subscribe:t}=s(),n={limit:1,order:`asc`},r=p(async()=>(await e.page(`/overlays`,{query:n})).records[0]??null,`overlay`);return d(()=>t(({type:e})=>e===`overlay.updated`&&r.reload()),[]),r}function S(e){let{subscribe:t}=s(),n=h(null);n.current=i(e?.settings??{});let a=h(!1);a.current=e?.paused??!1;let[o,c]=u({now:null,waiting:[]});return d(()=>{let e=new r({settings:()=>n.current,saved:null}),i=null,o=null,s=()=>c({now:i,waiting:e.waiting}),l=()=>{clearTimeout(o),i=a.current?null:e.next(),i?(i.onEnd=l,i.onChange=s,o=setTimeout(l,e.duration(i))):(e.wait!==null||a.current)&&(o=setTimeout(l,Math.max(500,e.wait??0))),s()},u=t(t=>{e.add(t),i?s():l()});return()=>{clearTimeout(o),u()}},[]),o}function C({overlay:e,isMissing:t}){let{client:n,say:r}=s(),{now:i,waiting:l}=S(e),[d,p]=u(null),[h,y]=u(!1),{isStopped:b,toggle:x,error:C}=_(),w=!i&&l.length===0,T=e=>e.then(()=>p(null),p),E=({event:e,kind:t})=>{let[n,i]=a(e),o=n===`plain`?``:r(`event.${n}`,i);return`${i.name??``} ${t===`stamp`?r(`kind.stamp`):o}`},D=e=>T(n.post(`/alerts`,{control:`skip`,entry:e.ids[0]})),O=()=>T(n.post(`/alerts`,{control:`clear`})),k=(e,t)=>f`<li class=${e.kind}
    key=${e.ids[0]} aria-current=${t?`true`:void 0}>
    <${o} name=${e.kind} />${` `}
    <span dir="auto">${E(e)}</span>
    <${m} class="quiet" aria-label=${t?void 0:`${r(`queue.skip`)}: ${E(e)}`}
      onClick=${()=>D(e)}>${r(`queue.skip`)}<//>
  </li>`;return f`<section class="card">
    <div class="bar spread queue-head">
      <h2>${r(`queue.title`)}</h2>
      <div class="bar">
        ${!w&&f`<${m} onClick=${O}>${r(`queue.clear`)}<//>`}
        <${v} isStopped=${b} toggle=${x} />
      </div>
    </div>
    <ol class="queue" aria-live="polite">
      ${i&&k(i,!b)}
      ${l.slice(0,h?void 0:5).map(e=>k(e,!1))}
    </ol>
    ${l.length>5&&f`<button class="quiet" aria-expanded=${h}
      onClick=${()=>y(!h)}>
      ${h?r(`less`):r(`queue.more`,{many:l.length-5})}</button>`}
    ${w&&f`<p>${r(`queue.empty`)}</p>`}
    <div class="bar spread quiet queue-foot">
      <span>${e&&r(`queue.estimate`)}
        ${t&&f`${r(`queue.no_overlay`)} <a href="#/alerts">${r(`nav.alerts`)}</a>`}</span>
      <${g} />
    </div>
    <${c} error=${d??C} />
  </section>`}function w(e,t){let{subscribe:r}=s(),i=p(e,t,6e4);return d(()=>{let e,t=()=>{e=void 0,i.reload()},a=r(r=>{n(r)&&(e??=setTimeout(t,2e3))});return()=>{clearTimeout(e),a()}},[]),i}function T({from:t,to:n}){let{client:r,say:i,parameters:a,setParameters:o}=s(),u=y.includes(a.get(`board`))?a.get(`board`):y[0],[d,p]=[t,n].map(e=>e?Date.parse(e):void 0),{value:m,error:h,reload:g}=w(()=>e(r,{board:u,from:d,to:p,limit:5}),`${u} ${t} ${n}`);return f`<section class="card">
    <h2>${i(`top.title`)}</h2>
    <div class="bar" role="group" aria-label=${i(`top.title`)}>
      ${y.map(e=>f`<button aria-pressed=${e===u}
        onClick=${()=>o({board:e})}>${i(`board.${e}`)}</button>`)}
    </div>
    <${c} error=${h} onRetry=${g} />
    ${m?f`<ol class="top">${m.map(({value:e,user:t})=>f`<li key=${t.user_id}>
    <a class="name" dir="auto" href=${`#/viewers/${t.user_id}`}>${t.name}</a>${` `}
    <span class="amount">${i.number(e)}</span>
  </li>`)}</ol>
          ${m.length===0&&f`<p class="quiet">${i(`top.empty`)}</p>`}`:!h&&f`<${l} />`}
  </section>`}function E({overlay:e}){let{client:n,say:r}=s(),{goal:a}=i(e.settings??{}),{value:o}=w(()=>t(n,a),JSON.stringify(a));return f`<section class="card">
    <h2>${a.title||r(`goal.title`,{what:r(`goal.${a.of}`)})}</h2>
    <progress max=${a.target} value=${Math.min(o??0,a.target)}
      aria-label=${r(`goal.progress`)}></progress>
    <p class="amount">${o===null?`–`:r.number(o)} / ${r.number(a.target)}</p>
  </section>`}export{x as n,S as r,b as t};