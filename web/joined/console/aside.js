
import{n as e,r as t,t as n}from"./figures.js";import{b as r,w as i,x as a,y as o}from"./first.js";import{c as s,o as c,s as l}from"./settings.js";import{B as u,D as d,G as f,N as p,P as m,R as h,U as g,g as _,j as v,z as y}from"./common.js";import{t as b}from"./stop-key.js";import{n as x,t as S}from"./stop.js";const[C,w]=[640,420];function T(e,t){return`M62 ${e}${Array.from({length:Math.floor(t/13)},(t,n)=>{let r=7+9*Math.abs(Math.sin(n*2.3+e));return(n+e)%6==5?`m13 0`:`c3 ${-r} 10 ${-r} 7 ${-r/3}s-6 ${r/3} 6 ${r/3}`}).join(``)}`}function E(){let e=C/40,t=[`#c8414b`,`#4a66ad`],n=Array.from({length:e+1},(e,t)=>t*40-10),r=(e,n,r)=>`<path d="M${e} ${n+14}l12-14h20l-12 14Z" fill="${t[r%2]}"/>`;return n.map((e,t)=>r(e,0,t)+r(e,w-14,t)).join(``)}const D=`<svg xmlns="http://www.w3.org/2000/svg" width="${C}" height="${w}"
  viewBox="0 0 ${C} ${w}">
<defs>
<linearGradient id="p" x2="1" y2="1">
<stop stop-color="#fffaf0"/><stop offset="1" stop-color="#f4e6c9"/></linearGradient>
<linearGradient id="s" x2="0" y2="1">
<stop stop-color="#ffd9a8"/><stop offset="1" stop-color="#ff9d94"/></linearGradient>
</defs>
<rect width="${C}" height="${w}" fill="url(#p)"/>
${E()}
<g fill="none" stroke="#3b4a7a" stroke-width="3" stroke-linecap="round" stroke-linejoin="round">
<path d="M64 96V52m0 24c8-10 20-8 20 3v17m14-24v24m0-36v1m14-12v32m0 14v1" stroke-width="5"/>
<path d="${T(150,270)}"/><path d="${T(196,250)}"/><path d="${T(242,280)}"/>
<path d="${T(288,190)}"/><path d="${T(344,120)}" stroke-width="4"/>
</g>
<g transform="rotate(3 480 150)">
<rect x="378" y="54" width="214" height="178" fill="#fff" stroke="#d9c7a3" stroke-width="2"/>
<rect x="390" y="66" width="190" height="142" fill="url(#s)"/>
<circle cx="530" cy="118" r="25" fill="#fff3c4"/>
<path d="M390 176c32-50 62-48 90-10 26-38 66-34 100 4v38H390Z" fill="#6f7fc4"/>
<path d="M390 194c50-30 120-28 190-4v18H390Z" fill="#4a8a6a"/>
<path d="M436 186v-26h34v26Zm-5-25 22-18 22 18Z" fill="#fff7e6" stroke="#7a4a3a" stroke-width="3"/>
</g>
</svg>`,O={document_data:`data:image/svg+xml,${encodeURIComponent(D)}`,seal:1,metadata:null,stamps:[{stamp_type:`star`,pos_x:352,pos_y:292,rotation:-.3},{stamp_type:`paw`,pos_x:426,pos_y:318,rotation:.15},{stamp_type:`heart`,pos_x:340,pos_y:372,rotation:.25}]},k=e=>e.details?.sample===`letter`?{...e,document:O}:e,A=6e4,j=[`plain`,`notice`,`stamp`,`follow`,`redemption`,`purchase`],M=[`alert.replayed`,`alert.tested`],N=[`event.created`,`stamp.created`,`purchase.created`],P=e=>a(e)===`gift`&&!e.reference,F=e=>e.event_type===`subscriber`&&e.details?.is_gift===!0&&!e.reference;function I({kind:e,event:t,recipients:n}){return e===`gift`?Math.max(t.details?.total??0,n.size):o(t)}var L=class{#e=[];#t=null;#n=null;#r;#i;#a;#o;#s;constructor({settings:e,saved:t,now:n=Date.now}){let r=typeof t==`number`?{last:t,waiting:[],groups:[]}:t;this.#r=r?.last??null,this.#i=r?.groups??[],this.#a={last:this.#r??0,waiting:new Set(r?.waiting??[])},this.#o=e,this.#s=n}get after(){let e=Math.min(...this.#a.waiting);return Number.isFinite(e)?e-1:this.#r}get state(){let e=[...this.#e.flatMap(e=>e.ids),...this.#a.waiting];return{last:this.#r,waiting:e,groups:this.#i}}start(e){this.#r=e,this.#a={last:e,waiting:/* @__PURE__ */ new Set}}add(e){let t=Number(e.id),n=t>this.#a.last||this.#a.waiting.delete(t);this.#r=Math.max(this.#r??0,t),e.type===`event.deleted`&&this.#f(e.subject),e.type===`event.updated`&&e.data&&this.#d(e),e.type===`purchase.updated`&&e.data?.status===`refunded`&&this.#f(e.subject),e.type===`alert.skipped`&&this.#p(({ids:t})=>t.includes(e.data?.entry)),e.type===`alert.cleared`&&this.#p(({ids:e})=>e[0]<t);let r=M.includes(e.type);n&&e.data&&(r||N.includes(e.type))&&this.#c(e,t,r)}next(){this.#t=null;let e=this.#s(),{delay:t}=this.#o();this.#e=this.#e.filter(t=>this.#u(t,e));let n=this.#e.filter(e=>j.includes(e.kind)&&!e.isManual),r=new Set(n.slice(0,Math.max(0,n.length-30)));this.#e=this.#e.filter(e=>!r.has(e));let i=this.#e.filter(n=>n.isManual||n.time+t<=e),a=i.find(e=>e.kind===`raid`)??i[0]??null;if(a){this.#e.splice(this.#e.indexOf(a),1),this.#t=a;let{group:e}=a;e&&(this.#i=[...this.#i.filter(t=>t!==e),e].slice(-100))}return a}interrupt(){let e=this.#t;e&&(this.#t=null,this.#e.unshift(e),e.onEnd?.())}get wait(){let{delay:e}=this.#o(),t=this.#e.map(t=>t.time+e-this.#s());return t.length>0?Math.max(0,Math.min(...t)):null}get waiting(){let e=this.#e.filter(e=>this.#u(e,this.#s()));return[...e.filter(({kind:e})=>e===`raid`),...e.filter(({kind:e})=>e!==`raid`)]}duration(e){let t=this.#o(),n=c(t,l(t,e),I(e)).duration??t.duration;return this.#e.length>5?Math.min(n,3e3):n}#c(e,t,n){let{subject:r}=e,i=n?k(e.data.purchase??e.data):e.data,o=Date.parse(e.time),s=n?null:this.#l(e,t,o),c=s!==null&&i.event_type===`subscriber`,l=s&&[this.#t,...this.#e].find(e=>e?.group===s),u=s?`gift`:a(i),d=l||{ids:[],subject:r,kind:u,event:i,isManual:n,time:o,group:s,recipients:/* @__PURE__ */ new Map};if(d.ids.push(t),c?d.recipients.set(r,i.user_name):s&&Object.assign(d,{subject:r,event:i}),l)return l.onChange?.();this.#s()-o<(n?A:this.#o().maxAge)&&!this.#i.includes(s??``)&&this.#e.push(d)}#l({data:e},t,n){let i=this.#n;return P(e)?(this.#n={group:`gift ${t}`,remaining:e.details.total,until:n+6e4},this.#n.group):F(e)&&i&&i.remaining>0&&n<=i.until?(--i.remaining,i.group):r(e)}#u(e,t){let{alerts:n,documents:r,maxAge:i}=this.#o(),a=n[e.kind]??n.plain,o=I(e)>=a.minimum,s=a.enabled&&o||r&&!!e.event.document,c=e.isManual?A:j.includes(e.kind)?i:1/0;return s&&t-e.time<c}#d({subject:e,data:t}){for(let n of[this.#t,...this.#e])n!==null&&n.subject===e&&(n.event=t,n.onChange?.())}#f(e){for(let t of[this.#t,...this.#e])t?.recipients.delete(e)&&t.onChange?.();this.#p(t=>t.subject===e)}#p(e){this.#e=this.#e.filter(t=>!e(t)),this.#t&&e(this.#t)&&this.#t.onEnd?.()}};const R=[`bits`,`subscriptions`,`messages`];function z({stream:e,children:t}){let{value:n,busy:r,error:i}=B();return f`<${H} overlay=${n} isMissing=${!n&&!r&&!i} />
    ${t}
    ${e&&f`<${W} from=${e.from} to=${e.to} />`}
    ${n&&f`<${G} overlay=${n} />`}`}function B(){let{client:e,subscribe:t}=h(),n={limit:1,order:`asc`},r=_(async()=>(await e.page(`/overlays`,{query:n})).records[0]??null,`overlay`);return u(()=>t(({type:e})=>e===`overlay.updated`&&r.reload()),[]),r}function V(e){let{subscribe:t}=h(),n=g(null);n.current=s(e?.settings??{});let r=g(!1);r.current=e?.paused??!1;let[i,a]=y({now:null,waiting:[]});return u(()=>{let e=new L({settings:()=>n.current,saved:null}),i=null,o=null,s=()=>a({now:i,waiting:e.waiting}),c=()=>{clearTimeout(o),i=r.current?null:e.next(),i?(i.onEnd=c,i.onChange=s,o=setTimeout(c,e.duration(i))):(e.wait!==null||r.current)&&(o=setTimeout(c,Math.max(500,e.wait??0))),s()},l=t(t=>{e.add(t),i?s():c()});return()=>{clearTimeout(o),l()}},[]),i}function H({overlay:e,isMissing:t}){let{client:n,say:r}=h(),{now:a,waiting:o}=V(e),[s,c]=y(null),[l,u]=y(!1),{isStopped:m,toggle:g,error:_}=x(),C=!a&&o.length===0,w=e=>e.then(()=>c(null),c),T=({event:e,kind:t})=>{let[n,a]=i(e),o=n===`plain`?``:r(`event.${n}`,a);return`${a.name??``} ${t===`stamp`?r(`kind.stamp`):o}`},E=e=>w(n.post(`/alerts`,{control:`skip`,entry:e.ids[0]})),D=()=>w(n.post(`/alerts`,{control:`clear`})),O=(e,t)=>f`<li class=${e.kind}
    key=${e.ids[0]} aria-current=${t?`true`:void 0}>
    <${v} name=${e.kind} />${` `}
    <span dir="auto">${T(e)}</span>
    <${d} class="quiet" aria-label=${t?void 0:`${r(`queue.skip`)}: ${T(e)}`}
      onClick=${()=>E(e)}>${r(`queue.skip`)}<//>
  </li>`;return f`<section class="card">
    <div class="bar spread queue-head">
      <h2>${r(`queue.title`)}</h2>
      <div class="bar">
        ${!C&&f`<${d} onClick=${D}>${r(`queue.clear`)}<//>`}
        <${S} isStopped=${m} toggle=${g} />
      </div>
    </div>
    <ol class="queue" aria-live="polite">
      ${a&&O(a,!m)}
      ${o.slice(0,l?void 0:5).map(e=>O(e,!1))}
    </ol>
    ${o.length>5&&f`<button class="quiet" aria-expanded=${l}
      onClick=${()=>u(!l)}>
      ${l?r(`less`):r(`queue.more`,{many:o.length-5})}</button>`}
    ${C&&f`<p>${r(`queue.empty`)}</p>`}
    <div class="bar spread quiet queue-foot">
      <span>${e&&r(`queue.estimate`)}
        ${t&&f`${r(`queue.no_overlay`)} <a href="#/alerts">${r(`nav.alerts`)}</a>`}</span>
      <${b} />
    </div>
    <${p} error=${s??_} />
  </section>`}function U(e,t){let{subscribe:r}=h(),i=_(e,t,6e4);return u(()=>{let e,t=()=>{e=void 0,i.reload()},a=r(r=>{n(r)&&(e??=setTimeout(t,2e3))});return()=>{clearTimeout(e),a()}},[]),i}function W({from:t,to:n}){let{client:r,say:i,parameters:a,setParameters:o}=h(),s=R.includes(a.get(`board`))?a.get(`board`):R[0],[c,l]=[t,n].map(e=>e?Date.parse(e):void 0),{value:u,error:d,reload:g}=U(()=>e(r,{board:s,from:c,to:l,limit:5}),`${s} ${t} ${n}`);return f`<section class="card">
    <h2>${i(`top.title`)}</h2>
    <div class="bar" role="group" aria-label=${i(`top.title`)}>
      ${R.map(e=>f`<button aria-pressed=${e===s}
        onClick=${()=>o({board:e})}>${i(`board.${e}`)}</button>`)}
    </div>
    <${p} error=${d} onRetry=${g} />
    ${u?f`<ol class="top">${u.map(({value:e,user:t})=>f`<li key=${t.user_id}>
    <a class="name" dir="auto" href=${`#/viewers/${t.user_id}`}>${t.name}</a>${` `}
    <span class="amount">${i.number(e)}</span>
  </li>`)}</ol>
          ${u.length===0&&f`<p class="quiet">${i(`top.empty`)}</p>`}`:!d&&f`<${m} />`}
  </section>`}function G({overlay:e}){let{client:n,say:r}=h(),{goal:i}=s(e.settings??{}),{value:a}=U(()=>t(n,i),JSON.stringify(i));return f`<section class="card">
    <h2>${i.title||r(`goal.title`,{what:r(`goal.${i.of}`)})}</h2>
    <progress max=${i.target} value=${Math.min(a??0,i.target)}
      aria-label=${r(`goal.progress`)}></progress>
    <p class="amount">${a===null?`–`:r.number(a)} / ${r.number(i.target)}</p>
  </section>`}export{B as n,V as r,z as t};