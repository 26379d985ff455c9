
import{h as e,s as t,v as n}from"./forms.js";import{O as r,f as i,g as a,h as o,t as s,x as c}from"./common.js";import{n as l,r as u,t as d}from"./plot.js";import{t as f}from"./sources.js";const p=864e5,m=[7,30,90],h=[`bits`,`subscriptions`,`messages`,`raid_viewers`],g=e=>Object.values(e).reduce((e,t)=>e+t,0),_=(e,t)=>e.reduce((e,n)=>e+t(n),0),v={events:({events:e})=>g(e),subs:({events:e})=>e.subscriber,bits:({bits:e})=>e,raids:({events:e})=>e.raid,raiders:({raid_viewers:e})=>e,messages:({events:e})=>e.plain},y=e=>e.toLocaleDateString(`sv`);function b(e){let[t,n]=[`from`,`to`].map(t=>Date.parse(`${e.get(t)}T00:00:00`));if(t<n+p)return{days:Math.round((n-t)/p)+1,from:new Date(t),to:new Date(n+p),isLast:!1};let r=m.find(t=>String(t)===e.get(`days`))??30,i=/* @__PURE__ */ new Date;return{days:r,from:/* @__PURE__ */ new Date(i.getTime()-(r-1)*p),to:i,isLast:!0}}async function x(e,{days:t,from:n,to:r,isLast:i}){let a=(e,t)=>({from:e,to:t,by:`day`}),o=/* @__PURE__ */ new Date(n.getTime()-t*p),[s,c,l]=await Promise.all([e.request(`GET`,`/statistics`,{query:a(n,i?void 0:r)}),e.get(`/statistics`,{query:a(o,/* @__PURE__ */ new Date(n.getTime()-p))}),e.page(`/events`,{query:{order:`asc`,limit:1}})]),u=Date.parse(l.records[0]?.occurred_at)<o.getTime()+p,{data:d,headers:f}=s;return{days:d,before:u?c:[],zone:f.get(`time-zone`)??`UTC`,asOf:f.get(`as-of`)}}function S(){let{client:p,say:h,parameters:S,setParameters:T}=c(),E=b(S),D=E.isLast?{from:y(E.from),to:y(E.to)}:{from:S.get(`from`)??``,to:S.get(`to`)??``},O=E.isLast?String(E.days):`${E.from} ${E.to}`,{value:k,error:A,busy:j,reload:M}=s(()=>x(p,E),O,12e4),N=k?.days??[],P=_(N,v.events)===0,F=k?.before??[],I=_(F,v.events)>0,L=e=>T({days:String(e),from:null,to:null}),R=e=>t=>{let{value:n,validity:r}=t.currentTarget;if(!n||!r.valid)return;let i={...D,[e]:n};T(i.from<=i.to?{...i,days:null}:{from:n,to:n,days:null})},z=()=>{let e=[`from`,`to`,`events`,...l,`bits`,`raid_viewers`,`viewers`],t=(e,t)=>l.includes(t)?e.events[t]:e[t];n(`statistics.csv`,[e,...N.map(n=>e.map(e=>e===`events`?g(n.events):t(n,e)))])},B=N.map(({from:e})=>Date.parse(e)),V=(e,t,n)=>[{name:h(e),color:t,values:N.map(n)}],H=(e,t)=>r`<${d} key=${e} title=${h(`analytics.${e}`)} times=${B}
    zone=${k.zone} series=${t} endsNow=${E.isLast} />`,U=[h(`analytics.source`),{label:h(`analytics.count`),className:`amount`}];return r`<div class="bar spread">
      <h1>${h(`nav.analytics`)}</h1>
      <button onClick=${z} disabled=${N.length===0}>${h(`export`)}</button>
    </div>
    <div class="bar" role="group" aria-label=${h(`analytics.period`)}>
      ${m.map(e=>r`<button aria-pressed=${E.isLast&&e===E.days}
          onClick=${()=>L(e)}>
          ${h(`analytics.last`,{days:e})}
        </button>`)}
      <div class="bar days">
        ${[`from`,`to`].map(e=>r`<label class="field"><span>${h(`analytics.${e}`)}</span>
          <input type="date" min=${`2010-01-01`} value=${D[e]} onChange=${R(e)} />
        </label>`)}
      </div>
    </div>
    <p class="quiet" role="status">
      ${j&&!k&&h(`loading`)}
      ${k&&h(`analytics.as_of`,{zone:k.zone,time:k.asOf?h.time(k.asOf):`–`})}
      ${k&&` · ${h(I?`analytics.compared`:`analytics.incomparable`,{days:E.days})}`}
      ${k&&E.isLast&&!P&&` · ${h(`analytics.today`)}`}
    </p>
    <${o} error=${A} onRetry=${M} />
    <${t} from=${E.from} to=${E.to} />
    ${!k&&!A&&r`<${a} rows=${6} shape="cards" /><${a} rows=${2} shape="plots" />`}
    ${k&&P&&r`<${i}>${h(`analytics.empty`)}${` `}
      ${E.isLast&&E.days===90?r`<a class="button" href="#/overview">${h(`activity.setup`)}</a>`:r`<button class="main" onClick=${()=>L(90)}>
            ${h(`analytics.show_last`,{days:90})}</button>`}
    <//>`}
    ${k&&!P&&r`<div class="figures">
        ${Object.entries(v).map(([e,t])=>r`<${C} key=${e} label=${h(`figure.${e}`)}
          now=${_(N,t)} before=${_(F,t)} />`)}
      </div>
      <div class="grid">
        ${H(`events`,u(N,h))}
        ${H(`bits`,V(`figure.bits`,`--cheer-bright`,({bits:e})=>e))}
        ${H(`viewers`,V(`analytics.viewers`,`--accent`,({viewers:e})=>e))}
        ${H(`raids`,V(`figure.raiders`,`--raid`,({raid_viewers:e})=>e))}
        <${w} interval=${{...E,from:new Date(N[0].from)}} id=${O} />
        <section class="card">
          <h2>${h(`analytics.sources`)}</h2>
          <${e} label=${h(`analytics.sources`)} columns=${U}>
            ${f(N.flatMap(({sources:e})=>Object.entries(e)),h).map(([e,t])=>r`<tr key=${e}>
                <td>${e}</td><td class="amount">${h.number(t)}</td>
              </tr>`)}
          <//>
        </section>
      </div>`}`}function C({label:e,now:t,before:n}){let{say:i}=c(),a=n>0?(t-n)/n:null,o=a!==null&&a<10&&i.percent(a)!==i.percent(0);return r`<div class="card figure">
    <span class="quiet">${e}</span><strong class="big">${i.compact(t)}</strong>
    ${a!==null&&r`<span class="change">
      ${o&&r`<span class=${a<0?`bad`:`good`}>
        ${a<0?`▼`:`▲`} ${i.percent(a)}</span>`}
      <span class="quiet">${i(`analytics.before`,{value:i.compact(n)})}</span>
    </span>`}
  </div>`}function w({interval:e,id:t}){let{client:n,say:i,parameters:a,setParameters:l}=c(),u=h.includes(a.get(`board`))?a.get(`board`):h[0],{from:d,to:f,isLast:p}=e,m={from:d,to:p?void 0:f,limit:10},{value:g,error:_,reload:v}=s(()=>n.get(`/leaderboards/${u}`,{query:m}),`${u} ${t}`);return r`<section class="card">
    <h2>${i(`analytics.best`)}</h2>
    <div class="bar" role="group" aria-label=${i(`analytics.best`)}>
      ${h.map(e=>r`<button aria-pressed=${e===u} onClick=${()=>l({board:e})}>
          ${i(`board.${e}`)}
        </button>`)}
    </div>
    <${o} error=${_} onRetry=${v} />
    ${g&&(g.length===0?r`<p class="quiet">${i(`top.empty`)}</p>`:r`<ol class="top">${g.map(({value:e,user:{user_id:t,name:n}})=>r`<li key=${t}>
    <a class="name" dir="auto" href=${`#/viewers/${t}`}>${n}</a> <span class="amount">${i.number(e)}</span>
  </li>`)}</ol>`)}
  </section>`}export{S as View};