
import{p as e}from"./forms.js";import{S as t,h as n,k as r,t as i}from"./common.js";import{t as a}from"./sources.js";import{t as o}from"./ranks.js";import{n as s,t as c}from"./plot.js";const l=[`bits`,`subscriptions`,`messages`,`raid_viewers`];function u({days:n,isLast:i,id:o,zone:l}){let{say:u}=t(),f=n.map(({from:e})=>Date.parse(e)),p=(e,t,r)=>[{name:u(e),color:t,values:n.map(r)}],m=(e,t)=>r`<${c} key=${e} title=${u(`analytics.${e}`)} times=${f}
      zone=${l} series=${t} endsNow=${i} />`,h=[u(`analytics.source`),{label:u(`analytics.count`),className:`amount`}];return r`<div class="grid">
    ${m(`events`,s(n,u))}
    ${m(`bits`,p(`figure.bits`,`--cheer-bright`,({bits:e})=>e))}
    ${m(`viewers`,p(`analytics.viewers`,`--accent`,({viewers:e})=>e))}
    ${m(`raids`,p(`figure.raiders`,`--raid`,({raid_viewers:e})=>e))}
    <${d} from=${n[0].from} to=${i?void 0:n[n.length-1].to} id=${o} />
    <section class="card">
      <h2>${u(`analytics.sources`)}</h2>
      <${e} label=${u(`analytics.sources`)} columns=${h}>
        ${a(n.flatMap(({sources:e})=>Object.entries(e)),u).map(([e,t])=>r`<tr key=${e}>
            <td>${e}</td><td class="amount">${u.number(t)}</td>
          </tr>`)}
      <//>
    </section>
  </div>`}function d({from:e,to:a,id:s}){let{client:c,say:u,parameters:d,setParameters:f}=t(),p=l.includes(d.get(`board`))?d.get(`board`):l[0],m={from:e,to:a,limit:10},{value:h,error:g,reload:_}=i(()=>c.get(`/leaderboards/${p}`,{query:m}),`${p} ${s}`);return r`<section class="card">
    <h2>${u(`analytics.best`)}</h2>
    <div class="bar" role="group" aria-label=${u(`analytics.best`)}>
      ${l.map(e=>r`<button aria-pressed=${e===p} onClick=${()=>f({board:e})}>
          ${u(`board.${e}`)}
        </button>`)}
    </div>
    <${n} error=${g} onRetry=${_} />
    ${h&&(h.length===0?r`<p class="quiet">${u(`top.empty`)}</p>`:r`<${o} ranks=${h} />`)}
  </section>`}export{u as Charts};