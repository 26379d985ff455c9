
import{a as e,s as t,v as n}from"./forms.js";import{O as r,S as i,f as a,g as o,h as s,t as c,x as l}from"./common.js";import{b as u}from"./first.js";import{a as d}from"./sentences.js";const f=e(()=>Promise.all([import(`./charts.js`),import(`./forms.js`),import(`./sources.js`),import(`./plot.js`)]).then(([module])=>module).then(({Charts:e})=>e),r`<${o} rows=${2} shape="plots" />`),p=864e5,m=[7,30,90],h=e=>Object.values(e).reduce((e,t)=>e+t,0),g=(e,t)=>e.reduce((e,n)=>e+t(n),0),_={events:({events:e})=>h(e),subs:({events:e})=>e.subscriber,bits:({bits:e})=>e,raids:({events:e})=>e.raid,raiders:({raid_viewers:e})=>e,messages:({events:e})=>e.plain},v=e=>e.toLocaleDateString(`sv`);function y(e){let[t,n]=[`from`,`to`].map(t=>Date.parse(`${e.get(t)}T00:00:00`));if(t<n+p)return{days:Math.round((n-t)/p)+1,from:new Date(t),to:new Date(n+p),isLast:!1};let r=m.find(t=>String(t)===e.get(`days`))??30,i=/* @__PURE__ */ new Date;return{days:r,from:/* @__PURE__ */ new Date(i.getTime()-(r-1)*p),to:i,isLast:!0}}async function b(e,{days:t,from:n,to:r,isLast:i}){let a=(e,t)=>({from:e,to:t,by:`day`}),o=/* @__PURE__ */ new Date(n.getTime()-t*p),[s,c,l]=await Promise.all([e.request(`GET`,`/statistics`,{query:a(n,i?void 0:r)}),e.get(`/statistics`,{query:a(o,/* @__PURE__ */ new Date(n.getTime()-p+1))}),e.page(`/events`,{query:{order:`asc`,limit:1}})]),u=Date.parse(l.records[0]?.occurred_at)<o.getTime()+p,{data:d,headers:f}=s;return{days:d,before:u?c:[],zone:f.get(`time-zone`)??`UTC`,asOf:f.get(`as-of`)}}function x(){let{client:e,say:p,parameters:x,setParameters:C}=l(),w=y(x),T=w.isLast?{from:v(w.from),to:v(w.to)}:{from:x.get(`from`)??``,to:x.get(`to`)??``},E=w.isLast?String(w.days):`${w.from} ${w.to}`,{value:D,error:O,busy:k,reload:A}=c(()=>b(e,w),E,12e4),j=D?.days??[],M=g(j,_.events)===0,N=D?.before??[],P=g(N,_.events)>0,[F,I]=i({}),L=e=>C({days:String(e),from:null,to:null}),R=e=>t=>{let{value:n,validity:r}=t.currentTarget,i=n!==``&&r.valid;if(I(i?{}:{[e]:n}),!i)return;let a={...T,[e]:n};C(a.from<=a.to?{...a,days:null}:{from:n,to:n,days:null})};return r`<div class="bar spread">
      <h1>${p(`nav.analytics`)}</h1>
      <button onClick=${()=>{let e=[`from`,`to`,`events`,...u,`bits`,`raid_viewers`,`viewers`],t=(e,t)=>u.includes(t)?e.events[t]:e[t];n(`statistics.csv`,[e,...j.map(n=>e.map(e=>e===`events`?h(n.events):t(n,e)))])}} disabled=${j.length===0}>${p(`export`)}</button>
    </div>
    <div class="bar" role="group" aria-label=${p(`analytics.period`)}>
      ${m.map(e=>r`<button aria-pressed=${w.isLast&&e===w.days}
          onClick=${()=>L(e)}>
          ${p(`analytics.last`,{days:e})}
        </button>`)}
      <div class="bar days">
        ${[`from`,`to`].map(e=>r`<label class="field"><span>${p(`analytics.${e}`)}</span>
          <input type="date" min=${`2010-01-01`} max=${v(/* @__PURE__ */ new Date)} value=${F[e]??T[e]}
            onChange=${R(e)} />
        </label>`)}
      </div>
    </div>
    <p class="quiet" role="status">
      ${k&&!D&&p(`loading`)}
      ${D&&p(`analytics.as_of`,{time:D.asOf?p.time(D.asOf):`–`})}
      ${D&&D.zone!==d&&` · ${p(`analytics.zone`,{zone:D.zone})}`}
      ${D&&` · ${p(P?`analytics.compared`:`analytics.incomparable`,{days:w.days})}`}
      ${D&&w.isLast&&!M&&` · ${p(`analytics.today`)}`}
    </p>
    <${s} error=${O} onRetry=${A} />
    <${t} from=${w.from} to=${w.to} />
    ${!D&&!O&&r`<${o} rows=${6} shape="cards" /><${o} rows=${2} shape="plots" />`}
    ${D&&M&&r`<${a}>${p(`analytics.empty`)}${` `}
      ${w.isLast&&w.days===90?r`<a class="button" href="#/overview">${p(`activity.setup`)}</a>`:r`<button class="main" onClick=${()=>L(90)}>
            ${p(`analytics.show_last`,{days:90})}</button>`}
    <//>`}
    ${D&&!M&&r`<div class="figures">
        ${Object.entries(_).map(([e,t])=>r`<${S} key=${e} label=${p(`figure.${e}`)}
          now=${g(j,t)}
          before=${P?g(N,t):null} days=${j.length} />`)}
      </div>
      <${f} days=${j} interval=${w} id=${E} zone=${D.zone} />`}`}function S({label:e,now:t,before:n,days:i}){let{say:a}=l(),o=n?(t-n)/n:null,s=o!==null&&Number(n)>=10&&o<10&&a.percent(o)!==a.percent(0);return r`<div class="card figure">
    <span class="quiet">${e}</span><strong class="big">${a.compact(t)}</strong>
    ${o!==null&&r`<span class="change">
      ${s&&r`<span class=${o<0?`bad`:`good`}>
        ${o<0?`▼`:`▲`} ${a.percent(o)}</span>`}
      <span class="quiet">${a(`analytics.before`,{value:a.compact(n??0)})}</span>
    </span>`}
    ${n===null&&r`<span class="quiet">
      ${a(`analytics.per_day`,{value:a.compact(Math.round(10*t/i)/10)})}</span>`}
  </div>`}export{x as View};