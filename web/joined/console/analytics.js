
import{_ as e,a as t,f as n,r}from"./forms.js";import{A as i,S as a,f as o,g as s,h as c,t as l}from"./common.js";import{b as u}from"./first.js";import{a as d}from"./sentences.js";const f=r(()=>Promise.all([import(`./charts.js`),import(`./sources.js`),import(`./ranks.js`),import(`./plot.js`)]).then(([module])=>module).then(({Charts:e})=>e),i`<${s} rows=${2} shape="plots" />`),p=864e5,m=[7,30,90],[h,g]=[12e4,15e3],_=e=>Object.values(e).reduce((e,t)=>e+t,0),v=(e,t)=>e.reduce((e,n)=>e+t(n),0),y={events:({events:e})=>_(e),subs:({events:e})=>e.subscriber,bits:({bits:e})=>e,raids:({events:e})=>e.raid,raiders:({raid_viewers:e})=>e,messages:({events:e})=>e.plain},b=`2010-01-01`,x=e=>new Date(e).toLocaleDateString(`sv`),S=e=>Date.parse(`${e}T00:00Z`);function C(e){let t=(/* @__PURE__ */ new Date(S(e)-999*p)).toISOString().slice(0,10);return t>b?t:b}function w(e){let[t,n]=[e.get(`from`)??``,e.get(`to`)??``],r=Math.round((S(n)-S(t))/p)+1;if(r>=1&&r<=1e3)return{days:r,first:t,last:n,isLast:!1};let i=m.find(t=>String(t)===e.get(`days`))??30;return{days:i,first:x(Date.now()-(i-1)*p),last:x(Date.now()),isLast:!0}}function T(e,t){let n=S(e)+p/2,r=new Date(n).toLocaleString(`sv`,{timeZone:t});return 2*n-Date.parse(`${r.replace(` `,`T`)}Z`)}async function E(e,{days:t,first:n,last:r,isLast:i}){let a=(a,o,s,c=`day`)=>e.request(`GET`,`/statistics`,{query:{from:new Date(o),to:s?new Date(s+1):void 0,by:c},keptAs:[a,i?t:[n,r]]}),o=Date.now(),s=({headers:e})=>e.get(`time-zone`)??`UTC`,c=i?``:s(await a(`zone`,o-p,null)),[l,u]=i?[o-(t-1)*p,null]:[T(n,c),T(r,c)],d=l-t*p,[f,m,h,g]=await Promise.all([a(`days`,l,u),a(`before`,d,l-p),e.page(`/events`,{query:{order:`asc`,limit:1}}),i?a(`hours`,o-t*p-936e5,o-t*p,`hour`):null]),_=m.data;if(g){let{from:e}=_.pop();_.push(...g.data.filter(({from:t})=>Date.parse(t)>=Date.parse(e)))}Date.parse(h.records[0]?.occurred_at)<d+p||(_=[]);let{data:b}=f,x={occurred_after:b[0].from,occurred_before:b[b.length-1].to,limit:1},S=v(b,y.events)>0||(await e.page(`/events`,{query:x})).records.length===0;return{days:b,before:_,isUnused:h.records.length===0,isCounted:S,zone:s(f),asOf:f.headers.get(`as-of`)}}function D(){let{client:r,say:p,parameters:S,setParameters:T}=a(),D=w(S),k={from:D.first,to:D.last},A=D.isLast?String(D.days):`${D.first} ${D.last}`,{value:j,error:M,busy:N,reload:P}=l(()=>E(r,D),A,e=>e.isCounted?h:g),F=j?.days??[],I=v(F,y.events)===0,L=j?.before??[],R=v(L,y.events)>0,z=e=>T({days:String(e),from:null,to:null}),B=e=>t=>{let[n,r]=Object.values({...k,[e]:t}).sort();T({from:[n,C(r)].sort()[1],to:r,days:null})};return i`<div class="bar spread">
      <h1>${p(`nav.analytics`)}</h1>
      <button onClick=${()=>{let t=[`from`,`to`,`events`,...u,`bits`,`raid_viewers`,`viewers`],n=(e,t)=>u.includes(t)?e.events[t]:e[t];e(`statistics.csv`,[t,...F.map(e=>t.map(t=>t===`events`?_(e.events):n(e,t)))])}} disabled=${F.length===0}>${p(`export`)}</button>
    </div>
    <div class="bar" role="group" aria-label=${p(`analytics.period`)}>
      ${m.map(e=>i`<button aria-pressed=${D.isLast&&e===D.days}
          onClick=${()=>z(e)}>
          ${p(`analytics.last`,{days:e})}
        </button>`)}
      <div class="bar days">
        ${[`from`,`to`].map(e=>i`<${n} key=${e} label=${p(`analytics.${e}`)} type="date" required
          min=${e===`from`?C(k.to):b} max=${x(Date.now())}
          value=${k[e]} onCommit=${B(e)} />`)}
      </div>
    </div>
    <p class="quiet" role="status">
      ${N&&!j&&p(`loading`)}
      ${j&&p(`analytics.as_of`,{time:j.asOf?p.time(j.asOf):`–`})}
      ${j&&j.zone!==d&&` · ${p(`analytics.zone`,{zone:j.zone})}`}
      ${j&&!j.isUnused&&` · ${p(R?`analytics.compared`:`analytics.incomparable`,{days:D.days})}`}
      ${R&&D.isLast&&`, ${p(`analytics.to_hour`)}`}
      ${j&&D.isLast&&!I&&` · ${p(`analytics.today`)}`}
    </p>
    <${c} error=${M} onRetry=${P} />
    <${t} from=${/* @__PURE__ */ new Date(`${D.first}T00:00`)} to=${/* @__PURE__ */ new Date(`${D.last}T23:59`)} />
    ${!j&&!M&&i`<${s} rows=${6} shape="cards" /><${s} rows=${2} shape="plots" />`}
    ${j&&!j.isCounted&&i`<${o}>${p(`analytics.counting`)}<//>`}
    ${j?.isCounted&&I&&i`<${o}>${p(`analytics.empty`)}${` `}
      ${j.isUnused||D.isLast&&D.days===90?i`<a class="button" href="#/overview">${p(`activity.setup`)}</a>`:i`<button class="main" onClick=${()=>z(90)}>
            ${p(`analytics.show_last`,{days:90})}</button>`}
    <//>`}
    ${j&&!I&&i`<div class="figures">
        ${Object.entries(y).map(([e,t])=>i`<${O} key=${e} label=${p(`figure.${e}`)}
          now=${v(F,t)}
          before=${R?v(L,t):null} days=${F.length} />`)}
      </div>
      <${f} days=${F} isLast=${D.isLast} id=${A} zone=${j.zone} />`}`}function O({label:e,now:t,before:n,days:r}){let{say:o}=a(),s=n?(t-n)/n:null,c=t/r,l=s!==null&&Number(n)>=10&&s<10&&o.percent(s)!==o.percent(0);return i`<div class="card figure">
    <span class="quiet">${e}</span><strong class="big">${o.compact(t)}</strong>
    ${s!==null&&i`<span class="change">
      ${l&&i`<span class=${s<0?`quiet`:`good`}>
        ${s<0?`▼`:`▲`} ${o.percent(s)}</span>`}
      <span class="quiet">${o(`analytics.before`,{value:o.compact(n??0)})}</span>
    </span>`}
    ${n===null&&i`<span class="quiet">
      ${o(`analytics.per_day`,{value:o.compact(c<100?Math.round(10*c)/10:Math.round(c))})}</span>`}
  </div>`}export{D as View};