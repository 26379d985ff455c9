
import{n as e}from"./figures.js";import{C as t,T as n,v as r}from"./first.js";import{c as i,l as a,n as o,o as s,s as c}from"./streams.js";import{n as l}from"./actions.js";import{r as u}from"./rows.js";import{t as d}from"./follow.js";import{n as f,t as p}from"./plot.js";import{n as m}from"./forms.js";import{A as h,C as g,_,g as v,h as y,k as b,t as x,w as S}from"./common.js";import{t as C}from"./figure.js";import{t as w}from"./length.js";import{a as T,s as E}from"./sentences.js";const D=e=>new Date(e).toISOString();async function O(e,t,n){let r=[];for await(let i of e.list(t,{query:{limit:1e3,...n}}))r.push(i);return r}async function k(t,n){let[{from:r,to:a}]=n,s=new i(r,a),l={created_after:D(r-1),created_before:D(a+1)},[u,d,f,p,m]=await Promise.all([Promise.all(n.slice(0,4).map(e=>o(t,e))),e(t,{board:`messages`,from:r,to:a,limit:5}),e(t,{board:`bits`,from:r,to:a,limit:5}),O(t,`/documents`,l),O(t,`/purchases`,l),s.list(t)]),[h,...g]=u;return{counter:s,people:{now:h,usual:g.length>0?c(g):void 0},chatters:d,cheerers:f,letters:p,purchases:m}}const A=({place:e})=>e?`${e}. `:``,j=e=>A(e)+[e.user?.name,e.text].filter(Boolean).join(` · `);function M(e,{counter:n,chatters:r,cheerers:i,letters:a,purchases:o}){let{events:s}=n,c=({user_id:e,user_name:t})=>({user_id:e,name:t}),l=t=>({value:n,user:r},i)=>({place:i+1,user:r,text:e(t,{many:n})}),u=e=>e.event_type===`subscriber`&&(e.subscribed_length??1)<=1,d=/* @__PURE__ */ new Map;for(let{name:e,quantity:t,price:n}of o.filter(({status:e})=>e!==`refunded`)){let r=d.get(e)??{many:0,price:0};d.set(e,{many:r.many+t,price:r.price+n})}return[[`summary.new`,[...new Map(s.filter(u).map(e=>[e.user_id,{user:c(e)}])).values()]],[`summary.chatters`,r.map(l(`summary.messages`))],[`summary.cheerers`,i.map(l(`summary.bits`))],[`summary.raids`,s.filter(e=>t(e)===`raid`).map(t=>({user:c(t),text:e(`summary.viewers`,{many:t.viewer_count??0})}))],[`summary.letters`,a.length>0?[{text:e(`summary.many_letters`,{many:a.length}),letters:a}]:[]],[`summary.sold`,[...d].map(([t,{many:n,price:r}])=>({text:`${e(`purchase.many`,{many:n,name:t})} · ${E(r,e)}`}))]]}function N({stream:{from:e,to:t}}){let{client:n,say:r}=g(),i={from:D(e),to:D(t),by:`hour`},{value:a,error:o,reload:s}=x(()=>n.get(`/statistics`,{query:i}),e);if(!a)return o?h`<${v} error=${o} onRetry=${s} />`:h`<${_} rows=${1} shape="plots" />`;let c=a.map(e=>Date.parse(e.from));return h`<div class="summary-hours"><${p} title=${r(`summary.hours_of`)} times=${c} zone=${T}
    series=${f(a,r)} isHourly /></div>`}function P({stream:{from:e,to:i}}){let{say:a}=g(),o=b(()=>Object.assign(n=>{let a=Date.parse(n.occurred_at);return r.has(t(n))&&a>=e&&a<=i},{key:String(e)}),[e]),s=new URLSearchParams({occurred_after:D(e-1e3),occurred_before:D(i+1e3)}),c=d({paths:b(()=>n(r).map(e=>`${e}&${s}`),[e]),matches:o});return h`<h2>${a(`summary.events`)}</h2>
    <${u} chunks=${c.chunks} newIds=${c.newIds} label=${a(`summary.events`)} />
    <${y} list=${c} />
    ${c.size===0&&!c.busy&&!c.error&&h`<p class="quiet">${a(`summary.quiet`)}</p>`}`}function F({title:e,lines:t}){let{say:n}=g(),[r,i]=S(!1),a=t.length-6;return h`<section class="card">
    <h2>${n(e)}</h2>
    <ul>${t.slice(0,r?void 0:6).map(e=>h`<li class=${e.letters?``:`spread`}>
      <span dir="auto">${e.user?h`${A(e)}<a href=${`#/viewers/${e.user.user_id}`}>${e.user.name}</a>`:e.text}</span>${` `}
      ${e.user&&e.text&&h`<span class="amount">${e.text}</span>`}
      ${e.letters&&h`<div class="thumbnails">${e.letters.slice(0,6).map(e=>h`
        <a key=${e.document_id} href=${`#/letters/${e.document_id}`}>
          <${l} source=${e} label=${`${n(`overlay.document`)}, ${n.clock(e.created_at)}`} /></a>`)}</div>`}
    </li>`)}</ul>
    ${a>0&&h`<button class="quiet" aria-expanded=${r} onClick=${()=>i(!r)}>
      ${r?n(`less`):n(`count_more`,{many:a})}</button>`}
  </section>`}function I({streams:e,index:t}){let{client:n,say:r}=g(),{from:i}=e[t],{value:o,error:c,reload:l}=x(()=>k(n,e.slice(t)),i),u=s(e.slice(t))?.(1/0);if(!o)return c?h`<${v} error=${c} onRetry=${l} />`:h`<${_} rows=${6} />`;let d=o.counter.figuresTo(1/0),f=M(r,o).filter(([,e])=>e.length>0),p=[r(`summary.of`,{time:r.time(i),length:w(e[t],r)}),a.map(e=>`${r(`figure.${e}`)} ${r.number(d[e])}`).join(` · `),...f.map(([e,t])=>`${r(e)}: ${t.map(j).join(`, `)}`)].join(`
`);return h`<div class="bar summary-head">
      <p class="quiet">${r(u?`summary.compared`:`summary.first`)}</p>
      <${m} text=${p} label=${r(`summary.copy`)} />
    </div>
    <div class="figures">
      ${a.map(e=>h`<${C} key=${e} name=${e} value=${d[e]}
        usual=${u?.[e]} isPast />`)}
      <${C} name="people" value=${o.people.now} usual=${o.people.usual} isPast />
    </div>
    <${N} stream=${e[t]} />
    <div class="summary-parts">
      ${f.map(([e,t])=>h`<${F} key=${e} title=${e} lines=${t} />`)}
    </div>
    <${P} stream=${e[t]} />`}export{I as Summary};