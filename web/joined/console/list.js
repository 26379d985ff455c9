
import{a as e,c as t,o as n,r,s as i,t as a}from"./stream.js";import{B as o,E as s,J as c,N as l,U as u,W as d,Y as f,r as p,tt as m,v as h}from"./common.js";import{n as g}from"./figures.js";import{n as _}from"./units.js";const v=e=>new Date(e).toISOString();async function y(e,t,n){let r=[];for await(let i of e.list(t,{query:{limit:1e3,...n}}))r.push(i);return r}async function b(e,{from:t,to:n}){let r=new i(t,n),a={created_after:v(t-1),created_before:v(n+1)},[o,s,c,l]=await Promise.all([g(e,{board:`messages`,from:t,to:n,limit:5}),g(e,{board:`bits`,from:t,to:n,limit:5}),y(e,`/documents`,a),y(e,`/purchases`,a),r.list(e)]);return{counter:r,chatters:o,cheerers:s,letters:c,purchases:l}}function x(e,{counter:t,chatters:n,cheerers:r,letters:i,purchases:a}){let{events:o}=t,s=t=>({value:n,user:r},i)=>`${i+1}. ${r.name} · ${e(t,{many:n})}`,c=e=>e.event_type===`subscriber`&&(e.subscribed_length??1)<=1,l=/* @__PURE__ */ new Map;for(let{name:e,quantity:t,price:n}of a.filter(({status:e})=>e!==`refunded`)){let r=l.get(e)??{many:0,price:0};l.set(e,{many:r.many+t,price:r.price+n})}return[[`summary.new`,[...new Set(o.filter(c).map(({user_name:e})=>e))]],[`summary.chatters`,n.map(s(`summary.messages`))],[`summary.cheerers`,r.map(s(`summary.bits`))],[`summary.raids`,o.filter(e=>h(e)===`raid`).map(({user_name:t,viewer_count:n})=>`${t} · ${e(`summary.viewers`,{many:n??0})}`)],[`summary.letters`,i.length>0?[e(`summary.many_letters`,{many:i.length})]:[]],[`summary.sold`,[...l].map(([t,{many:n,price:r}])=>`${e(`purchase.many`,{many:n,name:t})} · ${_(r,e)}`)]]}function S({streams:e,index:i}){let{client:o,say:l}=c(),{from:f,to:h}=e[i],{value:g,error:_,reload:v}=s(()=>b(o,e[i]),f),y=n(e.slice(i))?.(h-f);if(!g)return _?m`<${u} error=${_} onRetry=${v} />`:m`<${d} rows=${6} />`;let S=g.counter.figuresTo(1/0),C=x(l,g).filter(([,e])=>e.length>0),w=[l(`summary.of`,{time:l.time(f),length:r(h-f,!0)}),t.map(e=>`${l(`figure.${e}`)} ${l.number(S[e])}`).join(` · `),...C.map(([e,t])=>`${l(e)}: ${t.join(`, `)}`)].join(`
`);return m`<p class="quiet">${l(y?`summary.compared`:`summary.first`)}</p>
    <div class="figures">
      ${t.map(e=>m`<${a} key=${e} name=${e} value=${S[e]}
        usual=${y?.[e]??0} isPast />`)}
    </div>
    <div class="summary-parts">
      ${C.map(([e,t])=>m`<section key=${e} class="card">
        <h2>${l(e)}</h2>
        <ul>${t.map(e=>m`<li dir="auto">${e}</li>`)}</ul>
      </section>`)}
    </div>
    <p class="bar"><${p} text=${w} label=${l(`summary.copy`)} /></p>`}const C=[`subs`,`bits`,`raids`],w=e=>new Date(e).toISOString();async function T(e,t){let n=new i(t[t.length-1].from,t[0].to),r={source:`twitch/channel.update`,occurred_before:w(t[0].to),limit:1e3},[a,o]=await Promise.all([e.page(`/events`,{query:r}),Promise.all(t.map(({from:t,to:n})=>e.get(`/leaderboards/events`,{query:{from:w(t),to:w(n),limit:1e3}}))),n.list(e)]);return t.map(({from:e,to:t},r)=>{let{title:i,category_name:s}=a.records.find(e=>Date.parse(e.occurred_at)<=t)?.details??{};return{from:e,to:t,...n.figuresIn(e,t),viewers:o[r].length,title:i,category:s}})}function E({value:e,usual:t}){let{say:n}=c(),r=t?(e-t)/t:0,i=Math.abs(r)<.1?``:r>0?`▲`:`▼`,a=m`<span class=${`trend ${r>0?`good`:`quiet`}`}
    title=${i&&n(`compare.usual`,{value:n.compact(Math.round(t??0))})}>${i}</span>`;return m`<td class="amount">${n.compact(e)}
    ${a}
  </td>`}function D({streams:e}){let{client:t,say:n}=c(),[i,a]=f(12),o=e.slice(0,i),d=e.slice(0,i+3),{value:p,error:h,reload:g}=s(()=>T(t,d),`${i} ${d[0].from}`),_=(e,t)=>{let n=(p??[]).slice(e+1,e+1+3);return n.length?n.reduce((e,n)=>e+n[t],0)/n.length:null},v=e=>({label:e,className:`amount`}),y=[n(`summary.stream`),n(`summary.title`),v(n(`summary.length`)),...C.map(e=>v(n(`figure.${e}`))),v(n(`summary.people`))];return m`<${u} error=${h} onRetry=${g} />
    <section class="card streams">
      <${l} label=${n(`nav.streams`)} columns=${y}>
        ${o.map(({from:e,to:t},i)=>{let a=p?.[i],o=a?[...C,`viewers`].map(e=>m`<${E} key=${e} value=${a[e]} usual=${_(i,e)} />`):[...C,`viewers`].map(e=>m`<td key=${e} class="amount quiet">…</td>`);return m`<tr key=${e}>
            <td><a class="name" href=${`#/streams/${e}`}>${n.time(e)}</a></td>
            <td class="title" dir="auto">${a?a.title??`–`:`…`} <span class="quiet">${a?.category}</span></td>
            <td class="amount">${r(t-e,!0)}</td>${o}
          </tr>`})}
      <//>
    </section>
    <p class="quiet">${n(`summary.arrows`)}</p>
    ${e.length>i&&m`<p><button onClick=${()=>a(i+12)}>${n(`more`)}</button></p>`}`}function O({id:t}){let{client:n,say:r}=c(),{value:i,error:a,reload:l}=s(()=>e(n,[],1e3),`streams of all time`),f=i?.filter(({to:e})=>e!==null),p=f?.findIndex(({from:e})=>String(e)===t)??-1;return m`${t&&m`<p><a href="#/streams">${r(`summary.all`)}</a></p>`}
    <h1>${p<0?r(`nav.streams`):r.time(f[p].from)}</h1>
    ${!f&&(a?m`<${u} error=${a} onRetry=${l} />`:m`<${d} rows=${6} />`)}
    ${f?.length===0&&m`<${o}>${r(`summary.none`)}<//>`}
    ${f?.length>0&&p<0&&m`<${D} streams=${f} />`}
    ${p>=0&&m`<${S} key=${t} streams=${f} index=${p} />`}`}export{O as View};