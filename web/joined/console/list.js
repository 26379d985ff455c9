
import{a as e,c as t,o as n,r,s as i,t as a}from"./stream.js";import{A as o,C as s,G as c,N as l,P as u,R as d,g as f,r as p,z as m}from"./common.js";import{n as h}from"./figures.js";import{x as g}from"./first.js";import{n as _}from"./units.js";const v=e=>new Date(e).toISOString();async function y(e,t,n){let r=[];for await(let i of e.list(t,{query:{limit:1e3,...n}}))r.push(i);return r}async function b(e,{from:t,to:n}){let r=new i(t,n),a={created_after:v(t-1),created_before:v(n+1)},[o,s,c,l]=await Promise.all([h(e,{board:`messages`,from:t,to:n,limit:5}),h(e,{board:`bits`,from:t,to:n,limit:5}),y(e,`/documents`,a),y(e,`/purchases`,a),r.list(e)]);return{counter:r,chatters:o,cheerers:s,letters:c,purchases:l}}const x=({place:e})=>e?`${e}. `:``,S=e=>x(e)+[e.user?.name,e.text].filter(Boolean).join(` · `);function C(e,{counter:t,chatters:n,cheerers:r,letters:i,purchases:a}){let{events:o}=t,s=({user_id:e,user_name:t})=>({user_id:e,name:t}),c=t=>({value:n,user:r},i)=>({place:i+1,user:r,text:e(t,{many:n})}),l=e=>e.event_type===`subscriber`&&(e.subscribed_length??1)<=1,u=/* @__PURE__ */ new Map;for(let{name:e,quantity:t,price:n}of a.filter(({status:e})=>e!==`refunded`)){let r=u.get(e)??{many:0,price:0};u.set(e,{many:r.many+t,price:r.price+n})}return[[`summary.new`,[...new Map(o.filter(l).map(e=>[e.user_id,{user:s(e)}])).values()]],[`summary.chatters`,n.map(c(`summary.messages`))],[`summary.cheerers`,r.map(c(`summary.bits`))],[`summary.raids`,o.filter(e=>g(e)===`raid`).map(t=>({user:s(t),text:e(`summary.viewers`,{many:t.viewer_count??0})}))],[`summary.letters`,i.length>0?[{text:e(`summary.many_letters`,{many:i.length})}]:[]],[`summary.sold`,[...u].map(([t,{many:n,price:r}])=>({text:`${e(`purchase.many`,{many:n,name:t})} · ${_(r,e)}`}))]]}function w({streams:e,index:i}){let{client:o,say:s}=d(),{from:m,to:h}=e[i],{value:g,error:_,reload:v}=f(()=>b(o,e[i]),m),y=n(e.slice(i))?.(h-m);if(!g)return _?c`<${l} error=${_} onRetry=${v} />`:c`<${u} rows=${6} />`;let w=g.counter.figuresTo(1/0),T=C(s,g).filter(([,e])=>e.length>0),E=[s(`summary.of`,{time:s.time(m),length:r(h-m,!0)}),t.map(e=>`${s(`figure.${e}`)} ${s.number(w[e])}`).join(` · `),...T.map(([e,t])=>`${s(e)}: ${t.map(S).join(`, `)}`)].join(`
`);return c`<p class="quiet">${s(y?`summary.compared`:`summary.first`)}</p>
    <div class="figures">
      ${t.map(e=>c`<${a} key=${e} name=${e} value=${w[e]}
        usual=${y?.[e]??0} isPast />`)}
    </div>
    <div class="summary-parts">
      ${T.map(([e,t])=>c`<section key=${e} class="card">
        <h2>${s(e)}</h2>
        <ul>${t.map(e=>c`<li dir="auto">
          ${e.user?c`${x(e)}<a href=${`#/viewers/${e.user.user_id}`}>${e.user.name}</a>${e.text&&` · ${e.text}`}`:e.text}
        </li>`)}</ul>
      </section>`)}
    </div>
    <p class="bar"><${p} text=${E} label=${s(`summary.copy`)} /></p>`}const T=`viewers`,E=[`subs`,`bits`,`raids`,T],D=1e3,O=e=>new Date(e).toISOString(),k=(e,t)=>e(t===T?`summary.people`:`figure.${t}`),A=async(e,t,n)=>(await e.page(`/events`,{query:{source:`twitch/channel.update`,occurred_before:O(t),limit:n}})).records;function j(e,{to:t}){let n=e.find(({occurred_at:e})=>Date.parse(e)<=t);return{title:n?.details.title,category:n?.details.category_name}}async function M(e,t){let n=new i(t[t.length-1].from,t[0].to),[r,a]=await Promise.all([A(e,t[0].to,1e3),Promise.all(t.map(({from:t,to:n})=>e.get(`/leaderboards/events`,{query:{from:O(t),to:O(n),limit:D}}))),n.list(e)]);return t.map((e,t)=>({...n.figuresIn(e.from,e.to),viewers:a[t].length,...j(r,e)}))}function N({name:e,value:t,usual:n}){let{say:r}=d(),i=n?(t-n)/n:0,a=Math.abs(i)<.1?``:i>0?`▲`:`▼`,o=c`<span class=${`trend ${i>0?`good`:`quiet`}`}
    title=${a&&r(`compare.usual`,{value:r.compact(Math.round(n??0))})}>${a}</span>`;return c`<td class="amount" data-label=${k(r,e)}>${r.compact(t)}${e===T&&t===D&&`+`}
    ${o}
  </td>`}function P({streams:e}){let{client:t,say:n}=d(),[i,a]=m(12),o=e.slice(0,i),u=e.slice(0,i+3),{value:p,error:h,reload:g}=f(()=>M(t,u),`${i} ${u[0].from}`),_=(e,t)=>{let n=(p??[]).slice(e+1,e+1+3);return n.length?n.reduce((e,n)=>e+n[t],0)/n.length:null},v=e=>({label:e,className:`amount`}),y=[n(`summary.stream`),n(`summary.title`),v(n(`summary.length`)),...E.map(e=>v(k(n,e)))];return c`<${l} error=${h} onRetry=${g} />
    <section class="card streams">
      <${s} label=${n(`nav.streams`)} columns=${y}>
        ${o.map(({from:e,to:t},i)=>{let a=p?.[i],o=a?E.map(e=>c`<${N} key=${e} name=${e} value=${a[e]} usual=${_(i,e)} />`):E.map(e=>c`<td key=${e} class="amount quiet" data-label=${k(n,e)}>…</td>`);return c`<tr key=${e}>
            <td><a class="name" href=${`#/streams/${e}`}>${n.time(e)}</a></td>
            <td class="title" dir="auto">${a?a.title??`–`:`…`} <span class="quiet">${a?.category}</span></td>
            <td class="amount" data-label=${n(`summary.length`)}>${r(t-e,!0)}</td>${o}
          </tr>`})}
      <//>
    </section>
    <p class="quiet">${n(`summary.arrows`)}</p>
    ${e.length>i&&c`<p><button onClick=${()=>a(i+12)}>${n(`more`)}</button></p>`}`}function F({stream:e}){let{client:t,say:n}=d(),{value:i}=f(async()=>j(await A(t,e.to,1),e),e.from);return c`<h1 dir="auto">${i?.title??n.time(e.from)}</h1>
    <p class="quiet">${[i?.title&&n.time(e.from),n(`summary.hours`,{length:r(e.to-e.from,!0)}),i?.category].filter(Boolean).join(` · `)}</p>`}function I({id:t}){let{client:n,say:r}=d(),{value:i,error:a,reload:s}=f(()=>e(n,[],1e3),`streams of all time`),p=i?.filter(({to:e})=>e!==null),m=p?.findIndex(({from:e})=>String(e)===t)??-1;return c`${t&&c`<p><a href="#/streams">${r(`summary.all`)}</a></p>`}
    ${m<0?c`<h1>${r(`nav.streams`)}</h1>`:c`<${F} key=${t} stream=${p[m]} />`}
    ${!p&&(a?c`<${l} error=${a} onRetry=${s} />`:c`<${u} rows=${6} />`)}
    ${p?.length===0&&c`<${o}>${r(`summary.none`)}<//>`}
    ${p?.length>0&&m<0&&c`<${P} streams=${p} />`}
    ${m>=0&&c`<${w} key=${t} streams=${p} index=${m} />`}`}export{I as View};