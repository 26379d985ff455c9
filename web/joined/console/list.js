
import{a as e,c as t,o as n,r,s as i,t as a}from"./stream.js";import{A as o,C as s,G as c,N as l,P as u,R as d,g as f,r as p,z as m}from"./common.js";import{n as h}from"./figures.js";import{b as g}from"./first.js";import{n as _}from"./units.js";const v=e=>new Date(e).toISOString();async function y(e,t,n){let r=[];for await(let i of e.list(t,{query:{limit:1e3,...n}}))r.push(i);return r}async function b(e,{from:t,to:n}){let r=new i(t,n),a={created_after:v(t-1),created_before:v(n+1)},[o,s,c,l]=await Promise.all([h(e,{board:`messages`,from:t,to:n,limit:5}),h(e,{board:`bits`,from:t,to:n,limit:5}),y(e,`/documents`,a),y(e,`/purchases`,a),r.list(e)]);return{counter:r,chatters:o,cheerers:s,letters:c,purchases:l}}function x(e,{counter:t,chatters:n,cheerers:r,letters:i,purchases:a}){let{events:o}=t,s=t=>({value:n,user:r},i)=>`${i+1}. ${r.name} · ${e(t,{many:n})}`,c=e=>e.event_type===`subscriber`&&(e.subscribed_length??1)<=1,l=/* @__PURE__ */ new Map;for(let{name:e,quantity:t,price:n}of a.filter(({status:e})=>e!==`refunded`)){let r=l.get(e)??{many:0,price:0};l.set(e,{many:r.many+t,price:r.price+n})}return[[`summary.new`,[...new Set(o.filter(c).map(({user_name:e})=>e))]],[`summary.chatters`,n.map(s(`summary.messages`))],[`summary.cheerers`,r.map(s(`summary.bits`))],[`summary.raids`,o.filter(e=>g(e)===`raid`).map(({user_name:t,viewer_count:n})=>`${t} · ${e(`summary.viewers`,{many:n??0})}`)],[`summary.letters`,i.length>0?[e(`summary.many_letters`,{many:i.length})]:[]],[`summary.sold`,[...l].map(([t,{many:n,price:r}])=>`${e(`purchase.many`,{many:n,name:t})} · ${_(r,e)}`)]]}function S({streams:e,index:i}){let{client:o,say:s}=d(),{from:m,to:h}=e[i],{value:g,error:_,reload:v}=f(()=>b(o,e[i]),m),y=n(e.slice(i))?.(h-m);if(!g)return _?c`<${l} error=${_} onRetry=${v} />`:c`<${u} rows=${6} />`;let S=g.counter.figuresTo(1/0),C=x(s,g).filter(([,e])=>e.length>0),w=[s(`summary.of`,{time:s.time(m),length:r(h-m,!0)}),t.map(e=>`${s(`figure.${e}`)} ${s.number(S[e])}`).join(` · `),...C.map(([e,t])=>`${s(e)}: ${t.join(`, `)}`)].join(`
`);return c`<p class="quiet">${s(y?`summary.compared`:`summary.first`)}</p>
    <div class="figures">
      ${t.map(e=>c`<${a} key=${e} name=${e} value=${S[e]}
        usual=${y?.[e]??0} isPast />`)}
    </div>
    <div class="summary-parts">
      ${C.map(([e,t])=>c`<section key=${e} class="card">
        <h2>${s(e)}</h2>
        <ul>${t.map(e=>c`<li dir="auto">${e}</li>`)}</ul>
      </section>`)}
    </div>
    <p class="bar"><${p} text=${w} label=${s(`summary.copy`)} /></p>`}const C=[`subs`,`bits`,`raids`],w=e=>new Date(e).toISOString();async function T(e,t){let n=new i(t[t.length-1].from,t[0].to),r={source:`twitch/channel.update`,occurred_before:w(t[0].to),limit:1e3},[a,o]=await Promise.all([e.page(`/events`,{query:r}),Promise.all(t.map(({from:t,to:n})=>e.get(`/leaderboards/events`,{query:{from:w(t),to:w(n),limit:1e3}}))),n.list(e)]);return t.map(({from:e,to:t},r)=>{let{title:i,category_name:s}=a.records.find(e=>Date.parse(e.occurred_at)<=t)?.details??{};return{from:e,to:t,...n.figuresIn(e,t),viewers:o[r].length,title:i,category:s}})}function E({value:e,usual:t}){let{say:n}=d(),r=t?(e-t)/t:0,i=Math.abs(r)<.1?``:r>0?`▲`:`▼`,a=c`<span class=${`trend ${r>0?`good`:`quiet`}`}
    title=${i&&n(`compare.usual`,{value:n.compact(Math.round(t??0))})}>${i}</span>`;return c`<td class="amount">${n.compact(e)}
    ${a}
  </td>`}function D({streams:e}){let{client:t,say:n}=d(),[i,a]=m(12),o=e.slice(0,i),u=e.slice(0,i+3),{value:p,error:h,reload:g}=f(()=>T(t,u),`${i} ${u[0].from}`),_=(e,t)=>{let n=(p??[]).slice(e+1,e+1+3);return n.length?n.reduce((e,n)=>e+n[t],0)/n.length:null},v=e=>({label:e,className:`amount`}),y=[n(`summary.stream`),n(`summary.title`),v(n(`summary.length`)),...C.map(e=>v(n(`figure.${e}`))),v(n(`summary.people`))];return c`<${l} error=${h} onRetry=${g} />
    <section class="card streams">
      <${s} label=${n(`nav.streams`)} columns=${y}>
        ${o.map(({from:e,to:t},i)=>{let a=p?.[i],o=a?[...C,`viewers`].map(e=>c`<${E} key=${e} value=${a[e]} usual=${_(i,e)} />`):[...C,`viewers`].map(e=>c`<td key=${e} class="amount quiet">…</td>`);return c`<tr key=${e}>
            <td><a class="name" href=${`#/streams/${e}`}>${n.time(e)}</a></td>
            <td class="title" dir="auto">${a?a.title??`–`:`…`} <span class="quiet">${a?.category}</span></td>
            <td class="amount">${r(t-e,!0)}</td>${o}
          </tr>`})}
      <//>
    </section>
    <p class="quiet">${n(`summary.arrows`)}</p>
    ${e.length>i&&c`<p><button onClick=${()=>a(i+12)}>${n(`more`)}</button></p>`}`}function O({id:t}){let{client:n,say:r}=d(),{value:i,error:a,reload:s}=f(()=>e(n,[],1e3),`streams of all time`),p=i?.filter(({to:e})=>e!==null),m=p?.findIndex(({from:e})=>String(e)===t)??-1;return c`${t&&c`<p><a href="#/streams">${r(`summary.all`)}</a></p>`}
    <h1>${m<0?r(`nav.streams`):r.time(p[m].from)}</h1>
    ${!p&&(a?c`<${l} error=${a} onRetry=${s} />`:c`<${u} rows=${6} />`)}
    ${p?.length===0&&c`<${o}>${r(`summary.none`)}<//>`}
    ${p?.length>0&&m<0&&c`<${D} streams=${p} />`}
    ${m>=0&&c`<${S} key=${t} streams=${p} index=${m} />`}`}export{O as View};