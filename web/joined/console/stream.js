
import{a as e,c as t,i as n,o as r,s as i,u as a}from"./streams.js";import{r as o,t as s}from"./open-overlays.js";import{C as c,O as l,S as u,g as d,h as f,p,x as m}from"./common.js";import{n as h}from"./twitch.js";import{O as g,S as _}from"./first.js";const v=`thanked`;function y(e,t){let{event_id:n,user_name:r,details:i,tier:a}=e,o=_(e);if(o===`gift`)return{id:n,kind:o,name:r,what:`×${t.number(i.total)}`};let{amount:s}=e;return o===`cheer`&&s>=100?{id:n,kind:o,name:r,what:t(`thanks.bits`,{amount:s})}:o===`subscriber`?i?.is_gift||i?.recipient?i.giver?.user_name?{id:n,kind:`gift`,name:i.giver.user_name,what:`×1`}:null:{id:n,kind:o,name:r,what:t(`mark.tier`,{tier:String(a)})}:null}function b(e){try{let t=JSON.parse(g.get(v)??``);return t.from===e?t.ids:[]}catch{return[]}}function x({events:e,from:t}){let{say:n}=m(),r={last:null,before:null},[i,a]=u({from:t,ids:b(t),...r}),{ids:o,last:s,before:c}=i.from===t?i:{ids:b(t),...r},d=(e,n,r=null)=>{g.set(v,JSON.stringify({from:t,ids:e})),a({from:t,ids:e,last:n,before:r})},f=e=>o.includes(e)?d(o.filter(t=>t!==e),null):d([...o,e],e),h=e.map(e=>y(e,n)).filter(Boolean),_=h.filter(({id:e})=>!o.includes(e)),[x,S]=u(!1),C=_.length-8,w=()=>d(h.map(({id:e})=>e),null,o),T=h.filter(({id:e})=>!o.includes(e)||e===s),E=x?T:T.slice(0,8);return l`<section class="card thanks">
    <div class="bar spread">
      <h2>${n(`thanks.title`)}</h2>
      ${_.length>1&&l`<button class="quiet" onClick=${w}>${n(`thanks.all`)}</button>`}
      ${c&&l`<button class="quiet" onClick=${()=>d(c,null)}>${n(`thanks.undo`)}</button>`}
    </div>
    ${E.length===0&&l`<p class="quiet">${n(`thanks.none`)}</p>`}
    <ul>
      ${E.map(({id:e,kind:t,name:r,what:i})=>l`<li key=${e} class=${t}>
        <label>
          <input type="checkbox" checked=${o.includes(e)} onChange=${()=>f(e)}
            aria-label=${n(`thanks.done`,{name:r,what:i})} />
          <${p} name=${t} /> <span class="name" dir="auto">${r}</span> <strong class="sum">${i}</strong>
        </label>
      </li>`)}
    </ul>
    ${C>0&&l`<button class="quiet" aria-expanded=${x} onClick=${()=>S(!x)}>
      ${x?n(`less`):n(`thanks.more`,{many:C})}</button>`}
  </section>`}function S(e){let[t,n]=u(Date.now());return c(()=>{if(!e)return;let t=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(t)},[e]),e?Math.max(t,Date.now()):t}function C({onStream:u}){let{connected:p,say:g}=m(),_=o(15e3),v=e(),y=v.value?v.value[0]??null:void 0,b=n(y),{counter:x,version:C}=b,w=r(v.value),T=y?.to===null,E=S(T&&p),D=y!==void 0&&x.isComplete;c(()=>{let e=e=>e?new Date(e).toISOString():null;D&&u({from:e(y?.from),to:e(y?.to),events:x.events})},[D,y?.from,y?.to,C]);let O=D?x.figuresTo(1/0):null,k=y?(y.to??E)-y.from:0,A=k>=6e4?w?.(k):void 0,j=v.error??b.error;return l`<div class="stream-line">
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
              usual=${A?.[e]??0} isPast=${!T} />`)}
        </div>`:!j&&l`<${d} rows=${a.length} shape="cards five" />`}`}export{C as Stream,x as Thanks};