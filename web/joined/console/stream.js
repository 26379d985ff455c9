
import{a as e,c as t,i as n,o as r,s as i,u as a}from"./streams.js";import{r as o,t as s}from"./open-overlays.js";import{C as c,O as l,S as u,g as d,h as f,p,x as m}from"./common.js";import{n as h,r as g}from"./twitch.js";import{C as _,k as v}from"./first.js";const y=`thanked`;function b(e,t){let{event_id:n,user_name:r,details:i,tier:a}=e,o=_(e);if(o===`gift`)return{id:n,kind:o,name:r,what:`×${t.number(i.total)}`};let{amount:s}=e;return o===`cheer`&&s>=100?{id:n,kind:o,name:r,what:t(`thanks.bits`,{amount:s})}:o===`subscriber`?i?.is_gift||i?.recipient?i.giver?.user_name?{id:n,kind:`gift`,name:i.giver.user_name,what:`×1`}:null:{id:n,kind:o,name:r,what:t(`mark.tier`,{tier:String(a)})}:null}function x(e,t){let n=/* @__PURE__ */ new Map;for(let{id:r,kind:i,name:a,what:o}of e){let e=t.includes(r),s=`${e} ${a}`,c=n.get(s)??{ids:[],kind:i,name:a,what:[],isDone:e};c.ids.push(r),c.what.includes(o)||c.what.push(o),n.set(s,c)}return[...n.values()]}function S(e){try{let t=JSON.parse(v.get(y)??``);return t.from===e?t.ids:[]}catch{return[]}}function C({events:e,from:t}){let{say:n}=m(),r={last:[],before:null},[i,a]=u({from:t,ids:S(t),...r}),{ids:o,last:s,before:c}=i.from===t?i:{ids:S(t),...r},d=(e,n=[],r=null)=>{v.set(y,JSON.stringify({from:t,ids:e})),a({from:t,ids:e,last:n,before:r})},f=e=>e.isDone?d(o.filter(t=>!e.ids.includes(t))):d([...o,...e.ids],e.ids),h=e.map(e=>b(e,n)).filter(Boolean),g=x(h.filter(({id:e})=>!o.includes(e)),o),[_,C]=u(!1),w=g.length-8,T=()=>d(h.map(({id:e})=>e),[],o),E=x(h.filter(({id:e})=>!o.includes(e)||s.includes(e)),o),D=_?E:E.slice(0,8);return l`<section class="card thanks">
    <div class="bar spread">
      <h2>${n(`thanks.title`)}</h2>
      ${g.length>1&&l`<button class="quiet" onClick=${T}>${n(`thanks.all`)}</button>`}
      ${c&&l`<button class="quiet" onClick=${()=>d(c)}>${n(`thanks.undo`)}</button>`}
    </div>
    ${D.length===0&&l`<p class="quiet">${n(`thanks.none`)}</p>`}
    <ul>
      ${D.map(e=>l`<li key=${e.ids[0]} class=${e.kind}>
        <label>
          <input type="checkbox" checked=${e.isDone} onChange=${()=>f(e)}
            aria-label=${n(`thanks.done`,{name:e.name,what:e.what.join(`, `)})} />
          <${p} name=${e.kind} /> <span class="name" dir="auto">${e.name}</span>
          <strong class="sum">${e.what.join(` · `)}</strong>
        </label>
      </li>`)}
    </ul>
    ${w>0&&l`<button class="quiet" aria-expanded=${_} onClick=${()=>C(!_)}>
      ${_?n(`less`):n(`thanks.more`,{many:w})}</button>`}
  </section>`}function w(e){let[t,n]=u(Date.now());return c(()=>{if(!e)return;let t=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(t)},[e]),e?Math.max(t,Date.now()):t}function T({onStream:u}){let{connected:p,say:_}=m(),v=o(15e3),{value:y}=g(),b=y?.transport===`websocket`,x=b&&y.state===`none`,S=v?.isKnown&&v.places===0,C=e(),T=C.value?C.value[0]??null:void 0,E=n(T),{counter:D,version:O}=E,k=r(C.value),A=T?.to===null,j=w(A&&p),M=T!==void 0&&D.isComplete;c(()=>{let e=e=>e?new Date(e).toISOString():null;M&&u({from:e(T?.from),to:e(T?.to),events:D.events})},[M,T?.from,T?.to,O]);let N=M?D.figuresTo(1/0):null,P=T?(T.to??j)-T.from:0,F=P>=6e4?k?.(P):void 0,I=C.error??E.error;return l`<div class="stream-line">
      <p class=${`live ${A?`on`:``}`}>
        ${A&&l`<strong>${_(`live`)}</strong> <time>${t(P)}</time>`}
        ${!A&&T&&l`<a href=${`#/streams/${T.from}`}>${_(`overview.last`,{from:_.time(T.from),to:_.clock(T.to)})}</a>`}
        ${T===null&&_(`overview.day`)}
      </p>
      ${b&&!x&&l`<${h} connection=${y} />`}
      ${!S&&l`<${s} open=${v} />`}
      ${(x||S)&&l`<div class="go-live" role="group" aria-label=${_(`overview.steps`)}>
        <span aria-hidden="true">${_(`overview.steps`)}</span>
        ${x&&l`<a class="button" href="#/settings?tab=twitch">${_(`begin.twitch`)}</a>`}
        ${S&&l`<a class="button" href="#/alerts?tab=urls">${_(`begin.overlay`)}</a>`}
      </div>`}
    </div>
    <${f} error=${I} onRetry=${C.error?C.reload:E.reload} />
    ${N?l`<div class="figures five">
          ${a.map(e=>l`<${i} key=${e} name=${e} value=${N[e]}
              usual=${F?.[e]} isPast=${!A} />`)}
        </div>`:!I&&l`<${d} rows=${a.length} shape="cards five" />`}`}export{T as Stream,C as Thanks};