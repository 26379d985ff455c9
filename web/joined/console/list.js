
import{a as e,c as t,o as n,r,s as i,t as a}from"./stream.js";import{D as o,H as s,L as c,P as l,R as u,U as d,Y as f,g as p,r as m}from"./common.js";import{t as h}from"./title.js";import{n as g}from"./figures.js";import{x as _}from"./first.js";import{n as v}from"./actions.js";import{n as y}from"./units.js";const b=e=>new Date(e).toISOString();async function x(e,t,n){let r=[];for await(let i of e.list(t,{query:{limit:1e3,...n}}))r.push(i);return r}async function S(e,{from:t,to:n}){let r=new i(t,n),a={created_after:b(t-1),created_before:b(n+1)},[o,s,c,l]=await Promise.all([g(e,{board:`messages`,from:t,to:n,limit:5}),g(e,{board:`bits`,from:t,to:n,limit:5}),x(e,`/documents`,a),x(e,`/purchases`,a),r.list(e)]);return{counter:r,chatters:o,cheerers:s,letters:c,purchases:l}}const C=({place:e})=>e?`${e}. `:``,w=e=>C(e)+[e.user?.name,e.text].filter(Boolean).join(` · `);function T(e,{counter:t,chatters:n,cheerers:r,letters:i,purchases:a}){let{events:o}=t,s=({user_id:e,user_name:t})=>({user_id:e,name:t}),c=t=>({value:n,user:r},i)=>({place:i+1,user:r,text:e(t,{many:n})}),l=e=>e.event_type===`subscriber`&&(e.subscribed_length??1)<=1,u=/* @__PURE__ */ new Map;for(let{name:e,quantity:t,price:n}of a.filter(({status:e})=>e!==`refunded`)){let r=u.get(e)??{many:0,price:0};u.set(e,{many:r.many+t,price:r.price+n})}return[[`summary.new`,[...new Map(o.filter(l).map(e=>[e.user_id,{user:s(e)}])).values()]],[`summary.chatters`,n.map(c(`summary.messages`))],[`summary.cheerers`,r.map(c(`summary.bits`))],[`summary.raids`,o.filter(e=>_(e)===`raid`).map(t=>({user:s(t),text:e(`summary.viewers`,{many:t.viewer_count??0})}))],[`summary.letters`,i.length>0?[{text:e(`summary.many_letters`,{many:i.length}),letters:i}]:[]],[`summary.sold`,[...u].map(([t,{many:n,price:r}])=>({text:`${e(`purchase.many`,{many:n,name:t})} · ${y(r,e)}`}))]]}function E({streams:e,index:i}){let{client:o,say:l}=s(),{from:d,to:h}=e[i],{value:g,error:_,reload:y}=p(()=>S(o,e[i]),d),b=n(e.slice(i))?.(h-d);if(!g)return _?f`<${c} error=${_} onRetry=${y} />`:f`<${u} rows=${6} />`;let x=g.counter.figuresTo(1/0),E=T(l,g).filter(([,e])=>e.length>0),D=[l(`summary.of`,{time:l.time(d),length:r(h-d,!0)}),t.map(e=>`${l(`figure.${e}`)} ${l.number(x[e])}`).join(` · `),...E.map(([e,t])=>`${l(e)}: ${t.map(w).join(`, `)}`)].join(`
`);return f`<div class="bar summary-head">
      <p class="quiet">${l(b?`summary.compared`:`summary.first`)}</p>
      <${m} text=${D} label=${l(`summary.copy`)} />
    </div>
    <div class="figures">
      ${t.map(e=>f`<${a} key=${e} name=${e} value=${x[e]}
        usual=${b?.[e]??0} isPast />`)}
    </div>
    <div class="summary-parts">
      ${E.map(([e,t])=>f`<section key=${e} class="card">
        <h2>${l(e)}</h2>
        <ul>${t.map(e=>f`<li dir="auto">
          ${e.user?f`${C(e)}<a href=${`#/viewers/${e.user.user_id}`}>${e.user.name}</a>${e.text&&` · ${e.text}`}`:e.text}
          ${e.letters&&f`<div class="thumbnails">${e.letters.slice(0,6).map(e=>f`
            <a key=${e.document_id} href=${`#/letters/${e.document_id}`}>
              <${v} source=${e} label=${l(`overlay.document`)} /></a>`)}</div>`}
        </li>`)}</ul>
      </section>`)}
    </div>`}const D=`viewers`,O=[`subs`,`bits`,`raids`,D],k=1e3,A=e=>new Date(e).toISOString(),j=(e,t)=>e(t===D?`summary.people`:`figure.${t}`),M=async(e,t,n)=>(await e.page(`/events`,{query:{source:`twitch/channel.update`,occurred_before:A(t),limit:n}})).records;function N(e,{to:t}){let n=e.find(({occurred_at:e})=>Date.parse(e)<=t);return{title:n?.details.title,category:n?.details.category_name}}function P(e,t){let n=new Date(t),r=n.getFullYear()===(/* @__PURE__ */ new Date()).getFullYear()?void 0:`numeric`,i=t=>new Intl.DateTimeFormat(e.lang,t).format(n);return[i({weekday:`short`,day:`numeric`,month:`short`,year:r}),i({timeStyle:`short`})]}async function F(e,t){let n=new i(t[t.length-1].from,t[0].to),[r,a]=await Promise.all([M(e,t[0].to,1e3),Promise.all(t.map(({from:t,to:n})=>e.get(`/leaderboards/events`,{query:{from:A(t),to:A(n),limit:k}}))),n.list(e)]);return t.map((e,t)=>({...n.figuresIn(e.from,e.to),viewers:a[t].length,...N(r,e)}))}function I({name:e,value:t,usual:n}){let{say:r}=s(),i=n?(t-n)/n:0,a=Math.abs(i)<.1?``:i>0?`▲`:`▼`,o=f`<span class=${`trend ${i>0?`good`:`quiet`}`}
    title=${a&&r(`compare.usual`,{value:r.compact(Math.round(n??0))})}>${a}</span>`;return f`<td class="amount" data-label=${j(r,e)}>${r.compact(t)}${e===D&&t===k&&`+`}
    ${o}
  </td>`}function L({streams:e}){let{client:t,say:n}=s(),[i,a]=d(12),l=e.slice(0,i),u=e.slice(0,i+3),{value:m,error:h,reload:g}=p(()=>F(t,u),`${i} ${u[0].from}`),_=(e,t)=>{let n=(m??[]).slice(e+1,e+1+3);return n.length?n.reduce((e,n)=>e+n[t],0)/n.length:null},v=e=>({label:e,className:`amount`}),y=[n(`summary.stream`),n(`summary.title`),v(n(`summary.length`)),...O.map(e=>v(j(n,e)))];return f`<${c} error=${h} onRetry=${g} />
    <section class="card streams">
      <${o} label=${n(`nav.streams`)} columns=${y}>
        ${l.map(({from:e,to:t},i)=>{let a=m?.[i],o=a?O.map(e=>f`<${I} key=${e} name=${e} value=${a[e]} usual=${_(i,e)} />`):O.map(e=>f`<td key=${e} class="amount quiet" data-label=${j(n,e)}>…</td>`),[s,c]=P(n,e);return f`<tr key=${e}>
            <td><a class="name" href=${`#/streams/${e}`}>${s}</a> <span class="quiet">${c}</span></td>
            <td class="title" dir="auto">${a?a.title??`–`:`…`} <span class="quiet">${a?.category}</span></td>
            <td class="amount" data-label=${n(`summary.length`)}>${r(t-e,!0)}</td>${o}
          </tr>`})}
      <//>
    </section>
    <p class="quiet">${n(`summary.arrows`)}</p>
    ${e.length>i&&f`<p><button onClick=${()=>a(i+12)}>${n(`more`)}</button></p>`}`}function R({stream:e}){let{client:t,say:n}=s(),{value:i}=p(async()=>N(await M(t,e.to,1),e),e.from),a=i?.title??n.time(e.from);return h(a),f`<h1 dir="auto">${a}</h1>
    <p class="quiet">${[i?.title&&n.time(e.from),n(`summary.hours`,{length:r(e.to-e.from,!0)}),i?.category].filter(Boolean).join(` · `)}</p>`}function z({id:t}){let{client:n,say:r}=s(),{value:i,error:a,reload:o}=p(()=>e(n,[],1e3),`streams of all time`),d=i?.filter(({to:e})=>e!==null),m=d?.findIndex(({from:e})=>String(e)===t)??-1;return f`${t&&f`<p><a href="#/streams">${r(`summary.all`)}</a></p>`}
    ${m<0?f`<h1>${r(`nav.streams`)}</h1>`:f`<${R} key=${t} stream=${d[m]} />`}
    ${!d&&(a?f`<${c} error=${a} onRetry=${o} />`:f`<${u} rows=${6} />`)}
    ${t&&d&&m<0&&f`<${c} error=${{status:404}} />`}
    ${d?.length===0&&f`<${l}>${r(`summary.none`)}<//>`}
    ${d?.length>0&&!t&&f`<${L} streams=${d} />`}
    ${m>=0&&f`<${E} key=${t} streams=${d} index=${m} />`}`}export{z as View};