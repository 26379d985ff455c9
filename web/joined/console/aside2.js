
import{n as e,r as t,t as n}from"./figures.js";import{t as r}from"./queue.js";import{m as i}from"./overlay.js";import{T as a}from"./first.js";import{C as o,E as s,O as c,S as l,g as u,h as d,l as f,p,r as m,t as h,x as g}from"./common.js";import{i as _,n as v,r as y}from"./stop.js";const b=[`bits`,`subscriptions`,`messages`];function x({stream:e,children:t}){let{value:n,busy:r,error:i}=S();return c`<${w} overlay=${n} isMissing=${!n&&!r&&!i} />
    ${t}
    ${e&&c`<${E} from=${e.from} to=${e.to} />`}
    ${n&&c`<${D} overlay=${n} />`}`}function S(){let{client:e}=g(),t={limit:1,order:`asc`},n=h(async()=>(await e.page(`/overlays`,{query:t})).records[0]??null,`overlay`);return m(e=>e===`overlay.updated`,n.reload,0),n}function C(e){let{subscribe:t}=g(),n=s(null);n.current=i(e?.settings??{});let a=s(!1);a.current=e?.paused??!1;let[c,u]=l({now:null,waiting:[]});return o(()=>{let e=new r({settings:()=>n.current,saved:null}),i=null,o=null,s=()=>u({now:i,waiting:e.waiting}),c=()=>{clearTimeout(o),i=a.current?null:e.next(),i?(i.onEnd=c,i.onChange=s,o=setTimeout(c,e.duration(i))):(e.wait!==null||a.current)&&(o=setTimeout(c,Math.max(500,e.wait??0))),s()},l=t(t=>{e.add(t),i?s():c()});return()=>{clearTimeout(o),l()}},[]),c}function w({overlay:e,isMissing:t}){let{client:n,say:r}=g(),{now:i,waiting:o}=C(e),[s,u]=l(null),[m,h]=l(!1),{isStopped:b,toggle:x,error:S}=_(),w=!i&&o.length===0,T=e=>e.then(()=>u(null),u),E=({event:e,kind:t})=>{let[n,i]=a(e),o=n===`plain`?``:r(`event.${n}`,i);return`${i.name??``} ${t===`stamp`?r(`kind.stamp`):o}`},D=e=>T(n.post(`/alerts`,{control:`skip`,entry:e.ids[0]})),O=()=>T(n.post(`/alerts`,{control:`clear`})),k=(e,t)=>c`<li class=${e.kind}
    key=${e.ids[0]} aria-current=${t?`true`:void 0}>
    <${p} name=${e.kind} />${` `}
    <span dir="auto">${E(e)}</span>
    <${f} class="quiet" aria-label=${t?void 0:`${r(`queue.skip`)}: ${E(e)}`}
      onClick=${()=>D(e)}>${r(`queue.skip`)}<//>
  </li>`;return c`<section class="card">
    <div class="bar spread queue-head">
      <h2>${r(`queue.title`)}</h2>
      <div class="bar">
        ${!w&&c`<${f} onClick=${O}>${r(`queue.clear`)}<//>`}
        <${y} isStopped=${b} toggle=${x} />
      </div>
    </div>
    <ol class="queue" aria-live="polite">
      ${i&&k(i,!b)}
      ${o.slice(0,m?void 0:5).map(e=>k(e,!1))}
    </ol>
    ${o.length>5&&c`<button class="quiet" aria-expanded=${m}
      onClick=${()=>h(!m)}>
      ${m?r(`less`):r(`queue.more`,{many:o.length-5})}</button>`}
    ${w&&c`<p>${r(`queue.empty`)}</p>`}
    <div class="bar spread quiet queue-foot">
      <span>${e&&r(`queue.estimate`)}
        ${t&&c`${r(`queue.no_overlay`)} <a href="#/alerts">${r(`nav.alerts`)}</a>`}</span>
      <${v} />
    </div>
    <${d} error=${s??S} />
  </section>`}function T(e,t){let r=h(e,t,6e4);return m((e,t)=>n(t),r.reload,2e3),r}function E({from:t,to:n}){let{client:r,say:i,parameters:a,setParameters:o}=g(),s=b.includes(a.get(`board`))?a.get(`board`):b[0],[l,f]=[t,n].map(e=>e?Date.parse(e):void 0),{value:p,error:m,reload:h}=T(()=>e(r,{board:s,from:l,to:f,limit:5}),`${s} ${t} ${n}`);return c`<section class="card">
    <h2>${i(`top.title`)}</h2>
    <div class="bar" role="group" aria-label=${i(`top.title`)}>
      ${b.map(e=>c`<button aria-pressed=${e===s}
        onClick=${()=>o({board:e})}>${i(`board.${e}`)}</button>`)}
    </div>
    <${d} error=${m} onRetry=${h} />
    ${p?c`<ol class="top">${p.map(({value:e,user:t})=>c`<li key=${t.user_id}>
    <a class="name" dir="auto" href=${`#/viewers/${t.user_id}`}>${t.name}</a>${` `}
    <span class="amount">${i.number(e)}</span>
  </li>`)}</ol>
          ${p.length===0&&c`<p class="quiet">${i(`top.empty`)}</p>`}`:!m&&c`<${u} />`}
  </section>`}function D({overlay:e}){let{client:n,say:r}=g(),{goal:a}=i(e.settings??{}),{value:o}=T(()=>t(n,a),JSON.stringify(a));return c`<section class="card">
    <h2>${a.title||r(`goal.title`,{what:r(`goal.${a.of}`)})}</h2>
    <progress max=${a.target} value=${Math.min(o??0,a.target)}
      aria-label=${r(`goal.progress`)}></progress>
    <p class="amount">${o===null?`–`:r.number(o)} / ${r.number(a.target)}</p>
  </section>`}export{S as n,C as r,x as t};