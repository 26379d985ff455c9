
import{a as e,c as t,i as n,o as r,s as i,u as a}from"./streams.js";import{r as o,t as s}from"./open-overlays.js";import{C as c,O as l,S as u,g as d,h as f,p,x as m}from"./common.js";import{n as h}from"./twitch.js";import{C as g,k as _}from"./first.js";const v=`thanked`;function y(e,t){let{event_id:n,user_name:r,details:i,tier:a}=e,o=g(e);if(o===`gift`)return{id:n,kind:o,name:r,what:`×${t.number(i.total)}`};let{amount:s}=e;return o===`cheer`&&s>=100?{id:n,kind:o,name:r,what:t(`thanks.bits`,{amount:s})}:o===`subscriber`?i?.is_gift||i?.recipient?i.giver?.user_name?{id:n,kind:`gift`,name:i.giver.user_name,what:`×1`}:null:{id:n,kind:o,name:r,what:t(`mark.tier`,{tier:String(a)})}:null}function b(e,t){let n=/* @__PURE__ */ new Map;for(let{id:r,kind:i,name:a,what:o}of e){let e=t.includes(r),s=`${e} ${a}`,c=n.get(s)??{ids:[],kind:i,name:a,what:[],isDone:e};c.ids.push(r),c.what.includes(o)||c.what.push(o),n.set(s,c)}return[...n.values()]}function x(e){try{let t=JSON.parse(_.get(v)??``);return t.from===e?t.ids:[]}catch{return[]}}function S({events:e,from:t}){let{say:n}=m(),r={last:[],before:null},[i,a]=u({from:t,ids:x(t),...r}),{ids:o,last:s,before:c}=i.from===t?i:{ids:x(t),...r},d=(e,n=[],r=null)=>{_.set(v,JSON.stringify({from:t,ids:e})),a({from:t,ids:e,last:n,before:r})},f=e=>e.isDone?d(o.filter(t=>!e.ids.includes(t))):d([...o,...e.ids],e.ids),h=e.map(e=>y(e,n)).filter(Boolean),g=b(h.filter(({id:e})=>!o.includes(e)),o),[S,C]=u(!1),w=g.length-8,T=()=>d(h.map(({id:e})=>e),[],o),E=b(h.filter(({id:e})=>!o.includes(e)||s.includes(e)),o),D=S?E:E.slice(0,8);return l`<section class="card thanks">
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
    ${w>0&&l`<button class="quiet" aria-expanded=${S} onClick=${()=>C(!S)}>
      ${S?n(`less`):n(`thanks.more`,{many:w})}</button>`}
  </section>`}function C(e){let[t,n]=u(Date.now());return c(()=>{if(!e)return;let t=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(t)},[e]),e?Math.max(t,Date.now()):t}function w({onStream:u}){let{connected:p,say:g}=m(),_=o(15e3),v=e(),y=v.value?v.value[0]??null:void 0,b=n(y),{counter:x,version:S}=b,w=r(v.value),T=y?.to===null,E=C(T&&p),D=y!==void 0&&x.isComplete;c(()=>{let e=e=>e?new Date(e).toISOString():null;D&&u({from:e(y?.from),to:e(y?.to),events:x.events})},[D,y?.from,y?.to,S]);let O=D?x.figuresTo(1/0):null,k=y?(y.to??E)-y.from:0,A=k>=6e4?w?.(k):void 0,j=v.error??b.error;return l`<div class="stream-line">
      <p class=${`live ${T?`on`:``}`}>
        ${T&&l`<strong>${g(`live`)}</strong> <time>${t(k)}</time>`}
        ${!T&&y&&l`<a href=${`#/streams/${y.from}`}>${g(`overview.last`,{time:g.time(y.from)})}</a>`}
        ${y===null&&g(`overview.day`)}
      </p>
      <${h} />
      <${s} open=${_}><a href="#/alerts">${g(`begin.overlay`)}</a><//>
    </div>
    <${f} error=${j} onRetry=${v.error?v.reload:b.reload} />
    ${O?l`<div class="figures five">
          ${a.map(e=>l`<${i} key=${e} name=${e} value=${O[e]}
              usual=${A?.[e]} isPast=${!T} />`)}
        </div>`:!j&&l`<${d} rows=${a.length} shape="cards five" />`}`}export{w as Stream,S as Thanks};