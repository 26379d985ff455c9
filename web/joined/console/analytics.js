
import{a as e,m as t,s as n,v as r}from"./forms.js";import{O as i,f as a,g as o,h as s,t as c,x as l}from"./common.js";import{b as u}from"./first.js";import{a as d}from"./sentences.js";const f=e(()=>Promise.all([import(`./charts.js`),import(`./forms.js`),import(`./sources.js`),import(`./plot.js`)]).then(([module])=>module).then(({Charts:e})=>e),i`<${o} rows=${2} shape="plots" />`),p=864e5,m=[7,30,90],h=e=>Object.values(e).reduce((e,t)=>e+t,0),g=(e,t)=>e.reduce((e,n)=>e+t(n),0),_={events:({events:e})=>h(e),subs:({events:e})=>e.subscriber,bits:({bits:e})=>e,raids:({events:e})=>e.raid,raiders:({raid_viewers:e})=>e,messages:({events:e})=>e.plain},v=e=>e.toLocaleDateString(`sv`);function y(e){let[t,n]=[`from`,`to`].map(t=>Date.parse(`${e.get(t)}T00:00:00`));if(t<n+p)return{days:Math.round((n-t)/p)+1,from:new Date(t),to:new Date(n+p),isLast:!1};let r=m.find(t=>String(t)===e.get(`days`))??30,i=/* @__PURE__ */ new Date;return{days:r,from:/* @__PURE__ */ new Date(i.getTime()-(r-1)*p),to:i,isLast:!0}}async function b(e,{days:t,from:n,to:r,isLast:i}){let a=(e,t)=>({from:e,to:t,by:`day`}),o=/* @__PURE__ */ new Date(n.getTime()-t*p),[s,c,l]=await Promise.all([e.request(`GET`,`/statistics`,{query:a(n,i?void 0:r)}),e.get(`/statistics`,{query:a(o,/* @__PURE__ */ new Date(n.getTime()-p+1))}),e.page(`/events`,{query:{order:`asc`,limit:1}})]),u=Date.parse(l.records[0]?.occurred_at)<o.getTime()+p,{data:d,headers:f}=s;return{days:d,before:u?c:[],zone:f.get(`time-zone`)??`UTC`,asOf:f.get(`as-of`)}}function x(){let{client:e,say:p,parameters:x,setParameters:C}=l(),w=y(x),T=w.isLast?{from:v(w.from),to:v(w.to)}:{from:x.get(`from`)??``,to:x.get(`to`)??``},E=w.isLast?String(w.days):`${w.from} ${w.to}`,{value:D,error:O,busy:k,reload:A}=c(()=>b(e,w),E,12e4),j=D?.days??[],M=g(j,_.events)===0,N=D?.before??[],P=g(N,_.events)>0,F=e=>C({days:String(e),from:null,to:null}),I=e=>t=>{let[n,r]=Object.values({...T,[e]:t}).sort();C({from:n,to:r,days:null})};return i`<div class="bar spread">
      <h1>${p(`nav.analytics`)}</h1>
      <button onClick=${()=>{let e=[`from`,`to`,`events`,...u,`bits`,`raid_viewers`,`viewers`],t=(e,t)=>u.includes(t)?e.events[t]:e[t];r(`statistics.csv`,[e,...j.map(n=>e.map(e=>e===`events`?h(n.events):t(n,e)))])}} disabled=${j.length===0}>${p(`export`)}</button>
    </div>
    <div class="bar" role="group" aria-label=${p(`analytics.period`)}>
      ${m.map(e=>i`<button aria-pressed=${w.isLast&&e===w.days}
          onClick=${()=>F(e)}>
          ${p(`analytics.last`,{days:e})}
        </button>`)}
      <div class="bar days">
        ${[`from`,`to`].map(e=>i`<${t} key=${e} label=${p(`analytics.${e}`)} type="date" required
          min=${`2010-01-01`} max=${v(/* @__PURE__ */ new Date)} value=${T[e]} onCommit=${I(e)} />`)}
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
    <${n} from=${w.from} to=${w.to} />
    ${!D&&!O&&i`<${o} rows=${6} shape="cards" /><${o} rows=${2} shape="plots" />`}
    ${D&&M&&i`<${a}>${p(`analytics.empty`)}${` `}
      ${w.isLast&&w.days===90?i`<a class="button" href="#/overview">${p(`activity.setup`)}</a>`:i`<button class="main" onClick=${()=>F(90)}>
            ${p(`analytics.show_last`,{days:90})}</button>`}
    <//>`}
    ${D&&!M&&i`<div class="figures">
        ${Object.entries(_).map(([e,t])=>i`<${S} key=${e} label=${p(`figure.${e}`)}
          now=${g(j,t)}
          before=${P?g(N,t):null} days=${j.length} />`)}
      </div>
      <${f} days=${j} interval=${w} id=${E} zone=${D.zone} />`}`}function S({label:e,now:t,before:n,days:r}){let{say:a}=l(),o=n?(t-n)/n:null,s=t/r,c=o!==null&&Number(n)>=10&&o<10&&a.percent(o)!==a.percent(0);return i`<div class="card figure">
    <span class="quiet">${e}</span><strong class="big">${a.compact(t)}</strong>
    ${o!==null&&i`<span class="change">
      ${c&&i`<span class=${o<0?`quiet`:`good`}>
        ${o<0?`▼`:`▲`} ${a.percent(o)}</span>`}
      <span class="quiet">${a(`analytics.before`,{value:a.compact(n??0)})}</span>
    </span>`}
    ${n===null&&i`<span class="quiet">
      ${a(`analytics.per_day`,{value:a.compact(s<100?Math.round(10*s)/10:Math.round(s))})}</span>`}
  </div>`}export{x as View};