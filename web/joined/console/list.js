
import{c as e,l as t,n,r}from"./streams.js";import{a as i,h as a,t as o}from"./forms.js";import{O as s,S as c,f as l,g as u,h as d,t as f,x as p}from"./common.js";import{p as m}from"./first.js";const h=[`subs`,`bits`,`raids`,`people`],g=e=>new Date(e).toISOString(),_=async(e,t,n)=>(await e.page(`/events`,{query:{source:`twitch/channel.update`,occurred_before:g(t),limit:n}})).records;function v(e,{to:t}){let n=e.find(({occurred_at:e})=>Date.parse(e)<=t);return{title:n?.details.title,category:n?.details.category_name}}function y(e,t){let n=new Date(t).getFullYear()===(/* @__PURE__ */ new Date()).getFullYear()?void 0:`numeric`;return new Intl.DateTimeFormat(e.lang,{weekday:`short`,day:`numeric`,month:`short`,year:n}).format(t)}async function b(e,r){let i=new t(r[r.length-1].from,r[0].to),[a,o]=await Promise.all([_(e,r[0].to,1e3),Promise.all(r.map(t=>n(e,t))),i.list(e)]);return r.map((e,t)=>({...i.figuresIn(e.from,e.to),people:o[t],...v(a,e)}))}function x({name:e,value:t,usual:n}){let{say:r}=p(),i=n?(t-n)/n:0,a=Math.abs(i)<.1?``:i>0?`▲`:`▼`,o=s`<span class=${`trend ${i>0?`good`:`quiet`}`}
    title=${a&&r(`compare.usual`,{value:r.compact(Math.round(n??0))})}>${a}</span>`;return s`<td class="amount" data-label=${r(`figure.${e}`)}>${r.compact(t)}${e===`people`&&t===1e3&&`+`}
    ${o}
  </td>`}function S({streams:t}){let{client:n,say:r}=p(),[i,o]=c(12),l=t.slice(0,i),u=t.slice(0,i+3),{value:m,error:g,reload:_}=f(()=>b(n,u),`${i} ${u[0].from}`),v=(e,t)=>{let n=(m??[]).slice(e+1,e+1+3);return n.length?n.reduce((e,n)=>e+n[t],0)/n.length:null},S=e=>({label:e,className:`amount`}),C=[r(`summary.stream`),r(`summary.title`),S(r(`summary.length`)),...h.map(e=>S(r(`figure.${e}`)))];return s`<${d} error=${g} onRetry=${_} />
    <section class="card streams">
      <${a} label=${r(`nav.streams`)} columns=${C}>
        ${l.map(({from:t,to:n},i)=>{let a=m?.[i],o=a?h.map(e=>s`<${x} key=${e} name=${e} value=${a[e]} usual=${v(i,e)} />`):h.map(e=>s`<td key=${e} class="amount quiet" data-label=${r(`figure.${e}`)}>…</td>`);return s`<tr key=${t}>
            <td><a class="name" href=${`#/streams/${t}`}>${y(r,t)}</a> <span class="quiet">${r.clock(t)}</span></td>
            <td class="title" dir="auto">${a?a.title??`–`:`…`} <span class="quiet">${a?.category}</span></td>
            <td class="amount" data-label=${r(`summary.length`)}>${e(n-t,!0)}</td>${o}
          </tr>`})}
      <//>
    </section>
    <p class="quiet">${r(`summary.arrows`)}</p>
    ${t.length>i&&s`<p><button onClick=${()=>o(i+12)}>${r(`more`)}</button></p>`}`}function C({stream:t}){let{client:n,say:r}=p(),{value:i}=f(async()=>v(await _(n,t.to,1),t),t.from),a=i?.title??r.time(t.from);return o(a),s`<h1 dir="auto">${a}</h1>
    <p class="quiet">${[i?.title&&r.time(t.from),r(`summary.hours`,{length:e(t.to-t.from,!0)}),i?.category].filter(Boolean).join(` · `)}</p>`}const w=e=>{let t=m(Promise.all([import(`./summary.js`),import(`./figures.js`),import(`./streams.js`),import(`./actions.js`),import(`./forms.js`),import(`./picture.js`),import(`./rows.js`),import(`./follow.js`),import(`./plot.js`),import(`./sentences.js`)]).then(([module])=>module),`analytics/analytics.css`);return e.withTexts(t,`streams`,`stream`,`errors`).then(({Summary:e})=>e)};function T({id:e}){let{client:t,say:n}=p(),{value:a,error:o,reload:c}=f(()=>r(t,[],1e3),`streams of all time`),m=a?.filter(({to:e})=>e!==null),h=m?.findIndex(({from:t})=>String(t)===e)??-1;return s`${h>=0&&s`<p><a href="#/streams">${n(`summary.all`)}</a></p>`}
    ${h<0?s`<h1>${n(e?`summary.stream`:`nav.streams`)}</h1>`:s`<${C} key=${e} stream=${m[h]} />`}
    ${!m&&(o?s`<${d} error=${o} onRetry=${c} />`:s`<${u} rows=${6} />`)}
    ${e&&m&&h<0&&s`<${d} error=${{status:404}} />`}
    ${m?.length===0&&s`<${l}>${n(`summary.none`)}<//>`}
    ${m?.length>0&&!e&&s`<${S} streams=${m} />`}
    ${h>=0&&s`<${i} key=${e} load=${w} streams=${m} index=${h} />`}`}export{T as View};