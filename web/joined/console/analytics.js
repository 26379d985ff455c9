
import{h as e,s as t,v as n}from"./forms.js";import{C as r,O as i,S as a,f as o,g as s,h as c,t as l,x as u}from"./common.js";import{n as d,r as f,t as p}from"./plot.js";import{t as m}from"./sources.js";const h=864e5,g=[7,30,90],_=[`bits`,`subscriptions`,`messages`,`raid_viewers`],v=e=>Object.values(e).reduce((e,t)=>e+t,0),y=(e,t)=>e.reduce((e,n)=>e+t(n),0),b={events:({events:e})=>v(e),subs:({events:e})=>e.subscriber,bits:({bits:e})=>e,raids:({events:e})=>e.raid,raiders:({raid_viewers:e})=>e,messages:({events:e})=>e.plain};function x(e){let[t,n]=[`from`,`to`].map(t=>Date.parse(`${e.get(t)}T00:00:00`));if(t<n+h)return{days:Math.round((n-t)/h)+1,from:new Date(t),to:new Date(n+h),isLast:!1};let r=g.find(t=>String(t)===e.get(`days`))??30,i=/* @__PURE__ */ new Date;return{days:r,from:/* @__PURE__ */ new Date(i.getTime()-(r-1)*h),to:i,isLast:!0}}async function S(e,{days:t,from:n,to:r,isLast:i}){let a=(e,t)=>({from:e,to:t,by:`day`}),o=/* @__PURE__ */ new Date(n.getTime()-t*h),[s,c,l]=await Promise.all([e.request(`GET`,`/statistics`,{query:a(n,i?void 0:r)}),e.get(`/statistics`,{query:a(o,/* @__PURE__ */ new Date(n.getTime()-h))}),e.page(`/events`,{query:{order:`asc`,limit:1}})]),u=Date.parse(l.records[0]?.occurred_at)<o.getTime()+h,{data:d,headers:f}=s;return{days:d,before:u?c:[],zone:f.get(`time-zone`)??`UTC`,asOf:f.get(`as-of`)}}function C(){let{client:h,say:_,parameters:C,setParameters:E}=u(),D={from:C.get(`from`)??``,to:C.get(`to`)??``},[O,k]=a(D);r(()=>k(D),[D.from,D.to]);let A=x(C),j=A.isLast?String(A.days):`${A.from} ${A.to}`,{value:M,error:N,busy:P,reload:F}=l(()=>S(h,A),j,12e4),I=M?.days??[],L=y(I,b.events)===0,R=M?.before??[],z=y(R,b.events)>0,B=e=>{k({from:``,to:``}),E({days:String(e),from:null,to:null})},V=e=>t=>{let n={...O,[e]:t.currentTarget.value};k(n),n.from&&n.to&&E({...n,days:null})},H=()=>{let e=[`from`,`to`,`events`,...d,`bits`,`raid_viewers`,`viewers`],t=(e,t)=>d.includes(t)?e.events[t]:e[t];n(`statistics.csv`,[e,...I.map(n=>e.map(e=>e===`events`?v(n.events):t(n,e)))])},U=I.map(({from:e})=>Date.parse(e)),W=(e,t,n)=>[{name:_(e),color:t,values:I.map(n)}],G=(e,t)=>i`<${p} key=${e} title=${_(`analytics.${e}`)} times=${U}
    zone=${M.zone} series=${t} endsNow=${A.isLast} />`,K=[_(`analytics.source`),{label:_(`analytics.count`),className:`amount`}];return i`<div class="bar spread">
      <h1>${_(`nav.analytics`)}</h1>
      <button onClick=${H} disabled=${I.length===0}>${_(`export`)}</button>
    </div>
    <div class="bar" role="group" aria-label=${_(`analytics.period`)}>
      ${g.map(e=>i`<button aria-pressed=${A.isLast&&e===A.days}
          onClick=${()=>B(e)}>
          ${_(`analytics.last`,{days:e})}
        </button>`)}
      ${[`from`,`to`].map(e=>i`<label class="field"><span>${_(`analytics.${e}`)}</span>
        <input type="date" value=${O[e]} onChange=${V(e)} />
      </label>`)}
    </div>
    <p class="quiet" role="status">
      ${P&&!M&&_(`loading`)}
      ${M&&_(`analytics.as_of`,{zone:M.zone,time:M.asOf?_.time(M.asOf):`–`})}
      ${M&&` · ${_(z?`analytics.compared`:`analytics.incomparable`,{days:A.days})}`}
      ${M&&A.isLast&&!L&&` · ${_(`analytics.today`)}`}
    </p>
    <${c} error=${N} onRetry=${F} />
    <${t} from=${A.from} to=${A.to} />
    ${!M&&!N&&i`<${s} rows=${6} shape="cards" /><${s} rows=${2} shape="plots" />`}
    ${M&&L&&i`<${o}>${_(`analytics.empty`)}${` `}
      ${A.isLast&&A.days===90?i`<a class="button" href="#/overview">${_(`activity.setup`)}</a>`:i`<button class="main" onClick=${()=>B(90)}>
            ${_(`analytics.show_last`,{days:90})}</button>`}
    <//>`}
    ${M&&!L&&i`<div class="figures">
        ${Object.entries(b).map(([e,t])=>i`<${w} key=${e} label=${_(`figure.${e}`)}
          now=${y(I,t)} before=${y(R,t)} />`)}
      </div>
      <div class="grid">
        ${G(`events`,f(I,_))}
        ${G(`bits`,W(`figure.bits`,`--cheer-bright`,({bits:e})=>e))}
        ${G(`viewers`,W(`analytics.viewers`,`--accent`,({viewers:e})=>e))}
        ${G(`raids`,W(`figure.raiders`,`--raid`,({raid_viewers:e})=>e))}
        <${T} interval=${{...A,from:new Date(I[0].from)}} id=${j} />
        <section class="card">
          <h2>${_(`analytics.sources`)}</h2>
          <${e} label=${_(`analytics.sources`)} columns=${K}>
            ${m(I.flatMap(({sources:e})=>Object.entries(e)),_).map(([e,t])=>i`<tr key=${e}>
                <td>${e}</td><td class="amount">${_.number(t)}</td>
              </tr>`)}
          <//>
        </section>
      </div>`}`}function w({label:e,now:t,before:n}){let{say:r}=u(),a=n>0?(t-n)/n:null,o=a!==null&&a<10&&r.percent(a)!==r.percent(0);return i`<div class="card figure">
    <span class="quiet">${e}</span><strong class="big">${r.compact(t)}</strong>
    ${a!==null&&i`<span class="change">
      ${o&&i`<span class=${a<0?`bad`:`good`}>
        ${a<0?`▼`:`▲`} ${r.percent(a)}</span>`}
      <span class="quiet">${r(`analytics.before`,{value:r.compact(n)})}</span>
    </span>`}
  </div>`}function T({interval:e,id:t}){let{client:n,say:r,parameters:a,setParameters:o}=u(),s=_.includes(a.get(`board`))?a.get(`board`):_[0],{from:d,to:f,isLast:p}=e,m={from:d,to:p?void 0:f,limit:10},{value:h,error:g,reload:v}=l(()=>n.get(`/leaderboards/${s}`,{query:m}),`${s} ${t}`);return i`<section class="card">
    <h2>${r(`analytics.best`)}</h2>
    <div class="bar" role="group" aria-label=${r(`analytics.best`)}>
      ${_.map(e=>i`<button aria-pressed=${e===s} onClick=${()=>o({board:e})}>
          ${r(`board.${e}`)}
        </button>`)}
    </div>
    <${c} error=${g} onRetry=${v} />
    ${h&&(h.length===0?i`<p class="quiet">${r(`top.empty`)}</p>`:i`<ol class="top">${h.map(({value:e,user:{user_id:t,name:n}})=>i`<li key=${t}>
    <a class="name" dir="auto" href=${`#/viewers/${t}`}>${n}</a> <span class="amount">${r.number(e)}</span>
  </li>`)}</ol>`)}
  </section>`}export{C as View};