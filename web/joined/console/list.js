
import{c as e,f as t,i as n,r,t as i,u as a}from"./streams.js";import{g as o,p as s,r as c,t as l}from"./forms.js";import{A as u,S as d,f,g as p,h as m,t as h,w as g}from"./common.js";import{p as _}from"./first.js";import{t as v}from"./length.js";const y=[`subs`,`bits`,`raids`,`people`],b=e=>new Date(e).toISOString(),x=async(e,t,n)=>(await e.page(`/events`,{query:{source:`twitch/channel.update`,occurred_before:b(t),limit:n}})).records;function S(e,{to:t}){let n=e.find(({occurred_at:e})=>Date.parse(e)<=t);return{title:n?.details.title,category:n?.details.category_name}}function C(e,t){let n=new Date(t).getFullYear()===(/* @__PURE__ */ new Date()).getFullYear()?void 0:`numeric`;return new Intl.DateTimeFormat(e.lang,{weekday:`short`,day:`numeric`,month:`short`,year:n}).format(t)}async function w(e,n){let i=new t(n[n.length-1].from,n[0].to),[a,o]=await Promise.all([x(e,n[0].to,1e3),Promise.all(n.map(t=>r(e,t))),i.list(e)]);return n.map((e,t)=>({...i.figuresIn(e.from,e.to),people:o[t],...S(a,e)}))}function T({name:e,value:t,usual:n}){let{say:r}=d(),i=n===null?t:Math.round(n),o=a(t,i),s=o===0?``:o>0?`▲`:`▼`,c=u`<span class=${`trend ${o>0?`good`:`quiet`}`}
    title=${s&&r(`compare.usual`,{value:r.compact(i)})}>${s}
    ${s&&i>=10&&u`<small>${r.percent(o/i)}</small>`}</span>`;return u`<td class="amount" data-label=${r(`figure.${e}`)}>${e===`people`&&t===0?`–`:r.compact(t)}${e===`people`&&t===1e3&&`+`}
    ${c}
  </td>`}function E({streams:t}){let{client:n,say:r}=d(),[a,c]=g(12),l=t.slice(0,a),f=t.slice(0,a+3),{value:p,error:_,reload:b}=h(()=>w(n,f),`${a} ${f[0].from}`,e=>e.some(({people:e})=>e===0)?i:0),x=(t,n)=>{let r=(p??[]).slice(t+1,t+1+3);return r.length>0?e(r.map(e=>e[n])):null},S=e=>({label:e,className:`amount`}),E=[r(`summary.stream`),r(`summary.title`),S(r(`summary.length`)),...y.map(e=>S(r(`figure.${e}`)))];return u`<${m} error=${_} onRetry=${b} />
    <p class="quiet">${r(`summary.arrows`)}</p>
    <section class="card streams">
      <${s} label=${r(`nav.streams`)} columns=${E}>
        ${l.map(({from:e,to:t},n)=>{let i=p?.[n],a=i?y.map(e=>u`<${T} key=${e} name=${e} value=${i[e]} usual=${x(n,e)} />`):y.map(e=>u`<td key=${e} class="amount quiet" data-label=${r(`figure.${e}`)}>…</td>`);return u`<tr key=${e} ...${o(`#/streams/${e}`)}>
            <td><a class="name" href=${`#/streams/${e}`}>${C(r,e)}</a> <span class="quiet">${r.clock(e)}</span></td>
            <td class="title" dir="auto">${i?i.title??`–`:`…`} <span class="quiet">${i?.category}</span></td>
            <td class="amount" data-label=${r(`summary.length`)}>${v({from:e,to:t},r)}</td>${a}
          </tr>`})}
      <//>
    </section>
    ${t.length>a&&u`<p><button onClick=${()=>c(a+12)}>${r(`more`)}</button></p>`}`}function D({stream:e}){let{client:t,say:n}=d(),{value:r}=h(async()=>S(await x(t,e.to,1),e),e.from),i=r?.title??n.time(e.from);return l(i),u`<h1 dir="auto">${i}</h1>
    <p class="quiet">${[r?.title&&n.time(e.from),v(e,n),r?.category].filter(Boolean).join(` · `)}</p>`}const O=c(e=>{let t=_(Promise.all([import(`./summary.js`),import(`./figures.js`),import(`./streams.js`),import(`./actions.js`),import(`./draft.js`),import(`./picture.js`),import(`./rows.js`),import(`./follow.js`),import(`./plot.js`),import(`./length.js`),import(`./sentences.js`)]).then(([module])=>module),`analytics/analytics.css`);return e.withTexts(t,`streams`,`stream`,`errors`).then(({Summary:e})=>e)});function k({id:e}){let{client:t,say:r}=d(),{value:i,error:a,reload:o}=h(()=>n(t,[],1e3),`streams of all time`),s=i?.filter(({to:e})=>e!==null),c=s?.findIndex(({from:t})=>String(t)===e)??-1;return u`${c>=0&&u`<p class="back"><a href="#/streams">${r(`summary.all`)}</a></p>`}
    ${c<0?u`<h1>${r(e?`summary.stream`:`nav.streams`)}</h1>`:u`<${D} key=${e} stream=${s[c]} />`}
    ${!s&&(a?u`<${m} error=${a} onRetry=${o} />`:u`<${p} rows=${6} />`)}
    ${e&&s&&c<0&&u`<${m} error=${{status:404}} />`}
    ${s?.length===0&&u`<${f}>${r(`summary.none`)}<//>`}
    ${s?.length>0&&!e&&u`<${E} streams=${s} />`}
    ${c>=0&&u`<${O} key=${e} streams=${s} index=${c} />`}`}export{k as View};