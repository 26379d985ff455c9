
import{$ as e,B as t,C as n,E as r,F as i,J as a,N as o,U as s,W as c,X as l,Y as u,tt as d}from"./common.js";import{t as f}from"./sources.js";const p=43200,m=matchMedia(`(prefers-color-scheme: dark)`),h=[1,100,1e4,1e6].flatMap(e=>[1,2,5,10,20,50].map(t=>t*e));function g({day:t,left:n,width:r,title:i,series:o,index:s}){let{say:c}=a(),u=e(null);return l(()=>{let{style:e,offsetWidth:t}=u.current;e.left=`${Math.max(0,Math.min(n+12,r-t))}px`}),d`<div ref=${u} class="values">
    <strong>${t}</strong>
    ${o.map(({name:e,color:t,values:n})=>d`
      <span><i style=${{background:`var(${t})`}}></i>${o.length>1?e:i}</span>
      <b>${c.number(n[s])}</b>
    `)}
  </div>`}function _(){let[e,t]=u(m.matches);return l(()=>{let e=()=>t(m.matches);return m.addEventListener(`change`,e),()=>m.removeEventListener(`change`,e)},[]),e}function v({title:t,times:n,series:r,zone:i}){let{say:c,theme:f}=a(),m=e(null),[v,y]=u(null),[b,x]=u(null),[S,C]=u(null);l(()=>{import(`./uplot.js`).then(e=>x(()=>e.default),C)},[]);let w=_(),T=JSON.stringify([n,r]),E=e=>new Intl.DateTimeFormat(c.lang,{timeZone:i,...e});l(()=>{if(!b||n.length===0)return;let e=e=>{m.current.style.color=`var(${e})`;let t=getComputedStyle(m.current).color;return m.current.style.color=``,t},t=e(`--line`),a={stroke:e(`--quiet`),grid:{stroke:t,width:1},ticks:{stroke:t}},o=E({day:`numeric`,month:`short`}),s=n.map(e=>e/1e3),l=(e,t)=>r.slice(0,e+1).reduce((e,{values:n})=>e+n[t],0),u=r.map((e,t)=>n.map((e,n)=>l(t,n)||null)),d=b.paths.bars({size:[.7,40]}),f={width:m.current.clientWidth,height:240,tzDate:e=>b.tzDate(/* @__PURE__ */ new Date(e*1e3),i),series:[{},...r.map(({name:t,color:n})=>({label:t,stroke:e(n),fill:e(n),paths:d,points:{show:!1}})).reverse()],axes:[{...a,values:(e,t)=>t.map(e=>o.format(e*1e3))},{...a,size:60,incrs:h,values:(e,t)=>t.map(e=>c.compact(e))}],scales:{x:{range:[s[0]-p,s[s.length-1]+p]},y:{range:(e,t,n)=>[0,Math.max(1,n*1.08)]}},legend:{show:!1},cursor:{y:!1,drag:{x:!1,y:!1},points:{show:!1}},hooks:{setCursor:[({cursor:{idx:e,left:t},bbox:n})=>{y(e==null||t<0?null:{index:e,left:t+n.left/devicePixelRatio})}]}},g=new b(f,[s,...u.reverse()],m.current),_=new ResizeObserver(()=>g.setSize({width:m.current.clientWidth,height:240}));return _.observe(m.current),()=>{_.disconnect(),g.destroy()}},[b,T,f,w,c]);let D=E({dateStyle:`medium`}),O=({name:e,color:t})=>d`<span><i style=${{background:`var(${t})`}}></i>${e}</span>`,k=[c(`when`),...r.map(({name:e})=>({label:e,className:`amount`}))],A=m.current?.clientWidth??0;return d`<section class="card">
    <h2>${t}</h2>
    <p class="legend">${r.map(O)}</p>
    <${s} error=${S} onRetry=${()=>location.reload()} />
    <div class="plot-area" aria-hidden="true">
      <div ref=${m} class="plot"></div>
      ${v&&n[v.index]!==void 0&&d`<${g} day=${D.format(n[v.index])} ...${{...v,width:A,title:t,series:r}} />`}
    </div>
    <details>
      <summary>${c(`analytics.table`,{title:t})}</summary>
      <${o} label=${t} columns=${k}>
        ${n.map((e,t)=>d`<tr key=${e}>
          <td>${D.format(e)}</td>
          ${r.map(({values:e})=>d`<td class="amount">${c.number(e[t])}</td>`)}
        </tr>`)}
      <//>
    </details>
  </section>`}const y=864e5,b=[7,30,90],x=[`plain`,`subscriber`,`cheer`,`raid`],S=[`bits`,`subscriptions`,`messages`,`raid_viewers`],C=e=>Object.values(e).reduce((e,t)=>e+t,0),w=(e,t)=>e.reduce((e,n)=>e+t(n),0),T={events:({events:e})=>C(e),subs:({events:e})=>e.subscriber,bits:({bits:e})=>e,raids:({events:e})=>e.raid,raiders:({raid_viewers:e})=>e,messages:({events:e})=>e.plain};function E(e){let[t,n]=[`from`,`to`].map(t=>Date.parse(`${e.get(t)}T00:00:00`));if(t<n+y)return{days:Math.round((n-t)/y)+1,from:new Date(t),to:new Date(n+y),isLast:!1};let r=b.find(t=>String(t)===e.get(`days`))??30,i=/* @__PURE__ */ new Date;return{days:r,from:/* @__PURE__ */ new Date(i.getTime()-(r-1)*y),to:i,isLast:!0}}async function D(e,{days:t,from:n,to:r,isLast:i}){let a=(e,t)=>({from:e,to:t,by:`day`}),o=/* @__PURE__ */ new Date(n.getTime()-t*y),[s,c]=await Promise.all([e.request(`GET`,`/statistics`,{query:a(n,i?void 0:r)}),e.get(`/statistics`,{query:a(o,/* @__PURE__ */ new Date(n.getTime()-y))})]),{data:l,headers:u}=s;return{days:l,before:c,zone:u.get(`time-zone`)??`UTC`,asOf:u.get(`as-of`)}}function O(){let{client:e,say:p,parameters:m,setParameters:h}=a(),g={from:m.get(`from`)??``,to:m.get(`to`)??``},[_,y]=u(g);l(()=>y(g),[g.from,g.to]);let S=E(m),O=S.isLast?String(S.days):`${S.from} ${S.to}`,{value:j,error:M,busy:N,reload:P}=r(()=>D(e,S),O,12e4),F=j?.days??[],I=w(F,T.events)===0,L=e=>{y({from:``,to:``}),h({days:String(e),from:null,to:null})},R=e=>t=>{let n={..._,[e]:t.currentTarget.value};y(n),n.from&&n.to&&h({...n,days:null})},z=()=>{let e=[`from`,`to`,`events`,...x,`bits`,`raid_viewers`,`viewers`],t=(e,t)=>x.includes(t)?e.events[t]:e[t];i(`statistics.csv`,[e,...F.map(n=>e.map(e=>e===`events`?C(n.events):t(n,e)))])},B=F.map(({from:e})=>Date.parse(e)),V=([e,t,n])=>({name:e,color:t,values:F.map(n)}),H=(e,t)=>d`<${v} key=${e} title=${p(`analytics.${e}`)} times=${B}
    zone=${j.zone} series=${t.map(V)} />`,U=[p(`analytics.source`),{label:p(`analytics.count`),className:`amount`}];return d`<div class="bar spread">
      <h1>${p(`nav.analytics`)}</h1>
      <button onClick=${z} disabled=${F.length===0}>${p(`export`)}</button>
    </div>
    <div class="bar" role="group" aria-label=${p(`analytics.period`)}>
      ${b.map(e=>d`<button aria-pressed=${S.isLast&&e===S.days}
          onClick=${()=>L(e)}>
          ${p(`analytics.last`,{days:e})}
        </button>`)}
      ${[`from`,`to`].map(e=>d`<label class="field"><span>${p(`analytics.${e}`)}</span>
        <input type="date" value=${_[e]} onChange=${R(e)} />
      </label>`)}
    </div>
    <p class="quiet" role="status">
      ${N&&!j&&p(`loading`)}
      ${j&&p(`analytics.as_of`,{zone:j.zone,time:j.asOf?p.time(j.asOf):`–`})}
      ${j&&w(j.before,T.events)>0&&` · ${p(`analytics.compared`,{days:S.days})}`}
    </p>
    <${s} error=${M} onRetry=${P} />
    <${n} from=${S.from} to=${S.to} />
    ${!j&&!M&&d`<${c} rows=${6} shape="cards" /><${c} rows=${2} shape="plots" />`}
    ${j&&I&&d`<${t}>${p(`analytics.empty`)}${` `}
      ${S.isLast&&S.days===90?d`<a class="button" href="#/overview">${p(`activity.setup`)}</a>`:d`<button class="main" onClick=${()=>L(90)}>
            ${p(`analytics.show_last`,{days:90})}</button>`}
    <//>`}
    ${j&&!I&&d`<div class="figures">
        ${Object.entries(T).map(([e,t])=>d`<${k} key=${e} label=${p(`figure.${e}`)}
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
          <${o} label=${p(`analytics.sources`)} columns=${U}>
            ${f(F.flatMap(({sources:e})=>Object.entries(e)),p).map(([e,t])=>d`<tr key=${e}>
                <td>${e}</td><td class="amount">${p.number(t)}</td>
              </tr>`)}
          <//>
        </section>
      </div>`}`}function k({label:e,now:t,before:n}){let{say:r}=a(),i=n>0?(t-n)/n:null,o=i!==null&&i<10&&r.percent(i)!==r.percent(0);return d`<div class="card figure">
    <span class="quiet">${e}</span><strong class="big">${r.compact(t)}</strong>
    ${i!==null&&d`<span class="change">
      ${o&&d`<span class=${i<0?`bad`:`good`}>
        ${i<0?`▼`:`▲`} ${r.percent(i)}</span>`}
      <span class="quiet">${r(`analytics.before`,{value:r.compact(n)})}</span>
    </span>`}
  </div>`}function A({interval:e,id:t}){let{client:n,say:i,parameters:o,setParameters:c}=a(),l=S.includes(o.get(`board`))?o.get(`board`):S[0],{from:u,to:f,isLast:p}=e,m={from:u,to:p?void 0:f,limit:10},{value:h,error:g,reload:_}=r(()=>n.get(`/leaderboards/${l}`,{query:m}),`${l} ${t}`);return d`<section class="card">
    <h2>${i(`analytics.best`)}</h2>
    <div class="bar" role="group" aria-label=${i(`analytics.best`)}>
      ${S.map(e=>d`<button aria-pressed=${e===l} onClick=${()=>c({board:e})}>
          ${i(`board.${e}`)}
        </button>`)}
    </div>
    <${s} error=${g} onRetry=${_} />
    ${h&&(h.length===0?d`<p class="quiet">${i(`top.empty`)}</p>`:d`<ol class="top">${h.map(({value:e,user:{user_id:t,name:n}})=>d`<li key=${t}>
    <a class="name" dir="auto" href=${`#/viewers/${t}`}>${n}</a> <span class="amount">${i.number(e)}</span>
  </li>`)}</ol>`)}
  </section>`}export{O as View};