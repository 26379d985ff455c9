
import{p as e}from"./forms.js";import{A as t,S as n,h as r,t as i}from"./common.js";import{t as a}from"./sources.js";import{t as o}from"./ranks.js";import{n as s,t as c}from"./plot.js";const l=[`bits`,`subscriptions`,`messages`,`raid_viewers`];function u({days:r,isLast:i,id:o,zone:l}){let{say:u}=n(),f=r.map(({from:e})=>Date.parse(e)),p=(e,t,n)=>[{name:u(e),color:t,values:r.map(n)}],m=(e,n)=>t`<${c} key=${e} title=${u(`analytics.${e}`)} times=${f}
      zone=${l} series=${n} endsNow=${i} />`,h=[u(`analytics.source`),{label:u(`analytics.count`),className:`amount`}];return t`<div class="grid">
    ${m(`events`,s(r,u))}
    ${m(`bits`,p(`figure.bits`,`--cheer-bright`,({bits:e})=>e))}
    ${m(`viewers`,p(`analytics.viewers`,`--accent`,({viewers:e})=>e))}
    ${m(`raids`,p(`figure.raiders`,`--raid`,({raid_viewers:e})=>e))}
    <${d} from=${r[0].from} to=${i?void 0:r[r.length-1].to} id=${o} />
    <section class="card">
      <h2>${u(`analytics.sources`)}</h2>
      <${e} label=${u(`analytics.sources`)} columns=${h}>
        ${a(r.flatMap(({sources:e})=>Object.entries(e)),u).map(([e,n])=>t`<tr key=${e}>
            <td>${e}</td><td class="amount">${u.number(n)}</td>
          </tr>`)}
      <//>
    </section>
  </div>`}function d({from:e,to:a,id:s}){let{client:c,say:u,parameters:d,setParameters:f}=n(),p=l.includes(d.get(`board`))?d.get(`board`):l[0],m={from:e,to:a,limit:10},{value:h,error:g,reload:_}=i(()=>c.get(`/leaderboards/${p}`,{query:m}),`${p} ${s}`);return t`<section class="card">
    <h2>${u(`analytics.best`)}</h2>
    <div class="bar" role="group" aria-label=${u(`analytics.best`)}>
      ${l.map(e=>t`<button aria-pressed=${e===p} onClick=${()=>f({board:e})}>
          ${u(`board.${e}`)}
        </button>`)}
    </div>
    <${r} error=${g} onRetry=${_} />
    ${h&&(h.length===0?t`<p class="quiet">${u(`top.empty`)}</p>`:t`<${o} ranks=${h} />`)}
  </section>`}export{u as Charts};