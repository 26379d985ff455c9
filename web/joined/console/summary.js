
import{n as e}from"./figures.js";import{C as t,T as n,v as r}from"./first.js";import{c as i,d as a,f as o,n as s,o as c,s as l}from"./streams.js";import{n as u}from"./actions.js";import{r as d}from"./rows.js";import{t as f}from"./follow.js";import{n as p,t as m}from"./plot.js";import{n as h}from"./forms.js";import{A as g,S as _,g as v,h as y,k as b,m as x,t as S,w as C}from"./common.js";import{t as w}from"./length.js";import{a as T,s as E}from"./sentences.js";const D=e=>new Date(e).toISOString();async function O(e,t,n){let r=[];for await(let i of e.list(t,{query:{limit:1e3,...n}}))r.push(i);return r}async function k(t,n){let[{from:r,to:i}]=n,o=new a(r,i),c={created_after:D(r-1),created_before:D(i+1)},[u,d,f,p,m]=await Promise.all([Promise.all(n.slice(0,4).map(e=>s(t,e))),e(t,{board:`messages`,from:r,to:i,limit:5}),e(t,{board:`bits`,from:r,to:i,limit:5}),O(t,`/documents`,c),O(t,`/purchases`,c),o.list(t)]),[h,...g]=u;return{counter:o,people:{now:h,usual:g.length>0?l(g):void 0},chatters:d,cheerers:f,letters:p,purchases:m}}const A=({place:e})=>e?`${e}. `:``,j=e=>A(e)+[e.user?.name,e.text].filter(Boolean).join(` · `);function M(e,{counter:n,chatters:r,cheerers:i,letters:a,purchases:o}){let{events:s}=n,c=({user_id:e,user_name:t})=>({user_id:e,name:t}),l=t=>({value:n,user:r},i)=>({place:i+1,user:r,text:e(t,{many:n})}),u=e=>e.event_type===`subscriber`&&(e.subscribed_length??1)<=1,d=/* @__PURE__ */ new Map;for(let{name:e,quantity:t,price:n}of o.filter(({status:e})=>e!==`refunded`)){let r=d.get(e)??{many:0,price:0};d.set(e,{many:r.many+t,price:r.price+n})}return[[`summary.new`,[...new Map(s.filter(u).map(e=>[e.user_id,{user:c(e)}])).values()]],[`summary.chatters`,r.map(l(`summary.messages`))],[`summary.cheerers`,i.map(l(`summary.bits`))],[`summary.raids`,s.filter(e=>t(e)===`raid`).map(t=>({user:c(t),text:e(`summary.viewers`,{many:t.viewer_count??0})}))],[`summary.letters`,a.length>0?[{text:e(`summary.many_letters`,{many:a.length}),letters:a}]:[]],[`summary.sold`,[...d].map(([t,{many:n,price:r}])=>({text:`${e(`purchase.many`,{many:n,name:t})} · ${E(r,e)}`}))]]}function N({stream:{from:e,to:t}}){let{client:n,say:r}=_(),i={from:D(e),to:D(t),by:`hour`},{value:a,error:o,reload:s}=S(()=>n.get(`/statistics`,{query:i}),e);if(!a)return o?g`<${y} error=${o} onRetry=${s} />`:g`<${v} rows=${1} shape="plots" />`;let c=a.map(e=>Date.parse(e.from));return g`<div class="summary-hours"><${m} title=${r(`summary.hours_of`)} times=${c} zone=${T}
    series=${p(a,r)} isHourly /></div>`}function P({stream:{from:e,to:i}}){let{say:a}=_(),o=b(()=>Object.assign(n=>{let a=Date.parse(n.occurred_at);return r.has(t(n))&&a>=e&&a<=i},{key:String(e)}),[e]),s=new URLSearchParams({occurred_after:D(e-1e3),occurred_before:D(i+1e3)}),c=f({paths:b(()=>n(r).map(e=>`${e}&${s}`),[e]),matches:o});return g`<h2>${a(`summary.events`)}</h2>
    <${d} chunks=${c.chunks} newIds=${c.newIds} label=${a(`summary.events`)} />
    <${x} list=${c} />
    <div>${c.size===0&&!c.busy&&!c.error&&g`<p class="quiet">${a(`summary.quiet`)}</p>`}</div>`}function F({title:e,lines:t}){let{say:n}=_(),[r,i]=C(!1),a=t.length-6;return g`<section class="card">
    <h2>${n(e)}</h2>
    <ul>${t.slice(0,r?void 0:6).map(e=>g`<li class=${e.letters?``:`spread`}>
      <span dir="auto">${e.user?g`${A(e)}<a href=${`#/viewers/${e.user.user_id}`}>${e.user.name}</a>`:e.text}</span>${` `}
      ${e.user&&e.text&&g`<span class="amount">${e.text}</span>`}
      ${e.letters&&g`<div class="thumbnails">${e.letters.slice(0,6).map(e=>g`
        <a key=${e.document_id} href=${`#/letters/${e.document_id}`}>
          <${u} source=${e} label=${`${n(`overlay.document`)}, ${n.clock(e.created_at)}`} /></a>`)}</div>`}
    </li>`)}</ul>
    ${a>0&&g`<button class="quiet" aria-expanded=${r} onClick=${()=>i(!r)}>
      ${r?n(`less`):n(`count_more`,{many:a})}</button>`}
  </section>`}function I({streams:e,index:t}){let{client:n,say:r}=_(),{from:a}=e[t],{value:s,error:l,reload:u}=S(()=>k(n,e.slice(t)),a),d=c(e.slice(t))?.(1/0);if(!s)return l?g`<${y} error=${l} onRetry=${u} />`:g`<${v} rows=${6} />`;let f=s.counter.figuresTo(1/0),p=M(r,s).filter(([,e])=>e.length>0),m=[r(`summary.of`,{time:r.time(a),length:w(e[t],r)}),o.map(e=>`${r(`figure.${e}`)} ${r.number(f[e])}`).join(` · `),...p.map(([e,t])=>`${r(e)}: ${t.map(j).join(`, `)}`)].join(`
`);return g`<div class="bar summary-head">
      <p class="quiet">${r(d?`summary.compared`:`summary.first`)}</p>
      <${h} text=${m} label=${r(`summary.copy`)} />
    </div>
    <div class="figures">
      ${o.map(e=>g`<${i} key=${e} name=${e} value=${f[e]}
        usual=${d?.[e]} isPast />`)}
      <${i} name="people" value=${s.people.now} usual=${s.people.usual} isPast />
    </div>
    <${N} stream=${e[t]} />
    <div class="summary-parts">
      ${p.map(([e,t])=>g`<${F} key=${e} title=${e} lines=${t} />`)}
    </div>
    <${P} stream=${e[t]} />`}export{I as Summary};