
import{C as e,D as t,x as n}from"./first.js";import{r,t as i}from"./open-overlays.js";import{F as a,H as o,J as s,L as c,R as l,U as u,W as d,Y as f,g as p,n as m,q as h}from"./common.js";const g=/* @__PURE__ */ new Set([`subscriber`,`gift`,`cheer`,`raid`,`follow`]),_={subs:({event_type:e})=>Number(e===`subscriber`),gifts:e=>n(e)===`gift`?e.details.total:0,bits:({amount:e})=>e??0,follows:e=>Number(n(e)===`follow`),raids:({event_type:e})=>Number(e===`raid`)},v=Object.keys(_),y=({occurred_at:e})=>Date.parse(e);function b(e){let t=t=>e.reduce((e,n)=>e+_[t](n),0);return Object.fromEntries(v.map(e=>[e,t(e)]))}var x=class{#e=/* @__PURE__ */ new Map;#t;#n;#r;isComplete=!1;constructor(e,t){this.#t=e,this.#n=t,this.#r=e}set end(e){this.#n=e}async list(t){let n=Date.now(),r=Math.max(this.#t,this.#r-6e5),i={occurred_after:(/* @__PURE__ */ new Date(r-1e3)).toISOString(),limit:1e3};this.#n!==null&&Object.assign(i,{occurred_before:new Date(this.#n+1e3).toISOString()}),await Promise.all(e(g).map(async e=>{for await(let n of t.list(e,{query:i}))this.add(n)})),this.#r=n,this.isComplete=!0}add(e){let t=g.has(n(e))||n(e)===`recipient`;return t&&this.#e.set(e.event_id,e),t}apply({type:e,subject:t,data:n}){return e===`event.deleted`?this.#e.delete(Number(t.split(`/`)[1])):!!(e.startsWith(`event.`)&&n&&this.add(n))}get events(){return this.#i(1/0).sort((e,t)=>y(t)-y(e))}figuresTo(e){return b(this.#i(e))}figuresIn(e,t){return b(this.#i(t).filter(t=>y(t)>=e))}#i(e){let t=Math.min(e,this.#n??1/0);return[...this.#e.values()].filter(e=>y(e)>=this.#t&&y(e)<=t)}};const S=6e4,C={start:`twitch/stream.online`,end:`twitch/stream.offline`},w=({source:e}={})=>e===C.start||e===C.end;async function T(e,t,n=4){let r=async r=>{let{records:i}=await e.page(`/events`,{query:{source:r,limit:n}}),a=[...i,...t.filter(e=>e.source===r)];return[...new Set(a.map(({occurred_at:e})=>Date.parse(e)))].sort((e,t)=>t-e).slice(0,n)},[i,a]=await Promise.all([r(C.start),r(C.end)]);return i.map((e,t)=>{let n=i[t-1]??null;return{from:e,to:a.find(t=>t>e&&(n===null||t<=n))??n}})}const E=1e3;async function D(e,{from:t,to:n}){let r={from:new Date(t).toISOString(),to:n&&new Date(n).toISOString(),limit:E};return(await e.get(`/leaderboards/events`,{query:r})).length}function O(){let{client:e,subscribe:t}=o(),n=h([]),r=p(()=>T(e,n.current),`streams`,S);return d(()=>t(({data:e})=>{w(e)&&(n.current.push(e),r.reload())}),[]),r}function k(e){let{client:t,subscribe:n}=o(),[r]=u(Date.now()-864e5),i=e===void 0?null:e?.from??r,a=s(()=>new x(i??0,null),[i]);a.end=e?.to??null;let[c,l]=u(0),f=p(()=>i===null?Promise.resolve(null):a.list(t),String(i),S);return d(()=>{let e=null,t=n(t=>{a.apply(t)&&(e??=setTimeout(()=>{e=null,l(e=>e+1)},50))});return()=>{clearTimeout(e??void 0),t()}},[a]),{...f,counter:a,version:`${c} ${f.busy}`}}function A(e){let{client:t}=o(),n=(e??[]).slice(1,4).filter(({from:e,to:t})=>t!==null&&t>e),{value:r}=p(async()=>{let e=n.map(({from:e,to:t})=>({from:e,counter:new x(e,t)}));return await Promise.all(e.map(({counter:e})=>e.list(t))),e},n.map(({from:e})=>e).join(` `));return!r||r.length===0?null:e=>{let t=r.map(({from:t,counter:n})=>n.figuresTo(t+e)),n=e=>Math.round(t.reduce((t,n)=>t+n[e],0)/t.length);return Object.fromEntries(v.map(e=>[e,n(e)]))}}const j=`thanked`;function M(e,t){let{event_id:r,user_name:i,details:a,tier:o}=e,s=n(e);if(s===`gift`)return{id:r,kind:s,name:i,what:`×${t.number(a.total)}`};let{amount:c}=e;return s===`cheer`&&c>=100?{id:r,kind:s,name:i,what:t(`thanks.bits`,{amount:c})}:s===`subscriber`?a?.is_gift||a?.recipient?a.giver?.user_name?{id:r,kind:`gift`,name:a.giver.user_name,what:`×1`}:null:{id:r,kind:s,name:i,what:t(`mark.tier`,{tier:String(o)})}:null}function N(e){try{let n=JSON.parse(t.get(j)??``);return n.from===e?n.ids:[]}catch{return[]}}function P({events:e,from:n}){let{say:r}=o(),i={last:null,before:null},[s,c]=u({from:n,ids:N(n),...i}),{ids:l,last:d,before:p}=s.from===n?s:{ids:N(n),...i},m=(e,r,i=null)=>{t.set(j,JSON.stringify({from:n,ids:e})),c({from:n,ids:e,last:r,before:i})},h=e=>l.includes(e)?m(l.filter(t=>t!==e),null):m([...l,e],e),g=e.map(e=>M(e,r)).filter(Boolean),_=g.filter(({id:e})=>!l.includes(e)),[v,y]=u(!1),b=_.length-8,x=()=>m(g.map(({id:e})=>e),null,l),S=g.filter(({id:e})=>!l.includes(e)||e===d),C=v?S:S.slice(0,8);return f`<section class="card thanks">
    <div class="bar spread">
      <h2>${r(`thanks.title`)}</h2>
      ${_.length>1&&f`<button class="quiet" onClick=${x}>${r(`thanks.all`)}</button>`}
      ${p&&f`<button class="quiet" onClick=${()=>m(p,null)}>${r(`thanks.undo`)}</button>`}
    </div>
    ${C.length===0&&f`<p class="quiet">${r(`thanks.none`)}</p>`}
    <ul>
      ${C.map(({id:e,kind:t,name:n,what:i})=>f`<li key=${e} class=${t}>
        <label>
          <input type="checkbox" checked=${l.includes(e)} onChange=${()=>h(e)}
            aria-label=${r(`thanks.done`,{name:n,what:i})} />
          <${a} name=${t} /> <span class="name" dir="auto">${n}</span> <strong class="sum">${i}</strong>
        </label>
      </li>`)}
    </ul>
    ${b>0&&f`<button class="quiet" aria-expanded=${v} onClick=${()=>y(!v)}>
      ${v?r(`less`):r(`thanks.more`,{many:b})}</button>`}
  </section>`}function F(e){let[t,n]=u(Date.now());return d(()=>{if(!e)return;let t=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(t)},[e]),e?Math.max(t,Date.now()):t}const I=e=>String(e).padStart(2,`0`);function L(e,t=!1){let n=Math.max(0,Math.floor(e/1e3)),r=`${Math.floor(n/3600)}:${I(Math.floor(n/60)%60)}`;return t?r:`${r}:${I(n%60)}`}function R({name:e,value:t,usual:n,isPast:r}){let{say:i}=o(),a=t-n,s=a===0?`same`:a>0?`more`:`less`;return f`<div class="card figure">
    <span class="quiet">${i(`figure.${e}`)}</span>
    <strong class="big">${i.compact(t)}</strong>
    ${n>0&&f`<span class=${`change ${a>0?`good`:`quiet`}`}>
      ${i(`compare.${r?`past_`:``}${s}`,{value:i.compact(Math.abs(a))})}
    </span>`}
  </div>`}function z({onStream:e}){let{connected:t,say:n}=o(),a=r(15e3),s=O(),u=s.value?s.value[0]??null:void 0,p=k(u),{counter:h,version:g}=p,_=A(s.value),y=u?.to===null,b=F(y&&t),x=u!==void 0&&h.isComplete;d(()=>{let t=e=>e?new Date(e).toISOString():null;x&&e({from:t(u?.from),to:t(u?.to),events:h.events})},[x,u?.from,u?.to,g]);let S=x?h.figuresTo(1/0):null,C=u?(u.to??b)-u.from:0,w=C>=6e4?_?.(C):void 0,T=s.error??p.error;return f`<div class="stream-line">
      <p class=${`live ${y?`on`:``}`}>
        ${y&&f`<strong>${n(`live`)}</strong> <time>${L(C)}</time>`}
        ${!y&&u&&f`${n(`overview.last`,{time:n.time(u.from)})}${` `}
          <a href="#/streams">${n(`nav.streams`)}</a>`}
        ${u===null&&n(`overview.day`)}
      </p>
      <${m} />
      <${i} open=${a}><a href="#/alerts">${n(`begin.overlay`)}</a><//>
    </div>
    <${c} error=${T} onRetry=${s.error?s.reload:p.reload} />
    ${S?f`<div class="figures five">
          ${v.map(e=>f`<${R} key=${e} name=${e} value=${S[e]}
              usual=${w?.[e]??0} isPast=${!y} />`)}
        </div>`:!T&&f`<${l} rows=${v.length} shape="cards five" />`}`}export{E as a,A as c,P as i,x as l,z as n,D as o,L as r,T as s,R as t,v as u};