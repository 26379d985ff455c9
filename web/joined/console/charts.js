
import{p as e}from"./forms.js";import{A as t,C as n,g as r,t as i}from"./common.js";import{t as a}from"./sources.js";import{n as o,t as s}from"./plot.js";const c=[`bits`,`subscriptions`,`messages`,`raid_viewers`];function l({days:r,isLast:i,id:c,zone:l}){let{say:d}=n(),f=r.map(({from:e})=>Date.parse(e)),p=(e,t,n)=>[{name:d(e),color:t,values:r.map(n)}],m=(e,n)=>t`<${s} key=${e} title=${d(`analytics.${e}`)} times=${f}
      zone=${l} series=${n} endsNow=${i} />`,h=[d(`analytics.source`),{label:d(`analytics.count`),className:`amount`}];return t`<div class="grid">
    ${m(`events`,o(r,d))}
    ${m(`bits`,p(`figure.bits`,`--cheer-bright`,({bits:e})=>e))}
    ${m(`viewers`,p(`analytics.viewers`,`--accent`,({viewers:e})=>e))}
    ${m(`raids`,p(`figure.raiders`,`--raid`,({raid_viewers:e})=>e))}
    <${u} from=${r[0].from} to=${i?void 0:r[r.length-1].to} id=${c} />
    <section class="card">
      <h2>${d(`analytics.sources`)}</h2>
      <${e} label=${d(`analytics.sources`)} columns=${h}>
        ${a(r.flatMap(({sources:e})=>Object.entries(e)),d).map(([e,n])=>t`<tr key=${e}>
            <td>${e}</td><td class="amount">${d.number(n)}</td>
          </tr>`)}
      <//>
    </section>
  </div>`}function u({from:e,to:a,id:o}){let{client:s,say:l,parameters:u,setParameters:d}=n(),f=c.includes(u.get(`board`))?u.get(`board`):c[0],p={from:e,to:a,limit:10},{value:m,error:h,reload:g}=i(()=>s.get(`/leaderboards/${f}`,{query:p}),`${f} ${o}`);return t`<section class="card">
    <h2>${l(`analytics.best`)}</h2>
    <div class="bar" role="group" aria-label=${l(`analytics.best`)}>
      ${c.map(e=>t`<button aria-pressed=${e===f} onClick=${()=>d({board:e})}>
          ${l(`board.${e}`)}
        </button>`)}
    </div>
    <${r} error=${h} onRetry=${g} />
    ${m&&(m.length===0?t`<p class="quiet">${l(`top.empty`)}</p>`:t`<ol class="top">${m.map(({value:e,user:{user_id:n,name:r}})=>t`<li key=${n}>
    <a class="name" dir="auto" href=${`#/viewers/${n}`}>${r}</a> <span class="amount">${l.number(e)}</span>
  </li>`)}</ol>`)}
  </section>`}export{l as Charts};