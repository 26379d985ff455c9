
import{h as e,s as t,v as n}from"./forms.js";import{O as r,S as i,f as a,g as o,h as s,t as c,x as l}from"./common.js";import{n as u,r as d,t as f}from"./plot.js";import{t as p}from"./sources.js";const m=864e5,h=[7,30,90],g=[`bits`,`subscriptions`,`messages`,`raid_viewers`],_=e=>Object.values(e).reduce((e,t)=>e+t,0),v=(e,t)=>e.reduce((e,n)=>e+t(n),0),y={events:({events:e})=>_(e),subs:({events:e})=>e.subscriber,bits:({bits:e})=>e,raids:({events:e})=>e.raid,raiders:({raid_viewers:e})=>e,messages:({events:e})=>e.plain},b=e=>e.toLocaleDateString(`sv`);function x(e){let[t,n]=[`from`,`to`].map(t=>Date.parse(`${e.get(t)}T00:00:00`));if(t<n+m)return{days:Math.round((n-t)/m)+1,from:new Date(t),to:new Date(n+m),isLast:!1};let r=h.find(t=>String(t)===e.get(`days`))??30,i=/* @__PURE__ */ new Date;return{days:r,from:/* @__PURE__ */ new Date(i.getTime()-(r-1)*m),to:i,isLast:!0}}async function S(e,{days:t,from:n,to:r,isLast:i}){let a=(e,t)=>({from:e,to:t,by:`day`}),o=/* @__PURE__ */ new Date(n.getTime()-t*m),[s,c,l]=await Promise.all([e.request(`GET`,`/statistics`,{query:a(n,i?void 0:r)}),e.get(`/statistics`,{query:a(o,/* @__PURE__ */ new Date(n.getTime()-m))}),e.page(`/events`,{query:{order:`asc`,limit:1}})]),u=Date.parse(l.records[0]?.occurred_at)<o.getTime()+m,{data:d,headers:f}=s;return{days:d,before:u?c:[],zone:f.get(`time-zone`)??`UTC`,asOf:f.get(`as-of`)}}function C(){let{client:m,say:g,parameters:C,setParameters:E}=l(),D=x(C),O=D.isLast?{from:b(D.from),to:b(D.to)}:{from:C.get(`from`)??``,to:C.get(`to`)??``},k=D.isLast?String(D.days):`${D.from} ${D.to}`,{value:A,error:j,busy:M,reload:N}=c(()=>S(m,D),k,12e4),P=A?.days??[],F=v(P,y.events)===0,I=A?.before??[],L=v(I,y.events)>0,[R,z]=i({}),B=e=>E({days:String(e),from:null,to:null}),V=e=>t=>{let{value:n,validity:r}=t.currentTarget,i=n!==``&&r.valid;if(z(i?{}:{[e]:n}),!i)return;let a={...O,[e]:n};E(a.from<=a.to?{...a,days:null}:{from:n,to:n,days:null})},H=()=>{let e=[`from`,`to`,`events`,...u,`bits`,`raid_viewers`,`viewers`],t=(e,t)=>u.includes(t)?e.events[t]:e[t];n(`statistics.csv`,[e,...P.map(n=>e.map(e=>e===`events`?_(n.events):t(n,e)))])},U=P.map(({from:e})=>Date.parse(e)),W=(e,t,n)=>[{name:g(e),color:t,values:P.map(n)}],G=(e,t)=>r`<${f} key=${e} title=${g(`analytics.${e}`)} times=${U}
    zone=${A.zone} series=${t} endsNow=${D.isLast} />`,K=[g(`analytics.source`),{label:g(`analytics.count`),className:`amount`}];return r`<div class="bar spread">
      <h1>${g(`nav.analytics`)}</h1>
      <button onClick=${H} disabled=${P.length===0}>${g(`export`)}</button>
    </div>
    <div class="bar" role="group" aria-label=${g(`analytics.period`)}>
      ${h.map(e=>r`<button aria-pressed=${D.isLast&&e===D.days}
          onClick=${()=>B(e)}>
          ${g(`analytics.last`,{days:e})}
        </button>`)}
      <div class="bar days">
        ${[`from`,`to`].map(e=>r`<label class="field"><span>${g(`analytics.${e}`)}</span>
          <input type="date" min=${`2010-01-01`} value=${R[e]??O[e]} onChange=${V(e)} />
        </label>`)}
      </div>
    </div>
    <p class="quiet" role="status">
      ${M&&!A&&g(`loading`)}
      ${A&&g(`analytics.as_of`,{zone:A.zone,time:A.asOf?g.time(A.asOf):`–`})}
      ${A&&` · ${g(L?`analytics.compared`:`analytics.incomparable`,{days:D.days})}`}
      ${A&&D.isLast&&!F&&` · ${g(`analytics.today`)}`}
    </p>
    <${s} error=${j} onRetry=${N} />
    <${t} from=${D.from} to=${D.to} />
    ${!A&&!j&&r`<${o} rows=${6} shape="cards" /><${o} rows=${2} shape="plots" />`}
    ${A&&F&&r`<${a}>${g(`analytics.empty`)}${` `}
      ${D.isLast&&D.days===90?r`<a class="button" href="#/overview">${g(`activity.setup`)}</a>`:r`<button class="main" onClick=${()=>B(90)}>
            ${g(`analytics.show_last`,{days:90})}</button>`}
    <//>`}
    ${A&&!F&&r`<div class="figures">
        ${Object.entries(y).map(([e,t])=>r`<${w} key=${e} label=${g(`figure.${e}`)}
          now=${v(P,t)} before=${v(I,t)} />`)}
      </div>
      <div class="grid">
        ${G(`events`,d(P,g))}
        ${G(`bits`,W(`figure.bits`,`--cheer-bright`,({bits:e})=>e))}
        ${G(`viewers`,W(`analytics.viewers`,`--accent`,({viewers:e})=>e))}
        ${G(`raids`,W(`figure.raiders`,`--raid`,({raid_viewers:e})=>e))}
        <${T} interval=${{...D,from:new Date(P[0].from)}} id=${k} />
        <section class="card">
          <h2>${g(`analytics.sources`)}</h2>
          <${e} label=${g(`analytics.sources`)} columns=${K}>
            ${p(P.flatMap(({sources:e})=>Object.entries(e)),g).map(([e,t])=>r`<tr key=${e}>
                <td>${e}</td><td class="amount">${g.number(t)}</td>
              </tr>`)}
          <//>
        </section>
      </div>`}`}function w({label:e,now:t,before:n}){let{say:i}=l(),a=n>0?(t-n)/n:null,o=a!==null&&a<10&&i.percent(a)!==i.percent(0);return r`<div class="card figure">
    <span class="quiet">${e}</span><strong class="big">${i.compact(t)}</strong>
    ${a!==null&&r`<span class="change">
      ${o&&r`<span class=${a<0?`bad`:`good`}>
        ${a<0?`▼`:`▲`} ${i.percent(a)}</span>`}
      <span class="quiet">${i(`analytics.before`,{value:i.compact(n)})}</span>
    </span>`}
  </div>`}function T({interval:e,id:t}){let{client:n,say:i,parameters:a,setParameters:o}=l(),u=g.includes(a.get(`board`))?a.get(`board`):g[0],{from:d,to:f,isLast:p}=e,m={from:d,to:p?void 0:f,limit:10},{value:h,error:_,reload:v}=c(()=>n.get(`/leaderboards/${u}`,{query:m}),`${u} ${t}`);return r`<section class="card">
    <h2>${i(`analytics.best`)}</h2>
    <div class="bar" role="group" aria-label=${i(`analytics.best`)}>
      ${g.map(e=>r`<button aria-pressed=${e===u} onClick=${()=>o({board:e})}>
          ${i(`board.${e}`)}
        </button>`)}
    </div>
    <${s} error=${_} onRetry=${v} />
    ${h&&(h.length===0?r`<p class="quiet">${i(`top.empty`)}</p>`:r`<ol class="top">${h.map(({value:e,user:{user_id:t,name:n}})=>r`<li key=${t}>
    <a class="name" dir="auto" href=${`#/viewers/${t}`}>${n}</a> <span class="amount">${i.number(e)}</span>
  </li>`)}</ol>`)}
  </section>`}export{C as View};