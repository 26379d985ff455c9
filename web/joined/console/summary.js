
import{n as e}from"./figures.js";import{C as t,T as n,v as r}from"./first.js";import{c as i,l as a,n as o,o as s,s as c,u as l}from"./streams.js";import{n as u}from"./actions.js";import{r as d}from"./rows.js";import{t as f}from"./follow.js";import{n as p,t as m}from"./plot.js";import{i as h}from"./forms.js";import{D as g,O as _,S as v,g as y,h as b,m as x,t as S,x as C}from"./common.js";import{o as w}from"./sentences.js";const T=e=>new Date(e).toISOString();async function E(e,t,n){let r=[];for await(let i of e.list(t,{query:{limit:1e3,...n}}))r.push(i);return r}async function D(t,n){let[{from:r,to:i}]=n,s=new a(r,i),c={created_after:T(r-1),created_before:T(i+1)},[l,u,d,f,p]=await Promise.all([Promise.all(n.slice(0,4).map(e=>o(t,e))),e(t,{board:`messages`,from:r,to:i,limit:5}),e(t,{board:`bits`,from:r,to:i,limit:5}),E(t,`/documents`,c),E(t,`/purchases`,c),s.list(t)]),[m,...h]=l,g=h.reduce((e,t)=>e+t,0);return{counter:s,people:{now:m,usual:h.length>0?Math.round(g/h.length):void 0},chatters:u,cheerers:d,letters:f,purchases:p}}const O=({place:e})=>e?`${e}. `:``,k=e=>O(e)+[e.user?.name,e.text].filter(Boolean).join(` · `);function A(e,{counter:n,chatters:r,cheerers:i,letters:a,purchases:o}){let{events:s}=n,c=({user_id:e,user_name:t})=>({user_id:e,name:t}),l=t=>({value:n,user:r},i)=>({place:i+1,user:r,text:e(t,{many:n})}),u=e=>e.event_type===`subscriber`&&(e.subscribed_length??1)<=1,d=/* @__PURE__ */ new Map;for(let{name:e,quantity:t,price:n}of o.filter(({status:e})=>e!==`refunded`)){let r=d.get(e)??{many:0,price:0};d.set(e,{many:r.many+t,price:r.price+n})}return[[`summary.new`,[...new Map(s.filter(u).map(e=>[e.user_id,{user:c(e)}])).values()]],[`summary.chatters`,r.map(l(`summary.messages`))],[`summary.cheerers`,i.map(l(`summary.bits`))],[`summary.raids`,s.filter(e=>t(e)===`raid`).map(t=>({user:c(t),text:e(`summary.viewers`,{many:t.viewer_count??0})}))],[`summary.letters`,a.length>0?[{text:e(`summary.many_letters`,{many:a.length}),letters:a}]:[]],[`summary.sold`,[...d].map(([t,{many:n,price:r}])=>({text:`${e(`purchase.many`,{many:n,name:t})} · ${w(r,e)}`}))]]}function j({stream:{from:e,to:t}}){let{client:n,say:r}=C(),i={from:T(e),to:T(t),by:`hour`},{value:a,error:o,reload:s}=S(()=>n.request(`GET`,`/statistics`,{query:i}),e);if(!a)return o?_`<${b} error=${o} onRetry=${s} />`:_`<${y} rows=${1} shape="plots" />`;let c=a.data.map(e=>Date.parse(e.from));return _`<div class="summary-hours"><${m} title=${r(`summary.hours_of`)} times=${c} zone=${a.headers.get(`time-zone`)??`UTC`}
    series=${p(a.data,r)} isHourly /></div>`}function M({stream:{from:e,to:i}}){let{say:a}=C(),o=g(()=>Object.assign(n=>{let a=Date.parse(n.occurred_at);return r.has(t(n))&&a>=e&&a<=i},{key:String(e)}),[e]),s=new URLSearchParams({occurred_after:T(e-1e3),occurred_before:T(i+1e3)}),c=f({paths:g(()=>n(r).map(e=>`${e}&${s}`),[e]),matches:o});return _`<h2>${a(`summary.events`)}</h2>
    <${d} chunks=${c.chunks} newIds=${c.newIds} label=${a(`summary.events`)} />
    <${x} list=${c} />
    ${c.size===0&&!c.busy&&!c.error&&_`<p class="quiet">${a(`summary.quiet`)}</p>`}`}function N({title:e,lines:t}){let{say:n}=C(),[r,i]=v(!1),a=t.length-6;return _`<section class="card">
    <h2>${n(e)}</h2>
    <ul>${t.slice(0,r?void 0:6).map(e=>_`<li class=${e.letters?``:`spread`}>
      <span dir="auto">${e.user?_`${O(e)}<a href=${`#/viewers/${e.user.user_id}`}>${e.user.name}</a>`:e.text}</span>${` `}
      ${e.user&&e.text&&_`<span class="amount">${e.text}</span>`}
      ${e.letters&&_`<div class="thumbnails">${e.letters.slice(0,6).map(e=>_`
        <a key=${e.document_id} href=${`#/letters/${e.document_id}`}>
          <${u} source=${e} label=${`${n(`overlay.document`)}, ${n.clock(e.created_at)}`} /></a>`)}</div>`}
    </li>`)}</ul>
    ${a>0&&_`<button class="quiet" aria-expanded=${r} onClick=${()=>i(!r)}>
      ${r?n(`less`):n(`count_more`,{many:a})}</button>`}
  </section>`}function P({streams:e,index:t}){let{client:n,say:r}=C(),{from:a,to:o}=e[t],{value:u,error:d,reload:f}=S(()=>D(n,e.slice(t)),a),p=s(e.slice(t))?.(o-a);if(!u)return d?_`<${b} error=${d} onRetry=${f} />`:_`<${y} rows=${6} />`;let m=u.counter.figuresTo(1/0),g=A(r,u).filter(([,e])=>e.length>0),v=[r(`summary.of`,{time:r.time(a),length:i(o-a,!0)}),l.map(e=>`${r(`figure.${e}`)} ${r.number(m[e])}`).join(` · `),...g.map(([e,t])=>`${r(e)}: ${t.map(k).join(`, `)}`)].join(`
`);return _`<div class="bar summary-head">
      <p class="quiet">${r(p?`summary.compared`:`summary.first`)}</p>
      <${h} text=${v} label=${r(`summary.copy`)} />
    </div>
    <div class="figures">
      ${l.map(e=>_`<${c} key=${e} name=${e} value=${m[e]}
        usual=${p?.[e]} isPast />`)}
      <${c} name="people" value=${u.people.now} usual=${u.people.usual} isPast />
    </div>
    <${j} stream=${e[t]} />
    <div class="summary-parts">
      ${g.map(([e,t])=>_`<${N} key=${e} title=${e} lines=${t} />`)}
    </div>
    <${M} stream=${e[t]} />`}export{P as Summary};