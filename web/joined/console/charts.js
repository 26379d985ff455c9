
import{h as e}from"./forms.js";import{O as t,h as n,t as r,x as i}from"./common.js";import{t as a}from"./sources.js";import{n as o,t as s}from"./plot.js";const c=[`bits`,`subscriptions`,`messages`,`raid_viewers`];function l({days:n,interval:r,id:c,zone:l}){let{say:d}=i(),f=n.map(({from:e})=>Date.parse(e)),p=(e,t,r)=>[{name:d(e),color:t,values:n.map(r)}],m=(e,n)=>t`<${s} key=${e} title=${d(`analytics.${e}`)} times=${f}
      zone=${l} series=${n} endsNow=${r.isLast} />`,h=[d(`analytics.source`),{label:d(`analytics.count`),className:`amount`}];return t`<div class="grid">
    ${m(`events`,o(n,d))}
    ${m(`bits`,p(`figure.bits`,`--cheer-bright`,({bits:e})=>e))}
    ${m(`viewers`,p(`analytics.viewers`,`--accent`,({viewers:e})=>e))}
    ${m(`raids`,p(`figure.raiders`,`--raid`,({raid_viewers:e})=>e))}
    <${u} interval=${{...r,from:new Date(n[0].from)}} id=${c} />
    <section class="card">
      <h2>${d(`analytics.sources`)}</h2>
      <${e} label=${d(`analytics.sources`)} columns=${h}>
        ${a(n.flatMap(({sources:e})=>Object.entries(e)),d).map(([e,n])=>t`<tr key=${e}>
            <td>${e}</td><td class="amount">${d.number(n)}</td>
          </tr>`)}
      <//>
    </section>
  </div>`}function u({interval:e,id:a}){let{client:o,say:s,parameters:l,setParameters:u}=i(),d=c.includes(l.get(`board`))?l.get(`board`):c[0],{from:f,to:p,isLast:m}=e,h={from:f,to:m?void 0:p,limit:10},{value:g,error:_,reload:v}=r(()=>o.get(`/leaderboards/${d}`,{query:h}),`${d} ${a}`);return t`<section class="card">
    <h2>${s(`analytics.best`)}</h2>
    <div class="bar" role="group" aria-label=${s(`analytics.best`)}>
      ${c.map(e=>t`<button aria-pressed=${e===d} onClick=${()=>u({board:e})}>
          ${s(`board.${e}`)}
        </button>`)}
    </div>
    <${n} error=${_} onRetry=${v} />
    ${g&&(g.length===0?t`<p class="quiet">${s(`top.empty`)}</p>`:t`<ol class="top">${g.map(({value:e,user:{user_id:n,name:r}})=>t`<li key=${n}>
    <a class="name" dir="auto" href=${`#/viewers/${n}`}>${r}</a> <span class="amount">${s.number(e)}</span>
  </li>`)}</ol>`)}
  </section>`}export{l as Charts};