
import{d as e,l as t,n,r,s as i}from"./streams.js";import{g as a,p as o,r as s,t as c}from"./forms.js";import{A as l,S as u,f as d,g as f,h as p,t as m,w as h}from"./common.js";import{p as g}from"./first.js";import{t as _}from"./length.js";const v=[`subs`,`bits`,`raids`,`people`],y=e=>new Date(e).toISOString(),b=async(e,t,n)=>(await e.page(`/events`,{query:{source:`twitch/channel.update`,occurred_before:y(t),limit:n}})).records;function x(e,{to:t}){let n=e.find(({occurred_at:e})=>Date.parse(e)<=t);return{title:n?.details.title,category:n?.details.category_name}}function S(e,t){let n=new Date(t).getFullYear()===(/* @__PURE__ */ new Date()).getFullYear()?void 0:`numeric`;return new Intl.DateTimeFormat(e.lang,{weekday:`short`,day:`numeric`,month:`short`,year:n}).format(t)}async function C(t,r){let i=new e(r[r.length-1].from,r[0].to),[a,o]=await Promise.all([b(t,r[0].to,1e3),Promise.all(r.map(e=>n(t,e))),i.list(t)]);return r.map((e,t)=>({...i.figuresIn(e.from,e.to),people:o[t],...x(a,e)}))}function w({name:e,value:n,usual:r}){let{say:i}=u(),a=r===null?n:Math.round(r),o=t(n,a),s=o===0?``:o>0?`▲`:`▼`,c=l`<span class=${`trend ${o>0?`good`:`quiet`}`}
    title=${s&&i(`compare.usual`,{value:i.compact(a)})}>${s}
    ${s&&a>=10&&l`<small>${i.percent(o/a)}</small>`}</span>`;return l`<td class="amount" data-label=${i(`figure.${e}`)}>${e===`people`&&n===0?`–`:i.compact(n)}${e===`people`&&n===1e3&&`+`}
    ${c}
  </td>`}function T({streams:e}){let{client:t,say:n}=u(),[r,s]=h(12),c=e.slice(0,r),d=e.slice(0,r+3),{value:f,error:g,reload:y}=m(()=>C(t,d),`${r} ${d[0].from}`,e=>e.some(({people:e})=>e===0)?3e4:0),b=(e,t)=>{let n=(f??[]).slice(e+1,e+1+3);return n.length>0?i(n.map(e=>e[t])):null},x=e=>({label:e,className:`amount`}),T=[n(`summary.stream`),n(`summary.title`),x(n(`summary.length`)),...v.map(e=>x(n(`figure.${e}`)))];return l`<${p} error=${g} onRetry=${y} />
    <p class="quiet">${n(`summary.arrows`)}</p>
    <section class="card streams">
      <${o} label=${n(`nav.streams`)} columns=${T}>
        ${c.map(({from:e,to:t},r)=>{let i=f?.[r],o=i?v.map(e=>l`<${w} key=${e} name=${e} value=${i[e]} usual=${b(r,e)} />`):v.map(e=>l`<td key=${e} class="amount quiet" data-label=${n(`figure.${e}`)}>…</td>`);return l`<tr key=${e} ...${a(`#/streams/${e}`)}>
            <td><a class="name" href=${`#/streams/${e}`}>${S(n,e)}</a> <span class="quiet">${n.clock(e)}</span></td>
            <td class="title" dir="auto">${i?i.title??`–`:`…`} <span class="quiet">${i?.category}</span></td>
            <td class="amount" data-label=${n(`summary.length`)}>${_({from:e,to:t},n)}</td>${o}
          </tr>`})}
      <//>
    </section>
    ${e.length>r&&l`<p><button onClick=${()=>s(r+12)}>${n(`more`)}</button></p>`}`}function E({stream:e}){let{client:t,say:n}=u(),{value:r}=m(async()=>x(await b(t,e.to,1),e),e.from),i=r?.title??n.time(e.from);return c(i),l`<h1 dir="auto">${i}</h1>
    <p class="quiet">${[r?.title&&n.time(e.from),_(e,n),r?.category].filter(Boolean).join(` · `)}</p>`}const D=s(e=>{let t=g(Promise.all([import(`./summary.js`),import(`./figures.js`),import(`./streams.js`),import(`./actions.js`),import(`./picture.js`),import(`./rows.js`),import(`./follow.js`),import(`./plot.js`),import(`./length.js`),import(`./sentences.js`)]).then(([module])=>module),`analytics/analytics.css`);return e.withTexts(t,`streams`,`stream`,`errors`).then(({Summary:e})=>e)});function O({id:e}){let{client:t,say:n}=u(),{value:i,error:a,reload:o}=m(()=>r(t,[],1e3),`streams of all time`),s=i?.filter(({to:e})=>e!==null),c=s?.findIndex(({from:t})=>String(t)===e)??-1;return l`${c>=0&&l`<p class="back"><a href="#/streams">${n(`summary.all`)}</a></p>`}
    ${c<0?l`<h1>${n(e?`summary.stream`:`nav.streams`)}</h1>`:l`<${E} key=${e} stream=${s[c]} />`}
    ${!s&&(a?l`<${p} error=${a} onRetry=${o} />`:l`<${f} rows=${6} />`)}
    ${e&&s&&c<0&&l`<${p} error=${{status:404}} />`}
    ${s?.length===0&&l`<${d}>${n(`summary.none`)}<//>`}
    ${s?.length>0&&!e&&l`<${T} streams=${s} />`}
    ${c>=0&&l`<${D} key=${e} streams=${s} index=${c} />`}`}export{O as View};