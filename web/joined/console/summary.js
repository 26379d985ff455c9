
import{n as e}from"./figures.js";import{C as t,T as n,v as r}from"./first.js";import{c as i,d as a,f as o,o as s,r as c,s as l,t as u}from"./streams.js";import{n as d}from"./actions.js";import{r as f}from"./rows.js";import{t as p}from"./follow.js";import{n as m,t as h}from"./plot.js";import{n as g}from"./forms.js";import{A as _,S as v,g as y,h as b,k as x,m as S,t as C,w}from"./common.js";import{t as T}from"./length.js";import{a as E,s as D}from"./sentences.js";const O=e=>new Date(e).toISOString();async function k(e,t,n){let r=[];for await(let i of e.list(t,{query:{limit:1e3,...n}}))r.push(i);return r}async function A(t,n){let[{from:r,to:i}]=n,o=new a(r,i),s={created_after:O(r-1),created_before:O(i+1)},[u,d,f,p,m]=await Promise.all([Promise.all(n.slice(0,4).map(e=>c(t,e))),e(t,{board:`messages`,from:r,to:i,limit:5}),e(t,{board:`bits`,from:r,to:i,limit:5}),k(t,`/documents`,s),k(t,`/purchases`,s),o.list(t)]),[h,...g]=u;return{counter:o,people:{now:h,usual:g.length>0?l(g):void 0},chatters:d,cheerers:f,letters:p,purchases:m}}const j=({place:e})=>e?`${e}. `:``,M=e=>j(e)+[e.user?.name,e.text].filter(Boolean).join(` · `);function N(e,{counter:n,chatters:r,cheerers:i,letters:a,purchases:o}){let{events:s}=n,c=({user_id:e,user_name:t})=>({user_id:e,name:t}),l=t=>({value:n,user:r},i)=>({place:i+1,user:r,text:e(t,{many:n})}),u=e=>e.event_type===`subscriber`&&(e.subscribed_length??1)<=1,d=/* @__PURE__ */ new Map;for(let{name:e,quantity:t,price:n}of o.filter(({status:e})=>e!==`refunded`)){let r=d.get(e)??{many:0,price:0};d.set(e,{many:r.many+t,price:r.price+n})}return[[`summary.new`,[...new Map(s.filter(u).map(e=>[e.user_id,{user:c(e)}])).values()]],[`summary.chatters`,r.map(l(`summary.messages`))],[`summary.cheerers`,i.map(l(`summary.bits`))],[`summary.raids`,s.filter(e=>t(e)===`raid`).map(t=>({user:c(t),text:e(`summary.viewers`,{many:t.viewer_count??0})}))],[`summary.letters`,a.length>0?[{text:e(`summary.many_letters`,{many:a.length}),letters:a}]:[]],[`summary.sold`,[...d].map(([t,{many:n,price:r}])=>({text:`${e(`purchase.many`,{many:n,name:t})} · ${D(r,e)}`}))]]}function P({stream:{from:e,to:t}}){let{client:n,say:r}=v(),i={from:O(e),to:O(t),by:`hour`},{value:a,error:o,reload:s}=C(()=>n.get(`/statistics`,{query:i}),e);if(!a)return o?_`<${b} error=${o} onRetry=${s} />`:_`<${y} rows=${1} shape="plots" />`;let c=a.map(e=>Date.parse(e.from));return _`<div class="summary-hours"><${h} title=${r(`summary.hours_of`)} times=${c} zone=${E}
    series=${m(a,r)} isHourly /></div>`}function F({stream:{from:e,to:i}}){let{say:a}=v(),o=x(()=>Object.assign(n=>{let a=Date.parse(n.occurred_at);return r.has(t(n))&&a>=e&&a<=i},{key:String(e)}),[e]),s=new URLSearchParams({occurred_after:O(e-1e3),occurred_before:O(i+1e3)}),c=p({paths:x(()=>n(r).map(e=>`${e}&${s}`),[e]),matches:o});return _`<h2>${a(`summary.events`)}</h2>
    <${f} chunks=${c.chunks} newIds=${c.newIds} label=${a(`summary.events`)} />
    <${S} list=${c} />
    <div>${c.size===0&&!c.busy&&!c.error&&_`<p class="quiet">${a(`summary.quiet`)}</p>`}</div>`}function I({title:e,lines:t}){let{say:n}=v(),[r,i]=w(!1),a=t.length-6;return _`<section class="card">
    <h2>${n(e)}</h2>
    <ul>${t.slice(0,r?void 0:6).map(e=>_`<li class=${e.letters?``:`spread`}>
      <span dir="auto">${e.user?_`${j(e)}<a href=${`#/viewers/${e.user.user_id}`}>${e.user.name}</a>`:e.text}</span>${` `}
      ${e.user&&e.text&&_`<span class="amount">${e.text}</span>`}
      ${e.letters&&_`<div class="thumbnails">${e.letters.slice(0,6).map(e=>_`
        <a key=${e.document_id} href=${`#/letters/${e.document_id}`}>
          <${d} source=${e} label=${`${n(`overlay.document`)}, ${n.clock(e.created_at)}`} /></a>`)}</div>`}
    </li>`)}</ul>
    ${a>0&&_`<button class="quiet" aria-expanded=${r} onClick=${()=>i(!r)}>
      ${r?n(`less`):n(`count_more`,{many:a})}</button>`}
  </section>`}const L=({people:e,counter:t})=>e.now===0&&t.events.length>0;function R({streams:e,index:t}){let{client:n,say:r}=v(),{from:a}=e[t],{value:c,error:l,reload:d}=C(()=>A(n,e.slice(t)),a,e=>L(e)?u:0),f=s(e.slice(t))?.(1/0);if(!c)return l?_`<${b} error=${l} onRetry=${d} />`:_`<${y} rows=${6} />`;let p=c.counter.figuresTo(1/0),m=N(r,c).filter(([,e])=>e.length>0),h={...p,...!L(c)&&{people:c.people.now}},x=[r(`summary.of`,{time:r.time(a),length:T(e[t],r)}),Object.entries(h).map(([e,t])=>`${r(`figure.${e}`)} ${r.number(t)}`).join(` · `),...m.map(([e,t])=>`${r(e)}: ${t.map(M).join(`, `)}`)].join(`
`);return _`<div class="bar summary-head">
      <p class="quiet">${r(f?`summary.compared`:`summary.first`)}</p>
      <${g} text=${x} label=${r(`summary.copy`)} />
    </div>
    <div class="figures">
      ${o.map(e=>_`<${i} key=${e} name=${e} value=${p[e]}
        usual=${f?.[e]} isPast />`)}
      ${!L(c)&&_`<${i} name="people" value=${c.people.now} usual=${c.people.usual} isPast />`}
    </div>
    ${L(c)?_`<p class="quiet" role="status">${r(`top.counting`)}</p>`:_`<${P} stream=${e[t]} />`}
    <div class="summary-parts">
      ${m.map(([e,t])=>_`<${I} key=${e} title=${e} lines=${t} />`)}
    </div>
    <${F} stream=${e[t]} />`}export{R as Summary};