
import{$ as e,E as t,J as n,U as r,V as i,W as a,X as o,Y as s,b as c,et as l,tt as u,v as d}from"./common.js";import{r as f,t as p}from"./open-overlays.js";import{n as m}from"./twitch.js";import{_ as h}from"./first.js";const g=/* @__PURE__ */ new Set([`subscriber`,`gift`,`cheer`,`raid`,`follow`]),_={subs:({event_type:e})=>Number(e===`subscriber`),gifts:e=>d(e)===`gift`?e.details.total:0,bits:({amount:e})=>e??0,follows:e=>Number(d(e)===`follow`),raids:({event_type:e})=>Number(e===`raid`)},v=Object.keys(_),y=({occurred_at:e})=>Date.parse(e);function b(e){let t=t=>e.reduce((e,n)=>e+_[t](n),0);return Object.fromEntries(v.map(e=>[e,t(e)]))}var x=class{#e=/* @__PURE__ */ new Map;#t;#n;#r;isComplete=!1;constructor(e,t){this.#t=e,this.#n=t,this.#r=e}set end(e){this.#n=e}async list(e){let t=Date.now(),n=Math.max(this.#t,this.#r-6e5),r={occurred_after:(/* @__PURE__ */ new Date(n-1e3)).toISOString(),limit:1e3};this.#n!==null&&Object.assign(r,{occurred_before:new Date(this.#n+1e3).toISOString()}),await Promise.all(c(g).map(async t=>{for await(let n of e.list(t,{query:r}))this.add(n)})),this.#r=t,this.isComplete=!0}add(e){let t=g.has(d(e))||d(e)===`recipient`;return t&&this.#e.set(e.event_id,e),t}apply({type:e,subject:t,data:n}){return e===`event.deleted`?this.#e.delete(Number(t.split(`/`)[1])):!!(e.startsWith(`event.`)&&n&&this.add(n))}get events(){return this.#i(1/0).sort((e,t)=>y(t)-y(e))}figuresTo(e){return b(this.#i(e))}figuresIn(e,t){return b(this.#i(t).filter(t=>y(t)>=e))}#i(e){let t=Math.min(e,this.#n??1/0);return[...this.#e.values()].filter(e=>y(e)>=this.#t&&y(e)<=t)}};const S=6e4,C={start:`twitch/stream.online`,end:`twitch/stream.offline`},w=({source:e}={})=>e===C.start||e===C.end;async function T(e,t,n=4){let r=async r=>{let{records:i}=await e.page(`/events`,{query:{source:r,limit:n}}),a=[...i,...t.filter(e=>e.source===r)];return[...new Set(a.map(({occurred_at:e})=>Date.parse(e)))].sort((e,t)=>t-e).slice(0,n)},[i,a]=await Promise.all([r(C.start),r(C.end)]);return i.map((e,t)=>{let n=i[t-1]??null;return{from:e,to:a.find(t=>t>e&&(n===null||t<=n))??n}})}function E(){let{client:r,subscribe:i}=n(),a=e([]),s=t(()=>T(r,a.current),`streams`,S);return o(()=>i(({data:e})=>{w(e)&&(a.current.push(e),s.reload())}),[]),s}function D(e){let{client:r,subscribe:i}=n(),[a]=s(Date.now()-864e5),c=e===void 0?null:e?.from??a,u=l(()=>new x(c??0,null),[c]);u.end=e?.to??null;let[d,f]=s(0),p=t(()=>c===null?Promise.resolve(null):u.list(r),String(c),S);return o(()=>{let e=null,t=i(t=>{u.apply(t)&&(e??=setTimeout(()=>{e=null,f(e=>e+1)},50))});return()=>{clearTimeout(e??void 0),t()}},[u]),{...p,counter:u,version:`${d} ${p.busy}`}}function O(e){let{client:r}=n(),i=(e??[]).slice(1,4).filter(({from:e,to:t})=>t!==null&&t>e),{value:a}=t(async()=>{let e=i.map(({from:e,to:t})=>({from:e,counter:new x(e,t)}));return await Promise.all(e.map(({counter:e})=>e.list(r))),e},i.map(({from:e})=>e).join(` `));return!a||a.length===0?null:e=>{let t=a.map(({from:t,counter:n})=>n.figuresTo(t+e)),n=e=>Math.round(t.reduce((t,n)=>t+n[e],0)/t.length);return Object.fromEntries(v.map(e=>[e,n(e)]))}}const k=`thanked`;function A(e,t){let{event_id:n,user_name:r,details:i,tier:a}=e,o=d(e);if(o===`gift`)return{id:n,kind:o,name:r,what:`×${t.number(i.total)}`};let{amount:s}=e;return o===`cheer`&&s>=100?{id:n,kind:o,name:r,what:t(`thanks.bits`,{amount:s})}:o===`subscriber`?i?.is_gift||i?.recipient?i.giver?.user_name?{id:n,kind:`gift`,name:i.giver.user_name,what:`×1`}:null:{id:n,kind:o,name:r,what:t(`mark.tier`,{tier:String(a)})}:null}function j(e){try{let t=JSON.parse(h.get(k)??``);return t.from===e?t.ids:[]}catch{return[]}}function M({events:e,from:t}){let{say:r}=n(),a={last:null,before:null},[o,c]=s({from:t,ids:j(t),...a}),{ids:l,last:d,before:f}=o.from===t?o:{ids:j(t),...a},p=(e,n,r=null)=>{h.set(k,JSON.stringify({from:t,ids:e})),c({from:t,ids:e,last:n,before:r})},m=e=>l.includes(e)?p(l.filter(t=>t!==e),null):p([...l,e],e),g=e.map(e=>A(e,r)).filter(Boolean),_=g.filter(({id:e})=>!l.includes(e)),[v,y]=s(!1),b=_.length-8,x=()=>p(g.map(({id:e})=>e),null,l),S=g.filter(({id:e})=>!l.includes(e)||e===d),C=v?S:S.slice(0,8);return u`<section class="card thanks">
    <div class="bar spread">
      <h2>${r(`thanks.title`)}</h2>
      ${_.length>1&&u`<button class="quiet" onClick=${x}>${r(`thanks.all`)}</button>`}
      ${f&&u`<button class="quiet" onClick=${()=>p(f,null)}>${r(`thanks.undo`)}</button>`}
    </div>
    ${C.length===0&&u`<p class="quiet">${r(`thanks.none`)}</p>`}
    <ul>
      ${C.map(({id:e,kind:t,name:n,what:a})=>u`<li key=${e} class=${t}>
        <label>
          <input type="checkbox" checked=${l.includes(e)} onChange=${()=>m(e)}
            aria-label=${r(`thanks.done`,{name:n,what:a})} />
          <${i} name=${t} /> <span class="name" dir="auto">${n}</span> <strong class="sum">${a}</strong>
        </label>
      </li>`)}
    </ul>
    ${b>0&&u`<button class="quiet" aria-expanded=${v} onClick=${()=>y(!v)}>
      ${v?r(`less`):r(`thanks.more`,{many:b})}</button>`}
  </section>`}function N(e){let[t,n]=s(Date.now());return o(()=>{if(!e)return;let t=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(t)},[e]),e?Math.max(t,Date.now()):t}const P=e=>String(e).padStart(2,`0`);function F(e,t=!1){let n=Math.max(0,Math.floor(e/1e3)),r=`${Math.floor(n/3600)}:${P(Math.floor(n/60)%60)}`;return t?r:`${r}:${P(n%60)}`}function I({name:e,value:t,usual:r,isPast:i}){let{say:a}=n(),o=t-r,s=o===0?`same`:o>0?`more`:`less`;return u`<div class="card figure">
    <span class="quiet">${a(`figure.${e}`)}</span>
    <strong class="big">${a.compact(t)}</strong>
    ${r>0&&u`<span class=${`change ${o>0?`good`:`quiet`}`}>
      ${a(`compare.${i?`past_`:``}${s}`,{value:a.compact(Math.abs(o))})}
    </span>`}
  </div>`}function L({onStream:e}){let{connected:t,say:i}=n(),s=f(15e3),c=E(),l=c.value?c.value[0]??null:void 0,d=D(l),{counter:h,version:g}=d,_=O(c.value),y=l?.to===null,b=N(y&&t),x=l!==void 0&&h.isComplete;o(()=>{let t=e=>e?new Date(e).toISOString():null;x&&e({from:t(l?.from),to:t(l?.to),events:h.events})},[x,l?.from,l?.to,g]);let S=x?h.figuresTo(1/0):null,C=l?(l.to??b)-l.from:0,w=C>=6e4?_?.(C):void 0,T=c.error??d.error;return u`<div class="stream-line">
      <p class=${`live ${y?`on`:``}`}>
        ${y&&u`<strong>${i(`live`)}</strong> <time>${F(C)}</time>`}
        ${!y&&l&&u`${i(`overview.last`,{time:i.time(l.from)})}${` `}
          <a href="#/streams">${i(`nav.streams`)}</a>`}
        ${l===null&&i(`overview.day`)}
      </p>
      <${m} />
      <${p} open=${s}><a href="#/alerts">${i(`begin.overlay`)}</a><//>
    </div>
    <${r} error=${T} onRetry=${c.error?c.reload:d.reload} />
    ${S?u`<div class="figures">
          ${v.map(e=>u`<${I} key=${e} name=${e} value=${S[e]}
              usual=${w?.[e]??0} isPast=${!y} />`)}
        </div>`:!T&&u`<${a} rows=${v.length} shape="cards" />`}`}export{T as a,v as c,M as i,L as n,O as o,F as r,x as s,I as t};