
import{p as e}from"./forms.js";import{S as t,g as n,k as r,t as i}from"./common.js";import{t as a}from"./sources.js";import{n as o,t as s}from"./plot.js";const c=[`bits`,`subscriptions`,`messages`,`raid_viewers`];function l({days:n,isLast:i,id:c,zone:l}){let{say:d}=t(),f=n.map(({from:e})=>Date.parse(e)),p=(e,t,r)=>[{name:d(e),color:t,values:n.map(r)}],m=(e,t)=>r`<${s} key=${e} title=${d(`analytics.${e}`)} times=${f}
      zone=${l} series=${t} endsNow=${i} />`,h=[d(`analytics.source`),{label:d(`analytics.count`),className:`amount`}];return r`<div class="grid">
    ${m(`events`,o(n,d))}
    ${m(`bits`,p(`figure.bits`,`--cheer-bright`,({bits:e})=>e))}
    ${m(`viewers`,p(`analytics.viewers`,`--accent`,({viewers:e})=>e))}
    ${m(`raids`,p(`figure.raiders`,`--raid`,({raid_viewers:e})=>e))}
    <${u} from=${n[0].from} to=${i?void 0:n[n.length-1].to} id=${c} />
    <section class="card">
      <h2>${d(`analytics.sources`)}</h2>
      <${e} label=${d(`analytics.sources`)} columns=${h}>
        ${a(n.flatMap(({sources:e})=>Object.entries(e)),d).map(([e,t])=>r`<tr key=${e}>
            <td>${e}</td><td class="amount">${d.number(t)}</td>
          </tr>`)}
      <//>
    </section>
  </div>`}function u({from:e,to:a,id:o}){let{client:s,say:l,parameters:u,setParameters:d}=t(),f=c.includes(u.get(`board`))?u.get(`board`):c[0],p={from:e,to:a,limit:10},{value:m,error:h,reload:g}=i(()=>s.get(`/leaderboards/${f}`,{query:p}),`${f} ${o}`);return r`<section class="card">
    <h2>${l(`analytics.best`)}</h2>
    <div class="bar" role="group" aria-label=${l(`analytics.best`)}>
      ${c.map(e=>r`<button aria-pressed=${e===f} onClick=${()=>d({board:e})}>
          ${l(`board.${e}`)}
        </button>`)}
    </div>
    <${n} error=${h} onRetry=${g} />
    ${m&&(m.length===0?r`<p class="quiet">${l(`top.empty`)}</p>`:r`<ol class="top">${m.map(({value:e,user:{user_id:t,name:n}})=>r`<li key=${t}>
    <a class="name" dir="auto" href=${`#/viewers/${t}`}>${n}</a> <span class="amount">${l.number(e)}</span>
  </li>`)}</ol>`)}
  </section>`}export{l as Charts};