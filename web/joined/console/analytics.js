
import{D as e,H as t,L as n,P as r,R as i,U as a,W as o,Y as s,g as c,k as l,p as u,q as d}from"./common.js";import{t as f}from"./sources.js";const p=43200,m=matchMedia(`(prefers-color-scheme: dark)`),h=[1,100,1e4,1e6].flatMap(e=>[1,2,5,10,20,50].map(t=>t*e));function g({day:e,left:n,width:r,title:i,series:a,index:c}){let{say:l}=t(),u=d(null);return o(()=>{let{style:e,offsetWidth:t}=u.current;e.left=`${Math.max(0,Math.min(n+12,r-t))}px`}),s`<div ref=${u} class="values">
    <strong>${e}</strong>
    ${a.map(({name:e,color:t,values:n})=>s`
      <span><i style=${{background:`var(${t})`}}></i>${a.length>1?e:i}</span>
      <b>${l.number(n[c])}</b>
    `)}
  </div>`}function _(){let[e,t]=a(m.matches);return o(()=>{let e=()=>t(m.matches);return m.addEventListener(`change`,e),()=>m.removeEventListener(`change`,e)},[]),e}function v({title:r,times:i,series:c,zone:l}){let{say:u,theme:f}=t(),m=d(null),[v,y]=a(null),[b,x]=a(null),[S,C]=a(null);o(()=>{import(`./uplot.js`).then(e=>x(()=>e.default),C)},[]);let w=_(),T=JSON.stringify([i,c]),E=e=>new Intl.DateTimeFormat(u.lang,{timeZone:l,...e});o(()=>{if(!b||i.length===0)return;let e=e=>{m.current.style.color=`var(${e})`;let t=getComputedStyle(m.current).color;return m.current.style.color=``,t},t=e(`--line`),n={font:`12px ${getComputedStyle(m.current).fontFamily}`,stroke:e(`--quiet`),grid:{stroke:t,width:1},ticks:{stroke:t}},r=E({day:`numeric`,month:`short`}),a=i.map(e=>e/1e3),o=(e,t)=>c.slice(0,e+1).reduce((e,{values:n})=>e+n[t],0),s=c.map((e,t)=>i.map((e,n)=>o(t,n)||null)),d=b.paths.bars({size:[.7,40]}),f={width:m.current.clientWidth,height:240,tzDate:e=>b.tzDate(/* @__PURE__ */ new Date(e*1e3),l),series:[{},...c.map(({name:t,color:n})=>({label:t,stroke:e(n),fill:e(n),paths:d,points:{show:!1}})).reverse()],axes:[{...n,values:(e,t)=>t.map(e=>r.format(e*1e3))},{...n,size:60,incrs:h,values:(e,t)=>t.map(e=>u.compact(e))}],scales:{x:{range:[a[0]-p,a[a.length-1]+p]},y:{range:(e,t,n)=>[0,Math.max(1,n*1.08)]}},legend:{show:!1},cursor:{y:!1,drag:{x:!1,y:!1},points:{show:!1}},hooks:{setCursor:[({cursor:{idx:e,left:t},bbox:n})=>{y(e==null||t<0?null:{index:e,left:t+n.left/devicePixelRatio})}]}},g=new b(f,[a,...s.reverse()],m.current),_=new ResizeObserver(()=>g.setSize({width:m.current.clientWidth,height:240}));return _.observe(m.current),()=>{_.disconnect(),g.destroy()}},[b,T,f,w,u]);let D=E({dateStyle:`medium`}),O=({name:e,color:t})=>s`<span><i style=${{background:`var(${t})`}}></i>${e}</span>`,k=[u(`when`),...c.map(({name:e})=>({label:e,className:`amount`}))],A=m.current?.clientWidth??0;return s`<section class="card">
    <h2>${r}</h2>
    <p class="legend">${c.map(O)}</p>
    <${n} error=${S} onRetry=${()=>location.reload()} />
    <div class="plot-area" aria-hidden="true">
      <div ref=${m} class="plot"></div>
      ${v&&i[v.index]!==void 0&&s`<${g} day=${D.format(i[v.index])} ...${{...v,width:A,title:r,series:c}} />`}
    </div>
    <details>
      <summary>${u(`analytics.table`,{title:r})}</summary>
      <${e} label=${r} columns=${k}>
        ${i.map((e,t)=>s`<tr key=${e}>
          <td>${D.format(e)}</td>
          ${c.map(({values:e})=>s`<td class="amount">${u.number(e[t])}</td>`)}
        </tr>`)}
      <//>
    </details>
  </section>`}const y=864e5,b=[7,30,90],x=[`plain`,`subscriber`,`cheer`,`raid`],S=[`bits`,`subscriptions`,`messages`,`raid_viewers`],C=e=>Object.values(e).reduce((e,t)=>e+t,0),w=(e,t)=>e.reduce((e,n)=>e+t(n),0),T={events:({events:e})=>C(e),subs:({events:e})=>e.subscriber,bits:({bits:e})=>e,raids:({events:e})=>e.raid,raiders:({raid_viewers:e})=>e,messages:({events:e})=>e.plain};function E(e){let[t,n]=[`from`,`to`].map(t=>Date.parse(`${e.get(t)}T00:00:00`));if(t<n+y)return{days:Math.round((n-t)/y)+1,from:new Date(t),to:new Date(n+y),isLast:!1};let r=b.find(t=>String(t)===e.get(`days`))??30,i=/* @__PURE__ */ new Date;return{days:r,from:/* @__PURE__ */ new Date(i.getTime()-(r-1)*y),to:i,isLast:!0}}async function D(e,{days:t,from:n,to:r,isLast:i}){let a=(e,t)=>({from:e,to:t,by:`day`}),o=/* @__PURE__ */ new Date(n.getTime()-t*y),[s,c]=await Promise.all([e.request(`GET`,`/statistics`,{query:a(n,i?void 0:r)}),e.get(`/statistics`,{query:a(o,/* @__PURE__ */ new Date(n.getTime()-y))})]),{data:l,headers:u}=s;return{days:l,before:c,zone:u.get(`time-zone`)??`UTC`,asOf:u.get(`as-of`)}}function O(){let{client:d,say:p,parameters:m,setParameters:h}=t(),g={from:m.get(`from`)??``,to:m.get(`to`)??``},[_,y]=a(g);o(()=>y(g),[g.from,g.to]);let S=E(m),O=S.isLast?String(S.days):`${S.from} ${S.to}`,{value:j,error:M,busy:N,reload:P}=c(()=>D(d,S),O,12e4),F=j?.days??[],I=w(F,T.events)===0,L=e=>{y({from:``,to:``}),h({days:String(e),from:null,to:null})},R=e=>t=>{let n={..._,[e]:t.currentTarget.value};y(n),n.from&&n.to&&h({...n,days:null})},z=()=>{let e=[`from`,`to`,`events`,...x,`bits`,`raid_viewers`,`viewers`],t=(e,t)=>x.includes(t)?e.events[t]:e[t];l(`statistics.csv`,[e,...F.map(n=>e.map(e=>e===`events`?C(n.events):t(n,e)))])},B=F.map(({from:e})=>Date.parse(e)),V=([e,t,n])=>({name:e,color:t,values:F.map(n)}),H=(e,t)=>s`<${v} key=${e} title=${p(`analytics.${e}`)} times=${B}
    zone=${j.zone} series=${t.map(V)} />`,U=[p(`analytics.source`),{label:p(`analytics.count`),className:`amount`}];return s`<div class="bar spread">
      <h1>${p(`nav.analytics`)}</h1>
      <button onClick=${z} disabled=${F.length===0}>${p(`export`)}</button>
    </div>
    <div class="bar" role="group" aria-label=${p(`analytics.period`)}>
      ${b.map(e=>s`<button aria-pressed=${S.isLast&&e===S.days}
          onClick=${()=>L(e)}>
          ${p(`analytics.last`,{days:e})}
        </button>`)}
      ${[`from`,`to`].map(e=>s`<label class="field"><span>${p(`analytics.${e}`)}</span>
        <input type="date" value=${_[e]} onChange=${R(e)} />
      </label>`)}
    </div>
    <p class="quiet" role="status">
      ${N&&!j&&p(`loading`)}
      ${j&&p(`analytics.as_of`,{zone:j.zone,time:j.asOf?p.time(j.asOf):`–`})}
      ${j&&w(j.before,T.events)>0&&` · ${p(`analytics.compared`,{days:S.days})}`}
    </p>
    <${n} error=${M} onRetry=${P} />
    <${u} from=${S.from} to=${S.to} />
    ${!j&&!M&&s`<${i} rows=${6} shape="cards" /><${i} rows=${2} shape="plots" />`}
    ${j&&I&&s`<${r}>${p(`analytics.empty`)}${` `}
      ${S.isLast&&S.days===90?s`<a class="button" href="#/overview">${p(`activity.setup`)}</a>`:s`<button class="main" onClick=${()=>L(90)}>
            ${p(`analytics.show_last`,{days:90})}</button>`}
    <//>`}
    ${j&&!I&&s`<div class="figures">
        ${Object.entries(T).map(([e,t])=>s`<${k} key=${e} label=${p(`figure.${e}`)}
          now=${w(F,t)} before=${w(j.before,t)} />`)}
      </div>
      <div class="grid">
        ${H(`events`,x.map(e=>[p(`type.${e}`),e===`cheer`?`--cheer-bright`:`--${e}`,({events:t})=>t[e]]))}
        ${H(`bits`,[[p(`figure.bits`),`--cheer-bright`,({bits:e})=>e]])}
        ${H(`viewers`,[[p(`analytics.viewers`),`--accent`,({viewers:e})=>e]])}
        ${H(`raids`,[[p(`figure.raiders`),`--raid`,e=>e.raid_viewers]])}
        <${A} interval=${{...S,from:new Date(F[0].from)}} id=${O} />
        <section class="card">
          <h2>${p(`analytics.sources`)}</h2>
          <${e} label=${p(`analytics.sources`)} columns=${U}>
            ${f(F.flatMap(({sources:e})=>Object.entries(e)),p).map(([e,t])=>s`<tr key=${e}>
                <td>${e}</td><td class="amount">${p.number(t)}</td>
              </tr>`)}
          <//>
        </section>
      </div>`}`}function k({label:e,now:n,before:r}){let{say:i}=t(),a=r>0?(n-r)/r:null,o=a!==null&&a<10&&i.percent(a)!==i.percent(0);return s`<div class="card figure">
    <span class="quiet">${e}</span><strong class="big">${i.compact(n)}</strong>
    ${a!==null&&s`<span class="change">
      ${o&&s`<span class=${a<0?`bad`:`good`}>
        ${a<0?`▼`:`▲`} ${i.percent(a)}</span>`}
      <span class="quiet">${i(`analytics.before`,{value:i.compact(r)})}</span>
    </span>`}
  </div>`}function A({interval:e,id:r}){let{client:i,say:a,parameters:o,setParameters:l}=t(),u=S.includes(o.get(`board`))?o.get(`board`):S[0],{from:d,to:f,isLast:p}=e,m={from:d,to:p?void 0:f,limit:10},{value:h,error:g,reload:_}=c(()=>i.get(`/leaderboards/${u}`,{query:m}),`${u} ${r}`);return s`<section class="card">
    <h2>${a(`analytics.best`)}</h2>
    <div class="bar" role="group" aria-label=${a(`analytics.best`)}>
      ${S.map(e=>s`<button aria-pressed=${e===u} onClick=${()=>l({board:e})}>
          ${a(`board.${e}`)}
        </button>`)}
    </div>
    <${n} error=${g} onRetry=${_} />
    ${h&&(h.length===0?s`<p class="quiet">${a(`top.empty`)}</p>`:s`<ol class="top">${h.map(({value:e,user:{user_id:t,name:n}})=>s`<li key=${t}>
    <a class="name" dir="auto" href=${`#/viewers/${t}`}>${n}</a> <span class="amount">${a.number(e)}</span>
  </li>`)}</ol>`)}
  </section>`}export{O as View};