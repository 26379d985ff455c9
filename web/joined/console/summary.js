
import{n as e}from"./figures.js";import{B as t,E as n,J as r,U as i,W as a,k as o,r as s,tt as c,v as l}from"./common.js";import{a as u,c as d,o as f,r as p,s as m,t as h}from"./stream.js";import{n as g}from"./units.js";const _=e=>new Date(e).toISOString();async function v(e,t,n){let r=[];for await(let i of e.list(t,{query:{limit:1e3,...n}}))r.push(i);return r}async function y(t,{from:n,to:r}){let i=new m(n,r),a={created_after:_(n-1),created_before:_(r+1)},[o,s,c,l]=await Promise.all([e(t,{board:`messages`,from:n,to:r,limit:5}),e(t,{board:`bits`,from:n,to:r,limit:5}),v(t,`/documents`,a),v(t,`/purchases`,a),i.list(t)]);return{counter:i,chatters:o,cheerers:s,letters:c,purchases:l}}function b(e,{counter:t,chatters:n,cheerers:r,letters:i,purchases:a}){let{events:o}=t,s=t=>({rank:n,value:r,user:i})=>`${n}. ${i.name} · ${e(t,{many:r})}`,c=e=>e.event_type===`subscriber`&&(e.subscribed_length??1)<=1,u=/* @__PURE__ */ new Map;for(let{name:e,quantity:t,price:n}of a.filter(({status:e})=>e!==`refunded`)){let r=u.get(e)??{many:0,price:0};u.set(e,{many:r.many+t,price:r.price+n})}return[[`summary.new`,[...new Set(o.filter(c).map(({user_name:e})=>e))]],[`summary.chatters`,n.map(s(`summary.messages`))],[`summary.cheerers`,r.map(s(`summary.bits`))],[`summary.raids`,o.filter(e=>l(e)===`raid`).map(({user_name:t,viewer_count:n})=>`${t} · ${e(`summary.viewers`,{many:n??0})}`)],[`summary.letters`,i.length>0?[e(`summary.many_letters`,{many:i.length})]:[]],[`summary.sold`,[...u].map(([t,{many:n,price:r}])=>`${e(`purchase.many`,{many:n,name:t})} · ${g(r,e)}`)]]}function x({streams:e,index:t}){let{client:o,say:l}=r(),{from:u,to:m}=e[t],{value:g,error:_,reload:v}=n(()=>y(o,e[t]),u),x=f(e.slice(t))?.(m-u);if(!g)return _?c`<${i} error=${_} onRetry=${v} />`:c`<${a} rows=${6} />`;let S=g.counter.figuresTo(1/0),C=b(l,g).filter(([,e])=>e.length>0),w=[l(`summary.of`,{time:l.time(u),length:p(m-u,!0)}),d.map(e=>`${l(`figure.${e}`)} ${l.number(S[e])}`).join(` · `),...C.map(([e,t])=>`${l(e)}: ${t.join(`, `)}`)].join(`
`);return c`<p class="quiet">${l(x?`summary.compared`:`summary.first`)}</p>
    <div class="figures">
      ${d.map(e=>c`<${h} key=${e} name=${e} value=${S[e]}
        usual=${x?.[e]??0} elapsed=${m-u} />`)}
    </div>
    <div class="summary-parts">
      ${C.map(([e,t])=>c`<section key=${e} class="card">
        <h2>${l(e)}</h2>
        <ul>${t.map(e=>c`<li dir="auto">${e}</li>`)}</ul>
      </section>`)}
    </div>
    <p class="bar"><${s} text=${w} label=${l(`summary.copy`)} /></p>`}function S({id:e}){let{client:s,say:l}=r(),{value:d,error:f,reload:m}=n(()=>u(s,[],1e3),`streams of all time`),h=d?.filter(({to:e})=>e!==null),g=Math.max(0,h?.findIndex(({from:t})=>String(t)===e)??0),_=h?.map(({from:e,to:t})=>({value:e,label:`${l.time(e)} · ${p(t-e,!0)} h`}));return c`<div class="bar spread"><h1>${l(`nav.streams`)}</h1>
      ${h?.length>0&&c`<${o} label=${l(`summary.stream`)} value=${h[g].from}
        options=${_} onChange=${e=>location.hash=`#/streams/${e.currentTarget.value}`} />`}
    </div>
    ${!h&&(f?c`<${i} error=${f} onRetry=${m} />`:c`<${a} rows=${6} />`)}
    ${h?.length===0&&c`<${t}>${l(`summary.none`)}<//>`}
    ${h?.length>0&&c`<${x} key=${h[g].from} streams=${h} index=${g} />`}`}export{S as View};