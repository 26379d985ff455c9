
import{c as e,l as t,n,r}from"./streams.js";import{D as i,H as a,L as o,P as s,R as c,U as l,W as u,Y as d,g as f}from"./common.js";import{p}from"./first.js";import{t as m}from"./title.js";const h=[`subs`,`bits`,`raids`,`people`],g=e=>new Date(e).toISOString(),_=async(e,t,n)=>(await e.page(`/events`,{query:{source:`twitch/channel.update`,occurred_before:g(t),limit:n}})).records;function v(e,{to:t}){let n=e.find(({occurred_at:e})=>Date.parse(e)<=t);return{title:n?.details.title,category:n?.details.category_name}}function y(e,t){let n=new Date(t).getFullYear()===(/* @__PURE__ */ new Date()).getFullYear()?void 0:`numeric`;return new Intl.DateTimeFormat(e.lang,{weekday:`short`,day:`numeric`,month:`short`,year:n}).format(t)}async function b(e,r){let i=new t(r[r.length-1].from,r[0].to),[a,o]=await Promise.all([_(e,r[0].to,1e3),Promise.all(r.map(t=>n(e,t))),i.list(e)]);return r.map((e,t)=>({...i.figuresIn(e.from,e.to),people:o[t],...v(a,e)}))}function x({name:e,value:t,usual:n}){let{say:r}=a(),i=n?(t-n)/n:0,o=Math.abs(i)<.1?``:i>0?`▲`:`▼`,s=d`<span class=${`trend ${i>0?`good`:`quiet`}`}
    title=${o&&r(`compare.usual`,{value:r.compact(Math.round(n??0))})}>${o}</span>`;return d`<td class="amount" data-label=${r(`figure.${e}`)}>${r.compact(t)}${e===`people`&&t===1e3&&`+`}
    ${s}
  </td>`}function S({streams:t}){let{client:n,say:r}=a(),[s,c]=l(12),u=t.slice(0,s),p=t.slice(0,s+3),{value:m,error:g,reload:_}=f(()=>b(n,p),`${s} ${p[0].from}`),v=(e,t)=>{let n=(m??[]).slice(e+1,e+1+3);return n.length?n.reduce((e,n)=>e+n[t],0)/n.length:null},S=e=>({label:e,className:`amount`}),C=[r(`summary.stream`),r(`summary.title`),S(r(`summary.length`)),...h.map(e=>S(r(`figure.${e}`)))];return d`<${o} error=${g} onRetry=${_} />
    <section class="card streams">
      <${i} label=${r(`nav.streams`)} columns=${C}>
        ${u.map(({from:t,to:n},i)=>{let a=m?.[i],o=a?h.map(e=>d`<${x} key=${e} name=${e} value=${a[e]} usual=${v(i,e)} />`):h.map(e=>d`<td key=${e} class="amount quiet" data-label=${r(`figure.${e}`)}>…</td>`);return d`<tr key=${t}>
            <td><a class="name" href=${`#/streams/${t}`}>${y(r,t)}</a> <span class="quiet">${r.clock(t)}</span></td>
            <td class="title" dir="auto">${a?a.title??`–`:`…`} <span class="quiet">${a?.category}</span></td>
            <td class="amount" data-label=${r(`summary.length`)}>${e(n-t,!0)}</td>${o}
          </tr>`})}
      <//>
    </section>
    <p class="quiet">${r(`summary.arrows`)}</p>
    ${t.length>s&&d`<p><button onClick=${()=>c(s+12)}>${r(`more`)}</button></p>`}`}function C({stream:t}){let{client:n,say:r}=a(),{value:i}=f(async()=>v(await _(n,t.to,1),t),t.from),o=i?.title??r.time(t.from);return m(o),d`<h1 dir="auto">${o}</h1>
    <p class="quiet">${[i?.title&&r.time(t.from),r(`summary.hours`,{length:e(t.to-t.from,!0)}),i?.category].filter(Boolean).join(` · `)}</p>`}function w({id:e}){let{client:t,say:n}=a(),[i,m]=l(null),[h,g]=l(null);u(()=>{if(!e)return;let t=p(Promise.all([import(`./summary.js`),import(`./figures.js`),import(`./streams.js`),import(`./actions.js`),import(`./picture.js`),import(`./follow.js`),import(`./plot.js`),import(`./units.js`)]).then(([module])=>module),`analytics/analytics.css`);n.withTexts(t,`streams`,`stream`,`errors`).then(({Summary:e})=>m(()=>e),g)},[e]);let{value:_,error:v,reload:y}=f(()=>r(t,[],1e3),`streams of all time`),b=_?.filter(({to:e})=>e!==null),x=b?.findIndex(({from:t})=>String(t)===e)??-1;return d`${x>=0&&d`<p class="back"><a href="#/streams">${n(`summary.all`)}</a></p>`}
    ${x<0?d`<h1>${n(e?`summary.stream`:`nav.streams`)}</h1>`:d`<${C} key=${e} stream=${b[x]} />`}
    ${!b&&(v?d`<${o} error=${v} onRetry=${y} />`:d`<${c} rows=${6} />`)}
    ${e&&b&&x<0&&d`<${o} error=${{status:404}} />`}
    ${b?.length===0&&d`<${s}>${n(`summary.none`)}<//>`}
    ${b?.length>0&&!e&&d`<${S} streams=${b} />`}
    <${o} error=${h} onRetry=${()=>location.reload()} />
    ${x>=0&&(i?d`<${i} key=${e} streams=${b} index=${x} />`:!h&&d`<${c} rows=${6} />`)}`}export{w as View};