
import{n as e,r as t,t as n}from"./figures.js";import{D as r,E as i,T as a}from"./overlay.js";import{C as o,E as s,S as c,x as l}from"./first.js";import{A as u,O as d,S as f,T as p,g as m,h,l as g,p as _,r as v,t as y,w as b}from"./common.js";import{i as x,r as S,t as C}from"./stop.js";import{t as w}from"./ranks.js";const[T,E]=[640,420];function D(e,t){return`M62 ${e}${Array.from({length:Math.floor(t/13)},(t,n)=>{let r=7+9*Math.abs(Math.sin(n*2.3+e));return(n+e)%6==5?`m13 0`:`c3 ${-r} 10 ${-r} 7 ${-r/3}s-6 ${r/3} 6 ${r/3}`}).join(``)}`}function O(){let e=T/40,t=[`#c8414b`,`#4a66ad`],n=Array.from({length:e+1},(e,t)=>t*40-10),r=(e,n,r)=>`<path d="M${e} ${n+14}l12-14h20l-12 14Z" fill="${t[r%2]}"/>`;return n.map((e,t)=>r(e,0,t)+r(e,E-14,t)).join(``)}const k=`<svg xmlns="http://www.w3.org/2000/svg" width="${T}" height="${E}"
  viewBox="0 0 ${T} ${E}">
<defs>
<linearGradient id="p" x2="1" y2="1">
<stop stop-color="#fffaf0"/><stop offset="1" stop-color="#f4e6c9"/></linearGradient>
<linearGradient id="s" x2="0" y2="1">
<stop stop-color="#ffd9a8"/><stop offset="1" stop-color="#ff9d94"/></linearGradient>
</defs>
<rect width="${T}" height="${E}" fill="url(#p)"/>
${O()}
<g fill="none" stroke="#3b4a7a" stroke-width="3" stroke-linecap="round" stroke-linejoin="round">
<path d="M64 96V52m0 24c8-10 20-8 20 3v17m14-24v24m0-36v1m14-12v32m0 14v1" stroke-width="5"/>
<path d="${D(150,270)}"/><path d="${D(196,250)}"/><path d="${D(242,280)}"/>
<path d="${D(288,190)}"/><path d="${D(344,120)}" stroke-width="4"/>
</g>
<g transform="rotate(3 480 150)">
<rect x="378" y="54" width="214" height="178" fill="#fff" stroke="#d9c7a3" stroke-width="2"/>
<rect x="390" y="66" width="190" height="142" fill="url(#s)"/>
<circle cx="530" cy="118" r="25" fill="#fff3c4"/>
<path d="M390 176c32-50 62-48 90-10 26-38 66-34 100 4v38H390Z" fill="#6f7fc4"/>
<path d="M390 194c50-30 120-28 190-4v18H390Z" fill="#4a8a6a"/>
<path d="M436 186v-26h34v26Zm-5-25 22-18 22 18Z" fill="#fff7e6" stroke="#7a4a3a" stroke-width="3"/>
</g>
</svg>`,A={document_data:`data:image/svg+xml,${encodeURIComponent(k)}`,seal:1,metadata:null,stamps:[{stamp_type:`star`,pos_x:352,pos_y:292,rotation:-.3},{stamp_type:`paw`,pos_x:426,pos_y:318,rotation:.15},{stamp_type:`heart`,pos_x:340,pos_y:372,rotation:.25}]},j=e=>e.details?.sample===`letter`?{...e,document:A}:e,M=6e4,N=[`plain`,`notice`,`stamp`,`follow`,`redemption`,`purchase`],P=[`alert.replayed`,`alert.tested`],F=[`event.created`,`stamp.created`,`purchase.created`],I=e=>o(e)===`gift`&&!e.reference,L=e=>e.event_type===`subscriber`&&e.details?.is_gift===!0&&!e.reference;function R({kind:e,event:t,recipients:n}){return e===`gift`?Math.max(t.details?.total??0,n.size):l(t)}var z=class{#e=[];#t=null;#n=null;#r;#i;#a;#o;#s;constructor({settings:e,saved:t,now:n=Date.now}){this.#r=t?.last??null,this.#i=t?.groups??[],this.#a={last:this.#r??0,waiting:new Set(t?.waiting??[])},this.#o=e,this.#s=n}get after(){let e=Math.min(...this.#a.waiting);return Number.isFinite(e)?e-1:this.#r}get state(){let e=[...this.#e.flatMap(e=>e.ids),...this.#a.waiting];return{last:this.#r,waiting:e,groups:this.#i}}start(e){this.#r=e,this.#a={last:e,waiting:/* @__PURE__ */ new Set}}add(e){let t=Number(e.id),n=t>this.#a.last||this.#a.waiting.delete(t);this.#r=Math.max(this.#r??0,t),e.type===`event.deleted`&&this.#f(e.subject),e.type===`event.updated`&&e.data&&this.#d(e),e.type===`purchase.updated`&&e.data?.status===`refunded`&&this.#f(e.subject),e.type===`alert.skipped`&&this.#p(({ids:t})=>t.includes(e.data?.entry)),e.type===`alert.cleared`&&this.#p(({ids:e})=>e[0]<t);let r=P.includes(e.type);n&&e.data&&(r||F.includes(e.type))&&this.#c(e,t,r)}next(){this.#t=null;let e=this.#s(),{delay:t}=this.#o();this.#e=this.#e.filter(t=>this.#u(t,e));let n=this.#e.filter(e=>N.includes(e.kind)&&!e.isManual),r=new Set(n.slice(0,Math.max(0,n.length-30)));this.#e=this.#e.filter(e=>!r.has(e));let i=this.#e.filter(n=>n.isManual||n.time+t<=e),a=i.find(e=>e.kind===`raid`)??i[0]??null;if(a){this.#e.splice(this.#e.indexOf(a),1),this.#t=a;let{group:e}=a;e&&(this.#i=[...this.#i.filter(t=>t!==e),e].slice(-100))}return a}interrupt(){let e=this.#t;e&&(this.#t=null,this.#e.unshift(e),e.onEnd?.())}get wait(){let{delay:e}=this.#o(),t=this.#e.map(t=>t.isManual?0:t.time+e-this.#s());return t.length>0?Math.max(0,Math.min(...t)):null}get waiting(){let e=this.#e.filter(e=>this.#u(e,this.#s()));return[...e.filter(({kind:e})=>e===`raid`),...e.filter(({kind:e})=>e!==`raid`)]}duration(e){let t=this.#o(),n=a(t,i(t,e),R(e)).duration??t.duration;return this.#e.length>5?Math.min(n,3e3):n}#c(e,t,n){let{subject:r}=e,i=n?j(e.data.purchase??e.data):e.data,a=Date.parse(e.time),s=n?null:this.#l(e,t,a),c=s!==null&&i.event_type===`subscriber`,l=s&&[this.#t,...this.#e].find(e=>e?.group===s),u=s?`gift`:o(i),d=l||{ids:[],subject:r,kind:u,event:i,isManual:n,time:a,group:s,recipients:/* @__PURE__ */ new Map};if(d.ids.push(t),c?d.recipients.set(r,i.user_name):s&&Object.assign(d,{subject:r,event:i}),l)return l.onChange?.();this.#s()-a<(n?M:this.#o().maxAge)&&!this.#i.includes(s??``)&&this.#e.push(d)}#l({data:e},t,n){let r=this.#n;return I(e)?(this.#n={group:`gift ${t}`,remaining:e.details.total,until:n+6e4},this.#n.group):L(e)&&r&&r.remaining>0&&n<=r.until?(--r.remaining,r.group):c(e)}#u(e,t){let{alerts:n,documents:r,maxAge:i}=this.#o(),a=n[e.kind]??n.plain,o=R(e)>=a.minimum,s=a.enabled&&o||r&&!!e.event.document,c=e.isManual?M:N.includes(e.kind)?i:1/0;return s&&t-e.time<c}#d({subject:e,data:t}){for(let n of[this.#t,...this.#e])n!==null&&n.subject===e&&(n.event=t,n.onChange?.())}#f(e){for(let t of[this.#t,...this.#e])t?.recipients.delete(e)&&t.onChange?.();this.#p(t=>t.subject===e)}#p(e){this.#e=this.#e.filter(t=>!e(t)),this.#t&&e(this.#t)&&this.#t.onEnd?.()}},B=class{paused=!1;now=null;#e=0;#t=0;#n=0;#r;constructor(e){this.#r=new z({settings:e,saved:null,now:()=>this.#e})}get waiting(){return this.#r.waiting}add(e){Number(e.id)<=this.#t||(this.#t=Number(e.id),this.advance(Date.parse(e.time)),this.#r.add(e))}pause(e){e&&this.#r.interrupt(),this.paused=e}advance(e){for(let t=this.next;t!==null&&t<=e;t=this.next)this.#e=Math.max(this.#e,t),this.now=this.#r.next(),this.now&&(this.now.onEnd=()=>this.now=null,this.#n=this.#e+this.#r.duration(this.now)+300);this.#e=Math.max(this.#e,e)}get next(){return this.paused?null:this.now?this.#n:this.#r.wait===null?null:this.#e+this.#r.wait}};async function V(e){let t=await e.head();for(let n=100;n>=1;n=Math.floor(n/2))try{return(await e.feed(Math.max(0,t-n))).entries}catch(e){if(e.status!==410)throw e}return[]}function H(e,t){let{client:n,subscribe:i}=f(),{value:a}=y(()=>V(n),`alerts`),o=d(null);o.current=r(e?.settings??{});let s=e?.paused??!1,[c,l]=b({now:null,waiting:[]}),u=d([]),m=d(()=>{}),[h]=b(()=>new B(()=>o.current)),g=t&&a!==null;return p(()=>i(e=>{u.current.push(e),m.current()}),[]),p(()=>{if(!g)return;U(h,a,e);let t=null;return m.current=()=>{clearTimeout(t),u.current.splice(0).forEach(e=>h.add(e));let e=Date.now();h.advance(e),l({now:h.now,waiting:h.waiting}),h.next!==null&&(t=setTimeout(m.current,h.next-e))},m.current(),()=>clearTimeout(t)},[g]),p(()=>{g&&(h.pause(s),m.current())},[g,s]),c}function U(e,t,n){let r=({type:e,subject:t})=>e===`overlay.updated`&&t===`overlays/${n?.overlay_id}`,i=n?.paused?[...t].reverse().find(r):void 0;e.pause(!!n?.paused&&!i);for(let n of t)e.add(n),n===i&&e.pause(!0)}const W=[`bits`,`subscriptions`,`messages`],G={bits:`cheer`,subscriptions:`subscriber`};function K({stream:e,onQueue:t,children:n}){let{value:r,busy:i,error:a}=q(),o=!r&&!i&&!a,s=H(r,!!r||o);return p(()=>t(s),[s]),u`<${J} overlay=${r} isMissing=${o} queue=${s} />
    ${n}
    ${e&&u`<${X} ...${e} />`}
    ${e&&r&&u`<${Z} overlay=${r} from=${e.from} />`}`}function q(){let{client:e}=f(),t={limit:1,order:`asc`},n=y(async()=>(await e.page(`/overlays`,{query:t})).records[0]??null,`overlay`);return v(e=>e===`overlay.updated`,n.reload,0),n}function J({overlay:e,isMissing:t,queue:{now:n,waiting:r}}){let{client:i,say:a}=f(),[o,c]=b(null),[l,d]=b(!1),{isStopped:p,toggle:m,error:v}=x(),y=!n&&r.length===0,w=e=>e.then(()=>c(null),c),T=({event:e,kind:t})=>{let[n,r]=s(e),i=n===`plain`?``:a(`event.${n}`,r);return[r.name??``,t===`stamp`?a(`kind.stamp`):i]},E=e=>w(i.post(`/alerts`,{control:`skip`,entry:e.ids[0]})),D=()=>w(i.post(`/alerts`,{control:`clear`})),O=(e,t)=>{let[n,r]=T(e);return u`<li class=${e.kind} key=${e.ids[0]} aria-current=${t?`true`:void 0}>
      <${_} name=${e.kind} />${` `}
      <span><bdi>${n}</bdi> ${r}</span>
      <${g} class="quiet" aria-label=${t?void 0:`${a(`queue.skip`)}: ${n} ${r}`}
        onClick=${()=>E(e)}>${a(`queue.skip`)}<//>
    </li>`};return u`<section class="card">
    <div class="bar spread queue-head">
      <h2>${a(`queue.title`)}</h2>
      <div class="bar">
        ${!y&&u`<${g} onClick=${D}>${a(`queue.clear`)}<//>`}
        <${S} isStopped=${p} toggle=${m} />
      </div>
    </div>
    <ol class="queue" aria-live="polite">
      ${n&&O(n,!p)}
      ${r.slice(0,l?void 0:5).map(e=>O(e,!1))}
    </ol>
    ${r.length>5&&u`<button class="quiet" aria-expanded=${l}
      onClick=${()=>d(!l)}>
      ${l?a(`less`):a(`count_more`,{many:r.length-5})}</button>`}
    ${y&&u`<p>${a(`queue.empty`)}</p>`}
    <div class="bar spread quiet queue-foot">
      <span>${e&&a(`queue.estimate`)}
        ${t&&u`${a(`queue.no_overlay`)} <a href="#/alerts">${a(`nav.alerts`)}</a>`}</span>
      <${C} />
    </div>
    <${h} error=${o??v} />
  </section>`}function Y(e,t){let r=y(e,t,6e4);return v((e,t)=>n(t),r.reload,2e3),r}function X({from:t,to:n,events:r}){let{client:i,say:a,parameters:o,setParameters:s}=f(),c=W.includes(o.get(`board`))?o.get(`board`):W[0],[l,d]=[t,n].map(e=>e?Date.parse(e):void 0),{value:p,error:g,reload:_}=Y(()=>e(i,{board:c,from:l,to:d,limit:5}),`${c} ${t} ${n}`),v=!r.some(({event_type:e})=>e===G[c]);return u`<section class="card">
    <h2>${a(n?`top.last`:`top.title`)}</h2>
    <div class="bar" role="group" aria-label=${a(`top.title`)}>
      ${W.map(e=>u`<button aria-pressed=${e===c}
        onClick=${()=>s({board:e})}>${a(`board.${e}`)}</button>`)}
    </div>
    <${h} error=${g} onRetry=${_} />
    ${p?u`<${w} ranks=${p} />
          ${p.length===0&&u`<p class="quiet">${a(v?`top.empty`:`top.counting`)}</p>`}`:!g&&u`<${m} />`}
  </section>`}function Z({overlay:e,from:n}){let{client:i,say:a}=f(),{goal:o}=r(e.settings??{}),{value:s}=Y(()=>t(i,o),JSON.stringify(o)),c=o.title||a(`goal.title`,{what:a(`goal.${o.of}`)}),l=o.since??n;return u`<section class="card">
    <h2 dir="auto">${c}</h2>
    <progress max=${o.target} value=${Math.min(s??0,o.target)} aria-label=${c}></progress>
    <p class="bar spread"><span class="quiet">${l&&a(`goal.from`,{date:a.date(l)})}</span>
      <span class="amount">${s===null?`–`:a.number(s)} / ${a.number(o.target)}</span></p>
  </section>`}export{K as Aside};