
import{a as e,i as t,l as n,o as r}from"./streams.js";import{C as i,k as a}from"./first.js";import{r as o,t as s}from"./open-overlays.js";import{A as c,C as l,T as u,_ as d,g as f,m as p,w as m}from"./common.js";import{n as h,t as g}from"./figure.js";import{n as _,r as v}from"./twitch.js";const y=`thanked`;function b(e,t){let{event_id:n,user_name:r,details:a,tier:o}=e,s=i(e);return s===`gift`?{id:n,kind:s,name:r,what:`×${t.number(a.total)}`}:s===`cheer`&&e.amount>=100?{id:n,kind:s,name:r,bits:e.amount}:s===`subscriber`?a?.is_gift||a?.recipient?a.giver?.user_name?{id:n,kind:`gift`,name:a.giver.user_name,what:`×1`}:null:{id:n,kind:s,name:r,what:t(`mark.tier`,{tier:String(o)})}:null}function x(e,t){let n=/* @__PURE__ */ new Map;for(let{id:r,kind:i,name:a,what:o,bits:s=0}of e){let e=t.includes(r),c=`${e} ${a}`,l=n.get(c)??{ids:[],kind:i,name:a,bits:0,what:/* @__PURE__ */ new Set,isDone:e};l.ids.push(r),l.bits+=s,o&&l.what.add(o),n.set(c,l)}return[...n.values()]}function S(e){try{let t=JSON.parse(a.get(y)??``);return t.from===e?t.ids:[]}catch{return[]}}function C({events:e,from:t,to:n}){let{say:r}=l(),i={last:[],before:null},[o,s]=m({from:t,ids:S(t),...i}),{ids:u,last:d,before:f}=o.from===t?o:{ids:S(t),...i},h=(e,n=[],r=null)=>{a.set(y,JSON.stringify({from:t,ids:e})),s({from:t,ids:e,last:n,before:r})},g=e=>e.isDone?h(u.filter(t=>!e.ids.includes(t))):h([...u,...e.ids],e.ids),_=e.map(e=>b(e,r)).filter(Boolean),v=x(_.filter(({id:e})=>!u.includes(e)),u),[C,w]=m(!1),T=v.length-8,E=()=>h(_.map(({id:e})=>e),[],u),D=x(_.filter(({id:e})=>!u.includes(e)||d.includes(e)),u),O=C?D:D.slice(0,8),k=({bits:e,what:t})=>[...e>0?[r(`thanks.bits`,{amount:e})]:[],...t];return c`<section class="card thanks">
    <div class="bar spread">
      <h2>${r(`thanks.title`)}</h2>
      ${v.length>1&&c`<button class="quiet" onClick=${E}>${r(`thanks.all`)}</button>`}
      ${f&&c`<button class="quiet" onClick=${()=>h(f)}>${r(`thanks.undo`)}</button>`}
    </div>
    ${n&&c`<p class="quiet">${r(`thanks.since`,{date:r.date(t)})}</p>`}
    ${O.length===0&&c`<p class="quiet">${r(`thanks.none`)}</p>`}
    <ul>
      ${O.map(e=>c`<li key=${e.ids[0]} class=${e.kind}>
        <label>
          <input type="checkbox" checked=${e.isDone} onChange=${()=>g(e)}
            aria-label=${r(`thanks.done`,{name:e.name,what:k(e).join(`, `)})} />
          <${p} name=${e.kind} /> <span class="name" dir="auto">${e.name}</span>
          <strong class="sum">${k(e).join(` · `)}</strong>
        </label>
      </li>`)}
    </ul>
    ${T>0&&c`<button class="quiet" aria-expanded=${C} onClick=${()=>w(!C)}>
      ${C?r(`less`):r(`count_more`,{many:T})}</button>`}
  </section>`}const w=`alerts_opened`;function T(e){let[t,n]=m(Date.now());return u(()=>{if(!e)return;let t=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(t)},[e]),e?Math.max(t,Date.now()):t}function E({onStream:i}){let{connected:p,say:m}=l(),y=o(15e3),{value:b}=v(),x=b?.transport===`websocket`,S=x&&b.state===`none`;u(()=>{y?.places&&a.set(w,`yes`)},[y?.places]);let C=y?.isKnown&&y.places===0&&!a.get(w),E=e(),D=E.value?E.value[0]??null:void 0,O=t(D),{counter:k,version:A}=O,j=r(E.value),M=D?.to===null,N=T(M&&p),P=D!==void 0&&k.isComplete;u(()=>{let e=e=>e?new Date(e).toISOString():null;P&&i({from:e(D?.from),to:e(D?.to),events:k.events})},[P,D?.from,D?.to,A]);let F=P?k.figuresTo(D?.to??1/0):null,I=D?(D.to??N)-D.from:0,L=M?I>=6e4?j?.(I):void 0:j?.(1/0),R=E.error??O.error;return c`<div class="stream-line">
      <p class=${`live ${M?`on`:``}`}>
        ${M&&c`<strong>${m(`live`)}</strong> <time>${h(I)}</time>`}
        ${!M&&D&&c`<a href=${`#/streams/${D.from}`}>${m(`overview.last`,{from:m.time(D.from),to:m.clock(D.to)})}</a>`}
        ${D===null&&m(`overview.day`)}
      </p>
      ${x&&!S&&c`<${_} connection=${b} />`}
      ${!C&&c`<${s} open=${y} />`}
      ${(S||C)&&c`<div class="go-live" role="group" aria-label=${m(`overview.steps`)}>
        <span aria-hidden="true">${m(`overview.steps`)}</span>
        ${S&&c`<a class="button" href="#/settings?tab=twitch">${m(`begin.twitch`)}</a>`}
        ${C&&c`<a class="button" href="#/alerts?tab=urls">${m(`begin.overlay`)}</a>`}
      </div>`}
    </div>
    <${f} error=${R} onRetry=${E.error?E.reload:O.reload} />
    ${F?c`<div class=${`figures five ${M?`running`:``}`}>
          ${n.map(e=>c`<${g} key=${e} name=${e} value=${F[e]}
              usual=${L?.[e]} isPast=${!M} />`)}
        </div>`:!R&&c`<${d} rows=${n.length} shape="cards five" />`}`}export{E as Stream,C as Thanks};