
import{n as e,r as t,t as n}from"./figures.js";import{$ as r,E as i,J as a,L as o,U as s,V as c,W as l,X as u,Y as d,_ as f,h as p,tt as m,v as h,x as g}from"./common.js";import{c as _,o as v,s as y}from"./settings.js";import{t as b}from"./stop-key.js";import{n as x,t as S}from"./stop.js";const[C,w]=[640,420];function T(e,t){return`M62 ${e}${Array.from({length:Math.floor(t/13)},(t,n)=>{let r=7+9*Math.abs(Math.sin(n*2.3+e));return(n+e)%6==5?`m13 0`:`c3 ${-r} 10 ${-r} 7 ${-r/3}s-6 ${r/3} 6 ${r/3}`}).join(``)}`}function E(){let e=C/40,t=[`#c8414b`,`#4a66ad`],n=Array.from({length:e+1},(e,t)=>t*40-10),r=(e,n,r)=>`<path d="M${e} ${n+14}l12-14h20l-12 14Z" fill="${t[r%2]}"/>`;return n.map((e,t)=>r(e,0,t)+r(e,w-14,t)).join(``)}const D=`<svg xmlns="http://www.w3.org/2000/svg" width="${C}" height="${w}"
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
</svg>`,O={document_data:`data:image/svg+xml,${encodeURIComponent(D)}`,seal:1,metadata:null,stamps:[{stamp_type:`star`,pos_x:352,pos_y:292,rotation:-.3},{stamp_type:`paw`,pos_x:426,pos_y:318,rotation:.15},{stamp_type:`heart`,pos_x:340,pos_y:372,rotation:.25}]},k=e=>e.details?.sample===`letter`?{...e,document:O}:e,A=6e4,j=[`plain`,`notice`,`stamp`,`follow`,`redemption`,`purchase`],M=[`alert.replayed`,`alert.tested`],N=[`event.created`,`stamp.created`,`purchase.created`],P=e=>h(e)===`gift`&&!e.reference,F=e=>e.event_type===`subscriber`&&e.details?.is_gift===!0&&!e.reference;function I({kind:e,event:t,recipients:n}){return e===`gift`?Math.max(t.details?.total??0,n.size):p(t)}var L=class{#e=[];#t=null;#n=null;#r;#i;#a;#o;#s;constructor({settings:e,saved:t,now:n=Date.now}){let r=typeof t==`number`?{last:t,waiting:[],groups:[]}:t;this.#r=r?.last??null,this.#i=r?.groups??[],this.#a={last:this.#r??0,waiting:new Set(r?.waiting??[])},this.#o=e,this.#s=n}get after(){let e=Math.min(...this.#a.waiting);return Number.isFinite(e)?e-1:this.#r}get state(){let e=[...this.#e.flatMap(e=>e.ids),...this.#a.waiting];return{last:this.#r,waiting:e,groups:this.#i}}start(e){this.#r=e,this.#a={last:e,waiting:/* @__PURE__ */ new Set}}add(e){let t=Number(e.id),n=t>this.#a.last||this.#a.waiting.delete(t);this.#r=Math.max(this.#r??0,t),e.type===`event.deleted`&&this.#f(e.subject),e.type===`event.updated`&&e.data&&this.#d(e),e.type===`purchase.updated`&&e.data?.status===`refunded`&&this.#f(e.subject),e.type===`alert.skipped`&&this.#p(({ids:t})=>t.includes(e.data?.entry)),e.type===`alert.cleared`&&this.#p(({ids:e})=>e[0]<t);let r=M.includes(e.type);n&&e.data&&(r||N.includes(e.type))&&this.#c(e,t,r)}next(){this.#t=null;let e=this.#s(),{delay:t}=this.#o();this.#e=this.#e.filter(t=>this.#u(t,e));let n=this.#e.filter(e=>j.includes(e.kind)&&!e.isManual),r=new Set(n.slice(0,Math.max(0,n.length-30)));this.#e=this.#e.filter(e=>!r.has(e));let i=this.#e.filter(n=>n.isManual||n.time+t<=e),a=i.find(e=>e.kind===`raid`)??i[0]??null;if(a){this.#e.splice(this.#e.indexOf(a),1),this.#t=a;let{group:e}=a;e&&(this.#i=[...this.#i.filter(t=>t!==e),e].slice(-100))}return a}interrupt(){let e=this.#t;e&&(this.#t=null,this.#e.unshift(e),e.onEnd?.())}get wait(){let{delay:e}=this.#o(),t=this.#e.map(t=>t.time+e-this.#s());return t.length>0?Math.max(0,Math.min(...t)):null}get waiting(){let e=this.#e.filter(e=>this.#u(e,this.#s()));return[...e.filter(({kind:e})=>e===`raid`),...e.filter(({kind:e})=>e!==`raid`)]}duration(e){let t=this.#o(),n=v(t,y(t,e),I(e)).duration??t.duration;return this.#e.length>5?Math.min(n,3e3):n}#c(e,t,n){let{subject:r}=e,i=n?k(e.data.purchase??e.data):e.data,a=Date.parse(e.time),o=n?null:this.#l(e,t,a),s=o!==null&&i.event_type===`subscriber`,c=o&&[this.#t,...this.#e].find(e=>e?.group===o),l=o?`gift`:h(i),u=c||{ids:[],subject:r,kind:l,event:i,isManual:n,time:a,group:o,recipients:/* @__PURE__ */ new Map};if(u.ids.push(t),s?u.recipients.set(r,i.user_name):o&&Object.assign(u,{subject:r,event:i}),c)return c.onChange?.();this.#s()-a<(n?A:this.#o().maxAge)&&!this.#i.includes(o??``)&&this.#e.push(u)}#l({data:e},t,n){let r=this.#n;return P(e)?(this.#n={group:`gift ${t}`,remaining:e.details.total,until:n+6e4},this.#n.group):F(e)&&r&&r.remaining>0&&n<=r.until?(--r.remaining,r.group):f(e)}#u(e,t){let{alerts:n,documents:r,maxAge:i}=this.#o(),a=n[e.kind]??n.plain,o=I(e)>=a.minimum,s=a.enabled&&o||r&&!!e.event.document,c=e.isManual?A:j.includes(e.kind)?i:1/0;return s&&t-e.time<c}#d({subject:e,data:t}){for(let n of[this.#t,...this.#e])n!==null&&n.subject===e&&(n.event=t,n.onChange?.())}#f(e){for(let t of[this.#t,...this.#e])t?.recipients.delete(e)&&t.onChange?.();this.#p(t=>t.subject===e)}#p(e){this.#e=this.#e.filter(t=>!e(t)),this.#t&&e(this.#t)&&this.#t.onEnd?.()}};const R=[`bits`,`subscriptions`,`messages`];function z({stream:e,children:t}){let{value:n,busy:r,error:i}=B();return m`<${H} overlay=${n} isMissing=${!n&&!r&&!i} />
    ${t}
    ${e&&m`<${W} from=${e.from} to=${e.to} />`}
    ${n&&m`<${G} overlay=${n} />`}`}function B(){let{client:e,subscribe:t}=a(),n={limit:1,order:`asc`},r=i(async()=>(await e.page(`/overlays`,{query:n})).records[0]??null,`overlay`);return u(()=>t(({type:e})=>e===`overlay.updated`&&r.reload()),[]),r}function V(e){let{subscribe:t}=a(),n=r(null);n.current=_(e?.settings??{});let i=r(!1);i.current=e?.paused??!1;let[o,s]=d({now:null,waiting:[]});return u(()=>{let e=new L({settings:()=>n.current,saved:null}),r=null,a=null,o=()=>s({now:r,waiting:e.waiting}),c=()=>{clearTimeout(a),r=i.current?null:e.next(),r?(r.onEnd=c,r.onChange=o,a=setTimeout(c,e.duration(r))):(e.wait!==null||i.current)&&(a=setTimeout(c,Math.max(500,e.wait??0))),o()},l=t(t=>{e.add(t),r?o():c()});return()=>{clearTimeout(a),l()}},[]),o}function H({overlay:e,isMissing:t}){let{client:n,say:r}=a(),{now:i,waiting:l}=V(e),[u,f]=d(null),[p,h]=d(!1),{isStopped:_,toggle:v,error:y}=x(),C=!i&&l.length===0,w=e=>e.then(()=>f(null),f),T=({event:e,kind:t})=>{let[n,i]=g(e),a=n===`plain`?``:r(`event.${n}`,i);return`${i.name??``} ${t===`stamp`?r(`kind.stamp`):a}`},E=e=>w(n.post(`/alerts`,{control:`skip`,entry:e.ids[0]})),D=()=>w(n.post(`/alerts`,{control:`clear`})),O=(e,t)=>m`<li class=${e.kind}
    key=${e.ids[0]} aria-current=${t?`true`:void 0}>
    <${c} name=${e.kind} />${` `}
    <span dir="auto">${T(e)}</span>
    <${o} class="quiet" aria-label=${t?void 0:`${r(`queue.skip`)}: ${T(e)}`}
      onClick=${()=>E(e)}>${r(`queue.skip`)}<//>
  </li>`;return m`<section class="card">
    <div class="bar spread queue-head">
      <h2>${r(`queue.title`)}</h2>
      <div class="bar">
        ${!C&&m`<${o} onClick=${D}>${r(`queue.clear`)}<//>`}
        <${S} isStopped=${_} toggle=${v} />
      </div>
    </div>
    <ol class="queue" aria-live="polite">
      ${i&&O(i,!_)}
      ${l.slice(0,p?void 0:5).map(e=>O(e,!1))}
    </ol>
    ${l.length>5&&m`<button class="quiet" aria-expanded=${p}
      onClick=${()=>h(!p)}>
      ${p?r(`less`):r(`queue.more`,{many:l.length-5})}</button>`}
    ${C&&m`<p>${r(`queue.empty`)}</p>`}
    <div class="bar spread quiet queue-foot">
      <span>${e&&r(`queue.estimate`)}
        ${t&&m`${r(`queue.no_overlay`)} <a href="#/alerts">${r(`nav.alerts`)}</a>`}</span>
      <${b} />
    </div>
    <${s} error=${u??y} />
  </section>`}function U(e,t){let{subscribe:r}=a(),o=i(e,t,6e4);return u(()=>{let e,t=()=>{e=void 0,o.reload()},i=r(r=>{n(r)&&(e??=setTimeout(t,2e3))});return()=>{clearTimeout(e),i()}},[]),o}function W({from:t,to:n}){let{client:r,say:i,parameters:o,setParameters:c}=a(),u=R.includes(o.get(`board`))?o.get(`board`):R[0],[d,f]=[t,n].map(e=>e?Date.parse(e):void 0),{value:p,error:h,reload:g}=U(()=>e(r,{board:u,from:d,to:f,limit:5}),`${u} ${t} ${n}`);return m`<section class="card">
    <h2>${i(`top.title`)}</h2>
    <div class="bar" role="group" aria-label=${i(`top.title`)}>
      ${R.map(e=>m`<button aria-pressed=${e===u}
        onClick=${()=>c({board:e})}>${i(`board.${e}`)}</button>`)}
    </div>
    <${s} error=${h} onRetry=${g} />
    ${p?m`<ol class="top">${p.map(({value:e,user:t})=>m`<li key=${t.user_id}>
    <a class="name" dir="auto" href=${`#/viewers/${t.user_id}`}>${t.name}</a>${` `}
    <span class="amount">${i.number(e)}</span>
  </li>`)}</ol>
          ${p.length===0&&m`<p class="quiet">${i(`top.empty`)}</p>`}`:!h&&m`<${l} />`}
  </section>`}function G({overlay:e}){let{client:n,say:r}=a(),{goal:i}=_(e.settings??{}),{value:o}=U(()=>t(n,i),JSON.stringify(i));return m`<section class="card">
    <h2>${i.title||r(`goal.title`,{what:r(`goal.${i.of}`)})}</h2>
    <progress max=${i.target} value=${Math.min(o??0,i.target)}
      aria-label=${r(`goal.progress`)}></progress>
    <p class="amount">${o===null?`–`:r.number(o)} / ${r.number(i.target)}</p>
  </section>`}export{B as n,V as r,z as t};