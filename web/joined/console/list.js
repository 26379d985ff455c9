
import{l as e,n as t,r as n,s as r,u as i}from"./streams.js";import{_ as a,a as o,h as s,t as c}from"./forms.js";import{O as l,S as u,f as d,g as f,h as p,t as m,x as h}from"./common.js";import{p as g}from"./first.js";const _=[`subs`,`bits`,`raids`,`people`],v=e=>new Date(e).toISOString(),y=async(e,t,n)=>(await e.page(`/events`,{query:{source:`twitch/channel.update`,occurred_before:v(t),limit:n}})).records;function b(e,{to:t}){let n=e.find(({occurred_at:e})=>Date.parse(e)<=t);return{title:n?.details.title,category:n?.details.category_name}}function x(e,t){let n=new Date(t).getFullYear()===(/* @__PURE__ */ new Date()).getFullYear()?void 0:`numeric`;return new Intl.DateTimeFormat(e.lang,{weekday:`short`,day:`numeric`,month:`short`,year:n}).format(t)}async function S(e,n){let r=new i(n[n.length-1].from,n[0].to),[a,o]=await Promise.all([y(e,n[0].to,1e3),Promise.all(n.map(n=>t(e,n))),r.list(e)]);return n.map((e,t)=>({...r.figuresIn(e.from,e.to),people:o[t],...b(a,e)}))}function C({name:e,value:t,usual:n}){let{say:r}=h(),i=n?(t-n)/n:0,a=Math.abs(i)<.1?``:i>0?`▲`:`▼`,o=l`<span class=${`trend ${i>0?`good`:`quiet`}`}
    title=${a&&r(`compare.usual`,{value:r.compact(n??0)})}>${a}
    ${a&&l`<small>${r.percent(i)}</small>`}</span>`;return l`<td class="amount" data-label=${r(`figure.${e}`)}>${e===`people`&&t===0?`–`:r.compact(t)}${e===`people`&&t===1e3&&`+`}
    ${o}
  </td>`}function w({streams:t}){let{client:n,say:i}=h(),[o,c]=u(12),d=t.slice(0,o),f=t.slice(0,o+3),{value:g,error:v,reload:y}=m(()=>S(n,f),`${o} ${f[0].from}`,e=>e.some(({people:e})=>e===0)?3e4:0),b=(e,t)=>{let n=(g??[]).slice(e+1,e+1+3);return n.length>0?r(n.map(e=>e[t])):null},w=e=>({label:e,className:`amount`}),T=[i(`summary.stream`),i(`summary.title`),w(i(`summary.length`)),..._.map(e=>w(i(`figure.${e}`)))];return l`<${p} error=${v} onRetry=${y} />
    <p class="quiet">${i(`summary.arrows`)}</p>
    <section class="card streams">
      <${s} label=${i(`nav.streams`)} columns=${T}>
        ${d.map(({from:t,to:n},r)=>{let o=g?.[r],s=o?_.map(e=>l`<${C} key=${e} name=${e} value=${o[e]} usual=${b(r,e)} />`):_.map(e=>l`<td key=${e} class="amount quiet" data-label=${i(`figure.${e}`)}>…</td>`);return l`<tr key=${t} ...${a(`#/streams/${t}`)}>
            <td><a class="name" href=${`#/streams/${t}`}>${x(i,t)}</a> <span class="quiet">${i.clock(t)}</span></td>
            <td class="title" dir="auto">${o?o.title??`–`:`…`} <span class="quiet">${o?.category}</span></td>
            <td class="amount" data-label=${i(`summary.length`)}>${e(n-t,!0)}</td>${s}
          </tr>`})}
      <//>
    </section>
    ${t.length>o&&l`<p><button onClick=${()=>c(o+12)}>${i(`more`)}</button></p>`}`}function T({stream:t}){let{client:n,say:r}=h(),{value:i}=m(async()=>b(await y(n,t.to,1),t),t.from),a=i?.title??r.time(t.from);return c(a),l`<h1 dir="auto">${a}</h1>
    <p class="quiet">${[i?.title&&r.time(t.from),r(`summary.hours`,{length:e(t.to-t.from,!0)}),i?.category].filter(Boolean).join(` · `)}</p>`}const E=o(e=>{let t=g(Promise.all([import(`./summary.js`),import(`./figures.js`),import(`./streams.js`),import(`./actions.js`),import(`./forms.js`),import(`./picture.js`),import(`./rows.js`),import(`./follow.js`),import(`./plot.js`),import(`./sentences.js`)]).then(([module])=>module),`analytics/analytics.css`);return e.withTexts(t,`streams`,`stream`,`errors`).then(({Summary:e})=>e)});function D({id:e}){let{client:t,say:r}=h(),{value:i,error:a,reload:o}=m(()=>n(t,[],1e3),`streams of all time`),s=i?.filter(({to:e})=>e!==null),c=s?.findIndex(({from:t})=>String(t)===e)??-1;return l`${c>=0&&l`<p class="back"><a href="#/streams">${r(`summary.all`)}</a></p>`}
    ${c<0?l`<h1>${r(e?`summary.stream`:`nav.streams`)}</h1>`:l`<${T} key=${e} stream=${s[c]} />`}
    ${!s&&(a?l`<${p} error=${a} onRetry=${o} />`:l`<${f} rows=${6} />`)}
    ${e&&s&&c<0&&l`<${p} error=${{status:404}} />`}
    ${s?.length===0&&l`<${d}>${r(`summary.none`)}<//>`}
    ${s?.length>0&&!e&&l`<${w} streams=${s} />`}
    ${c>=0&&l`<${E} key=${e} streams=${s} index=${c} />`}`}export{D as View};