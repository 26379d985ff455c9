
import{a as e,s as t,v as n}from"./forms.js";import{O as r,S as i,f as a,g as o,h as s,t as c,x as l}from"./common.js";import{b as u}from"./first.js";const d=e(()=>Promise.all([import(`./charts.js`),import(`./forms.js`),import(`./sources.js`),import(`./plot.js`)]).then(([module])=>module).then(({Charts:e})=>e),r`<${o} rows=${2} shape="plots" />`),f=864e5,p=[7,30,90],m=e=>Object.values(e).reduce((e,t)=>e+t,0),h=(e,t)=>e.reduce((e,n)=>e+t(n),0),g={events:({events:e})=>m(e),subs:({events:e})=>e.subscriber,bits:({bits:e})=>e,raids:({events:e})=>e.raid,raiders:({raid_viewers:e})=>e,messages:({events:e})=>e.plain},_=e=>e.toLocaleDateString(`sv`);function v(e){let[t,n]=[`from`,`to`].map(t=>Date.parse(`${e.get(t)}T00:00:00`));if(t<n+f)return{days:Math.round((n-t)/f)+1,from:new Date(t),to:new Date(n+f),isLast:!1};let r=p.find(t=>String(t)===e.get(`days`))??30,i=/* @__PURE__ */ new Date;return{days:r,from:/* @__PURE__ */ new Date(i.getTime()-(r-1)*f),to:i,isLast:!0}}async function y(e,{days:t,from:n,to:r,isLast:i}){let a=(e,t)=>({from:e,to:t,by:`day`}),o=/* @__PURE__ */ new Date(n.getTime()-t*f),[s,c,l]=await Promise.all([e.request(`GET`,`/statistics`,{query:a(n,i?void 0:r)}),e.get(`/statistics`,{query:a(o,/* @__PURE__ */ new Date(n.getTime()-f+1))}),e.page(`/events`,{query:{order:`asc`,limit:1}})]),u=Date.parse(l.records[0]?.occurred_at)<o.getTime()+f,{data:d,headers:p}=s;return{days:d,before:u?c:[],zone:p.get(`time-zone`)??`UTC`,asOf:p.get(`as-of`)}}function b(){let{client:e,say:f,parameters:b,setParameters:S}=l(),C=v(b),w=C.isLast?{from:_(C.from),to:_(C.to)}:{from:b.get(`from`)??``,to:b.get(`to`)??``},T=C.isLast?String(C.days):`${C.from} ${C.to}`,{value:E,error:D,busy:O,reload:k}=c(()=>y(e,C),T,12e4),A=E?.days??[],j=h(A,g.events)===0,M=E?.before??[],N=h(M,g.events)>0,[P,F]=i({}),I=e=>S({days:String(e),from:null,to:null}),L=e=>t=>{let{value:n,validity:r}=t.currentTarget,i=n!==``&&r.valid;if(F(i?{}:{[e]:n}),!i)return;let a={...w,[e]:n};S(a.from<=a.to?{...a,days:null}:{from:n,to:n,days:null})};return r`<div class="bar spread">
      <h1>${f(`nav.analytics`)}</h1>
      <button onClick=${()=>{let e=[`from`,`to`,`events`,...u,`bits`,`raid_viewers`,`viewers`],t=(e,t)=>u.includes(t)?e.events[t]:e[t];n(`statistics.csv`,[e,...A.map(n=>e.map(e=>e===`events`?m(n.events):t(n,e)))])}} disabled=${A.length===0}>${f(`export`)}</button>
    </div>
    <div class="bar" role="group" aria-label=${f(`analytics.period`)}>
      ${p.map(e=>r`<button aria-pressed=${C.isLast&&e===C.days}
          onClick=${()=>I(e)}>
          ${f(`analytics.last`,{days:e})}
        </button>`)}
      <div class="bar days">
        ${[`from`,`to`].map(e=>r`<label class="field"><span>${f(`analytics.${e}`)}</span>
          <input type="date" min=${`2010-01-01`} max=${_(/* @__PURE__ */ new Date)} value=${P[e]??w[e]}
            onChange=${L(e)} />
        </label>`)}
      </div>
    </div>
    <p class="quiet" role="status">
      ${O&&!E&&f(`loading`)}
      ${E&&f(`analytics.as_of`,{zone:E.zone,time:E.asOf?f.time(E.asOf):`–`})}
      ${E&&` · ${f(N?`analytics.compared`:`analytics.incomparable`,{days:C.days})}`}
      ${E&&C.isLast&&!j&&` · ${f(`analytics.today`)}`}
    </p>
    <${s} error=${D} onRetry=${k} />
    <${t} from=${C.from} to=${C.to} />
    ${!E&&!D&&r`<${o} rows=${6} shape="cards" /><${o} rows=${2} shape="plots" />`}
    ${E&&j&&r`<${a}>${f(`analytics.empty`)}${` `}
      ${C.isLast&&C.days===90?r`<a class="button" href="#/overview">${f(`activity.setup`)}</a>`:r`<button class="main" onClick=${()=>I(90)}>
            ${f(`analytics.show_last`,{days:90})}</button>`}
    <//>`}
    ${E&&!j&&r`<div class="figures">
        ${Object.entries(g).map(([e,t])=>r`<${x} key=${e} label=${f(`figure.${e}`)}
          now=${h(A,t)}
          before=${N?h(M,t):null} days=${A.length} />`)}
      </div>
      <${d} days=${A} interval=${C} id=${T} zone=${E.zone} />`}`}function x({label:e,now:t,before:n,days:i}){let{say:a}=l(),o=n?(t-n)/n:null,s=o!==null&&Number(n)>=10&&o<10&&a.percent(o)!==a.percent(0);return r`<div class="card figure">
    <span class="quiet">${e}</span><strong class="big">${a.compact(t)}</strong>
    ${o!==null&&r`<span class="change">
      ${s&&r`<span class=${o<0?`bad`:`good`}>
        ${o<0?`▼`:`▲`} ${a.percent(o)}</span>`}
      <span class="quiet">${a(`analytics.before`,{value:a.compact(n??0)})}</span>
    </span>`}
    ${n===null&&r`<span class="quiet">
      ${a(`analytics.per_day`,{value:a.compact(Math.round(10*t/i)/10)})}</span>`}
  </div>`}export{b as View};