
import{a as e,c as t,f as n,i as r,o as i,u as a}from"./streams.js";import{C as o,k as s}from"./first.js";import{r as c,t as l}from"./open-overlays.js";import{A as u,S as d,T as f,g as p,h as m,p as h,w as g}from"./common.js";import{n as _,r as v}from"./twitch.js";const y=`thanked`;function b(e,t){let{event_id:n,user_name:r,details:i,tier:a}=e,s=o(e);return s===`gift`?{id:n,kind:s,name:r,what:`×${t.number(i.total)}`}:s===`cheer`&&e.amount>=100?{id:n,kind:s,name:r,bits:e.amount}:s===`subscriber`?i?.is_gift||i?.recipient?i.giver?.user_name?{id:n,kind:`gift`,name:i.giver.user_name,what:`×1`}:null:{id:n,kind:s,name:r,what:t(`mark.tier`,{tier:String(a)})}:null}function x(e,t){let n=/* @__PURE__ */ new Map;for(let{id:r,kind:i,name:a,what:o,bits:s=0}of e){let e=t.includes(r),c=`${e} ${a}`,l=n.get(c)??{ids:[],kind:i,name:a,bits:0,what:/* @__PURE__ */ new Set,isDone:e};l.ids.push(r),l.bits+=s,o&&l.what.add(o),n.set(c,l)}return[...n.values()]}function S(e){try{let t=JSON.parse(s.get(y)??``);return t.from===e?t.ids:[]}catch{return[]}}function C({events:e,from:t,to:n}){let{say:r}=d(),i={last:[],before:null},[a,o]=g({from:t,ids:S(t),...i}),{ids:c,last:l,before:f}=a.from===t?a:{ids:S(t),...i},p=(e,n=[],r=null)=>{s.set(y,JSON.stringify({from:t,ids:e})),o({from:t,ids:e,last:n,before:r})},m=e=>e.isDone?p(c.filter(t=>!e.ids.includes(t))):p([...c,...e.ids],e.ids),_=e.map(e=>b(e,r)).filter(Boolean),v=x(_.filter(({id:e})=>!c.includes(e)),c),[C,w]=g(!1),T=v.length-8,E=()=>p(_.map(({id:e})=>e),[],c),D=x(_.filter(({id:e})=>!c.includes(e)||l.includes(e)),c),O=C?D:D.slice(0,8),k=({bits:e,what:t})=>[...e>0?[r(`thanks.bits`,{amount:e})]:[],...t];return u`<section class="card thanks">
    <div class="bar spread">
      <h2>${r(`thanks.title`)}</h2>
      ${v.length>1&&u`<button class="quiet" onClick=${E}>${r(`thanks.all`)}</button>`}
      ${f&&u`<button class="quiet" onClick=${()=>p(f)}>${r(`thanks.undo`)}</button>`}
    </div>
    ${n&&u`<p class="quiet">${r(`thanks.since`,{date:r.date(t)})}</p>`}
    ${O.length===0&&u`<p class="quiet">${r(`thanks.none`)}</p>`}
    <ul>
      ${O.map(e=>u`<li key=${e.ids[0]} class=${e.kind}>
        <label>
          <input type="checkbox" checked=${e.isDone} onChange=${()=>m(e)}
            aria-label=${r(`thanks.done`,{name:e.name,what:k(e).join(`, `)})} />
          <${h} name=${e.kind} /> <span class="name" dir="auto">${e.name}</span>
          <strong class="sum">${k(e).join(` · `)}</strong>
        </label>
      </li>`)}
    </ul>
    ${T>0&&u`<button class="quiet" aria-expanded=${C} onClick=${()=>w(!C)}>
      ${C?r(`less`):r(`count_more`,{many:T})}</button>`}
  </section>`}const w=`alerts_opened`;function T(e){let[t,n]=g(Date.now());return f(()=>{if(!e)return;let t=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(t)},[e]),e?Math.max(t,Date.now()):t}function E({onStream:o}){let{connected:h,say:g}=d(),{value:y,error:b}=c(15e3),{value:x,error:S}=v(),C=x?.transport===`websocket`,E=C&&x.state===`none`;f(()=>{y?.places&&s.set(w,`yes`)},[y?.places]);let D=y?.isKnown&&y.places===0&&!s.get(w),O=!(!y&&!b||!x&&!S),k=e(),A=k.value?k.value[0]??null:void 0,j=r(A),{counter:M,version:N}=j,P=i(k.value),F=A?.to===null,I=T(F&&h),L=A!==void 0&&M.isComplete;f(()=>{let e=e=>e?new Date(e).toISOString():null;L&&o({from:e(A?.from),to:e(A?.to),events:M.events})},[L,A?.from,A?.to,N]);let R=L?M.figuresTo(A?.to??1/0):null,z=A?(A.to??I)-A.from:0,B=F?z>=6e4?P?.(z):void 0:P?.(1/0),V=k.error??j.error;return u`<div class="stream-line">
      <p class=${`live ${F?`on`:``}`}>
        ${F&&u`<strong>${g(`live`)}</strong> <time>${a(z)}</time>`}
        ${!F&&A&&u`<a href=${`#/streams/${A.from}`}>${g(`overview.last`,{from:g.time(A.from),to:g.clock(A.to)})}</a>`}
        ${A===null&&g(`overview.day`)}
      </p>
      ${O&&C&&!E&&u`<${_} connection=${x} />`}
      ${O&&!D&&u`<${l} open=${y} />`}
      ${O&&(E||D)&&u`<div class="go-live" role="group" aria-label=${g(`overview.steps`)}>
        <span aria-hidden="true">${g(`overview.steps`)}</span>
        ${E&&u`<a class="button" href="#/settings?tab=twitch">${g(`begin.twitch`)}</a>`}
        ${D&&u`<a class="button" href="#/alerts?tab=urls">${g(`begin.overlay`)}</a>`}
      </div>`}
    </div>
    <${m} error=${V} onRetry=${k.error?k.reload:j.reload} />
    ${R?u`<div class=${`figures five ${F?`running`:``}`}>
          ${n.map(e=>u`<${t} key=${e} name=${e} value=${R[e]}
              usual=${B?.[e]} isPast=${!F} />`)}
        </div>`:!V&&u`<${p} rows=${n.length} shape="cards five" />`}`}export{E as Stream,C as Thanks};