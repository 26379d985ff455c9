
import{c as e,n as t,r as n,s as r}from"./streams.js";import{h as i,p as a,r as o,t as s}from"./forms.js";import{A as c,C as l,_ as u,g as d,p as f,t as p,w as m}from"./common.js";import{p as h}from"./first.js";import{t as g}from"./length.js";const _=[`subs`,`bits`,`raids`,`people`],v=e=>new Date(e).toISOString(),y=async(e,t,n)=>(await e.page(`/events`,{query:{source:`twitch/channel.update`,occurred_before:v(t),limit:n}})).records;function b(e,{to:t}){let n=e.find(({occurred_at:e})=>Date.parse(e)<=t);return{title:n?.details.title,category:n?.details.category_name}}function x(e,t){let n=new Date(t).getFullYear()===(/* @__PURE__ */ new Date()).getFullYear()?void 0:`numeric`;return new Intl.DateTimeFormat(e.lang,{weekday:`short`,day:`numeric`,month:`short`,year:n}).format(t)}async function S(n,r){let i=new e(r[r.length-1].from,r[0].to),[a,o]=await Promise.all([y(n,r[0].to,1e3),Promise.all(r.map(e=>t(n,e))),i.list(n)]);return r.map((e,t)=>({...i.figuresIn(e.from,e.to),people:o[t],...b(a,e)}))}function C({name:e,value:t,usual:n}){let{say:r}=l(),i=n===null?t:Math.round(n),a=t-i,o=Math.abs(a)<Math.max(1,.1*i)?``:a>0?`▲`:`▼`,s=c`<span class=${`trend ${a>0?`good`:`quiet`}`}
    title=${o&&r(`compare.usual`,{value:r.compact(i)})}>${o}
    ${o&&i>=10&&c`<small>${r.percent(a/i)}</small>`}</span>`;return c`<td class="amount" data-label=${r(`figure.${e}`)}>${e===`people`&&t===0?`–`:r.compact(t)}${e===`people`&&t===1e3&&`+`}
    ${s}
  </td>`}function w({streams:e}){let{client:t,say:n}=l(),[o,s]=m(12),u=e.slice(0,o),f=e.slice(0,o+3),{value:h,error:v,reload:y}=p(()=>S(t,f),`${o} ${f[0].from}`,e=>e.some(({people:e})=>e===0)?3e4:0),b=(e,t)=>{let n=(h??[]).slice(e+1,e+1+3);return n.length>0?r(n.map(e=>e[t])):null},w=e=>({label:e,className:`amount`}),T=[n(`summary.stream`),n(`summary.title`),w(n(`summary.length`)),..._.map(e=>w(n(`figure.${e}`)))];return c`<${d} error=${v} onRetry=${y} />
    <p class="quiet">${n(`summary.arrows`)}</p>
    <section class="card streams">
      <${a} label=${n(`nav.streams`)} columns=${T}>
        ${u.map(({from:e,to:t},r)=>{let a=h?.[r],o=a?_.map(e=>c`<${C} key=${e} name=${e} value=${a[e]} usual=${b(r,e)} />`):_.map(e=>c`<td key=${e} class="amount quiet" data-label=${n(`figure.${e}`)}>…</td>`);return c`<tr key=${e} ...${i(`#/streams/${e}`)}>
            <td><a class="name" href=${`#/streams/${e}`}>${x(n,e)}</a> <span class="quiet">${n.clock(e)}</span></td>
            <td class="title" dir="auto">${a?a.title??`–`:`…`} <span class="quiet">${a?.category}</span></td>
            <td class="amount" data-label=${n(`summary.length`)}>${g({from:e,to:t},n)}</td>${o}
          </tr>`})}
      <//>
    </section>
    ${e.length>o&&c`<p><button onClick=${()=>s(o+12)}>${n(`more`)}</button></p>`}`}function T({stream:e}){let{client:t,say:n}=l(),{value:r}=p(async()=>b(await y(t,e.to,1),e),e.from),i=r?.title??n.time(e.from);return s(i),c`<h1 dir="auto">${i}</h1>
    <p class="quiet">${[r?.title&&n.time(e.from),g(e,n),r?.category].filter(Boolean).join(` · `)}</p>`}const E=o(e=>{let t=h(Promise.all([import(`./summary.js`),import(`./figures.js`),import(`./streams.js`),import(`./actions.js`),import(`./picture.js`),import(`./rows.js`),import(`./follow.js`),import(`./plot.js`),import(`./figure.js`),import(`./length.js`),import(`./sentences.js`)]).then(([module])=>module),`analytics/analytics.css`);return e.withTexts(t,`streams`,`stream`,`errors`).then(({Summary:e})=>e)});function D({id:e}){let{client:t,say:r}=l(),{value:i,error:a,reload:o}=p(()=>n(t,[],1e3),`streams of all time`),s=i?.filter(({to:e})=>e!==null),m=s?.findIndex(({from:t})=>String(t)===e)??-1;return c`${m>=0&&c`<p class="back"><a href="#/streams">${r(`summary.all`)}</a></p>`}
    ${m<0?c`<h1>${r(e?`summary.stream`:`nav.streams`)}</h1>`:c`<${T} key=${e} stream=${s[m]} />`}
    ${!s&&(a?c`<${d} error=${a} onRetry=${o} />`:c`<${u} rows=${6} />`)}
    ${e&&s&&m<0&&c`<${d} error=${{status:404}} />`}
    ${s?.length===0&&c`<${f}>${r(`summary.none`)}<//>`}
    ${s?.length>0&&!e&&c`<${w} streams=${s} />`}
    ${m>=0&&c`<${E} key=${e} streams=${s} index=${m} />`}`}export{D as View};