
import{c as e,l as t,n,r}from"./streams.js";import{_ as i,a,h as o,t as s}from"./forms.js";import{O as c,S as l,f as u,g as d,h as f,t as p,x as m}from"./common.js";import{p as h}from"./first.js";const g=[`subs`,`bits`,`raids`,`people`],_=e=>new Date(e).toISOString(),v=async(e,t,n)=>(await e.page(`/events`,{query:{source:`twitch/channel.update`,occurred_before:_(t),limit:n}})).records;function y(e,{to:t}){let n=e.find(({occurred_at:e})=>Date.parse(e)<=t);return{title:n?.details.title,category:n?.details.category_name}}function b(e,t){let n=new Date(t).getFullYear()===(/* @__PURE__ */ new Date()).getFullYear()?void 0:`numeric`;return new Intl.DateTimeFormat(e.lang,{weekday:`short`,day:`numeric`,month:`short`,year:n}).format(t)}async function x(e,r){let i=new t(r[r.length-1].from,r[0].to),[a,o]=await Promise.all([v(e,r[0].to,1e3),Promise.all(r.map(t=>n(e,t))),i.list(e)]);return r.map((e,t)=>({...i.figuresIn(e.from,e.to),people:o[t],...y(a,e)}))}function S({name:e,value:t,usual:n}){let{say:r}=m(),i=n?(t-n)/n:0,a=Math.abs(i)<.1?``:i>0?`▲`:`▼`,o=c`<span class=${`trend ${i>0?`good`:`quiet`}`}
    title=${a&&r(`compare.usual`,{value:r.compact(Math.round(n??0))})}>${a}
    ${a&&c`<small>${r.percent(i)}</small>`}</span>`;return c`<td class="amount" data-label=${r(`figure.${e}`)}>${r.compact(t)}${e===`people`&&t===1e3&&`+`}
    ${o}
  </td>`}function C({streams:t}){let{client:n,say:r}=m(),[a,s]=l(12),u=t.slice(0,a),d=t.slice(0,a+3),{value:h,error:_,reload:v}=p(()=>x(n,d),`${a} ${d[0].from}`),y=(e,t)=>{let n=(h??[]).slice(e+1,e+1+3);return n.length?n.reduce((e,n)=>e+n[t],0)/n.length:null},C=e=>({label:e,className:`amount`}),w=[r(`summary.stream`),r(`summary.title`),C(r(`summary.length`)),...g.map(e=>C(r(`figure.${e}`)))];return c`<${f} error=${_} onRetry=${v} />
    <p class="quiet">${r(`summary.arrows`)}</p>
    <section class="card streams">
      <${o} label=${r(`nav.streams`)} columns=${w}>
        ${u.map(({from:t,to:n},a)=>{let o=h?.[a],s=o?g.map(e=>c`<${S} key=${e} name=${e} value=${o[e]} usual=${y(a,e)} />`):g.map(e=>c`<td key=${e} class="amount quiet" data-label=${r(`figure.${e}`)}>…</td>`);return c`<tr key=${t} ...${i(`#/streams/${t}`)}>
            <td><a class="name" href=${`#/streams/${t}`}>${b(r,t)}</a> <span class="quiet">${r.clock(t)}</span></td>
            <td class="title" dir="auto">${o?o.title??`–`:`…`} <span class="quiet">${o?.category}</span></td>
            <td class="amount" data-label=${r(`summary.length`)}>${e(n-t,!0)}</td>${s}
          </tr>`})}
      <//>
    </section>
    ${t.length>a&&c`<p><button onClick=${()=>s(a+12)}>${r(`more`)}</button></p>`}`}function w({stream:t}){let{client:n,say:r}=m(),{value:i}=p(async()=>y(await v(n,t.to,1),t),t.from),a=i?.title??r.time(t.from);return s(a),c`<h1 dir="auto">${a}</h1>
    <p class="quiet">${[i?.title&&r.time(t.from),r(`summary.hours`,{length:e(t.to-t.from,!0)}),i?.category].filter(Boolean).join(` · `)}</p>`}const T=a(e=>{let t=h(Promise.all([import(`./summary.js`),import(`./figures.js`),import(`./streams.js`),import(`./actions.js`),import(`./forms.js`),import(`./picture.js`),import(`./rows.js`),import(`./follow.js`),import(`./plot.js`),import(`./sentences.js`)]).then(([module])=>module),`analytics/analytics.css`);return e.withTexts(t,`streams`,`stream`,`errors`).then(({Summary:e})=>e)});function E({id:e}){let{client:t,say:n}=m(),{value:i,error:a,reload:o}=p(()=>r(t,[],1e3),`streams of all time`),s=i?.filter(({to:e})=>e!==null),l=s?.findIndex(({from:t})=>String(t)===e)??-1;return c`${l>=0&&c`<p class="back"><a href="#/streams">${n(`summary.all`)}</a></p>`}
    ${l<0?c`<h1>${n(e?`summary.stream`:`nav.streams`)}</h1>`:c`<${w} key=${e} stream=${s[l]} />`}
    ${!s&&(a?c`<${f} error=${a} onRetry=${o} />`:c`<${d} rows=${6} />`)}
    ${e&&s&&l<0&&c`<${f} error=${{status:404}} />`}
    ${s?.length===0&&c`<${u}>${n(`summary.none`)}<//>`}
    ${s?.length>0&&!e&&c`<${C} streams=${s} />`}
    ${l>=0&&c`<${T} key=${e} streams=${s} index=${l} />`}`}export{E as View};