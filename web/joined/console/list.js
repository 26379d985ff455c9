
import{a as e,d as t,l as n,r,s as i,t as a}from"./streams.js";import{g as o,p as s,r as c,t as l}from"./forms.js";import{A as u,O as d,S as f,f as p,g as m,h,t as g}from"./common.js";import{p as _}from"./first.js";import{t as v}from"./length.js";const y=[`subs`,`bits`,`raids`,`people`],b=e=>new Date(e).toISOString(),x=async(e,t,n)=>(await e.page(`/events`,{query:{source:`twitch/channel.update`,occurred_before:b(t),limit:n}})).records;function S(e,{to:t}){let n=e.find(({occurred_at:e})=>Date.parse(e)<=t);return{title:n?.details.title,category:n?.details.category_name}}function C(e,t){let n=new Date(t).getFullYear()===(/* @__PURE__ */ new Date()).getFullYear()?void 0:`numeric`;return new Intl.DateTimeFormat(e.lang,{weekday:`short`,day:`numeric`,month:`short`,year:n}).format(t)}async function w(e,n){let i=new t(n[n.length-1].from,n[0].to),[a,o]=await Promise.all([x(e,n[0].to,1e3),Promise.all(n.map(t=>r(e,t))),i.list(e)]);return n.map((e,t)=>({...e,...i.figuresIn(e.from,e.to),people:o[t],...S(a,e)}))}function T({name:e,value:t,usual:r}){let{say:i}=f(),a=r===null?t:Math.round(r),o=n(t,a),s=o===0?``:o>0?`▲`:`▼`,c=u`<span class=${`trend ${o>0?`good`:`quiet`}`}
    title=${s&&i(`compare.usual`,{value:i.compact(a)})}>${s}
    ${s&&a>=10&&u`<small>${i.percent(o/a)}</small>`}</span>`;return u`<td class="amount" data-label=${i(`figure.${e}`)}>${e===`people`&&t===0?`–`:i.compact(t)}${e===`people`&&t===1e3&&`+`}
    ${c}
  </td>`}function E({streams:e}){let{client:t,say:n,parameters:r,setParameters:c}=f(),l=Number(r.get(`many`))||12,p=e.slice(0,l),m=e.slice(0,l+3),{value:_,error:b,reload:x}=g(()=>w(t,m),`${l} ${m[0].from}`,e=>e.some(({people:e})=>e===0)?a:0),S=d(/* @__PURE__ */ new Map);for(let e of _??[])S.current.set(e.from,e);let E=(t,n)=>{let r=e.slice(t+1,t+1+3).map(({from:e})=>S.current.get(e));return r.length>0&&r.every(Boolean)?i(r.map(e=>e[n])):null},D=u`<${h} error=${b} onRetry=${x} />`,O=S.current.size>0,k=e=>({label:e,className:`amount`}),A=[n(`summary.stream`),n(`summary.title`),k(n(`summary.length`)),...y.map(e=>k(n(`figure.${e}`)))];return u`${!O&&D}
    <p class="quiet">${n(`summary.arrows`)}</p>
    <section class="card streams">
      <${s} label=${n(`nav.streams`)} columns=${A}>
        ${p.map(({from:e,to:t},r)=>{let i=S.current.get(e);if(!i&&b&&O)return null;let a=i?y.map(e=>u`<${T} key=${e} name=${e} value=${i[e]} usual=${E(r,e)} />`):y.map(e=>u`<td key=${e} class="amount quiet" data-label=${n(`figure.${e}`)}>…</td>`);return u`<tr key=${e} ...${o(`#/streams/${e}`)}>
            <td><a class="name" href=${`#/streams/${e}`}>${C(n,e)}</a> <span class="quiet">${n.clock(e)}</span></td>
            <td class="title" dir="auto">${i?i.title??`–`:`…`} <span class="quiet">${i?.category}</span></td>
            <td class="amount" data-label=${n(`summary.length`)}>${v({from:e,to:t},n)}</td>${a}
          </tr>`})}
      <//>
    </section>
    ${O&&D}
    ${e.length>l&&u`<p><button onClick=${()=>c({many:l+12},!0)}>${n(`more`)}</button></p>`}`}function D({stream:e}){let{client:t,say:n}=f(),{value:r}=g(async()=>S(await x(t,e.to,1),e),e.from),i=r?.title??n.time(e.from);return l(i),u`<h1 dir="auto">${i}</h1>
    <p class="quiet">${[r?.title&&n.time(e.from),v(e,n),r?.category].filter(Boolean).join(` · `)}</p>`}const O=c(e=>{let t=_(Promise.all([import(`./summary.js`),import(`./figures.js`),import(`./streams.js`),import(`./actions.js`),import(`./draft.js`),import(`./picture.js`),import(`./rows.js`),import(`./follow.js`),import(`./plot.js`),import(`./length.js`),import(`./sentences.js`)]).then(([module])=>module),`analytics/analytics.css`);return e.withTexts(t,`streams`,`stream`,`errors`).then(({Summary:e})=>e)});function k({id:t}){let{say:n}=f(),{value:r,error:i,reload:a}=e(1e3,null),o=r?.filter(({to:e})=>e!==null),s=o?.findIndex(({from:e})=>String(e)===t)??-1;return u`${s>=0&&u`<p class="back"><a href="#/streams">${n(`summary.all`)}</a></p>`}
    ${s<0?u`<h1>${n(t?`summary.stream`:`nav.streams`)}</h1>`:u`<${D} key=${t} stream=${o[s]} />`}
    ${!o&&(i?u`<${h} error=${i} onRetry=${a} />`:u`<${m} rows=${6} />`)}
    ${t&&o&&s<0&&u`<${h} error=${{status:404}} />`}
    ${o?.length===0&&u`<${p}>${n(`summary.none`)}<//>`}
    ${o?.length>0&&!t&&u`<${E} streams=${o} />`}
    ${s>=0&&u`<${O} key=${t} streams=${o} index=${s} />`}`}export{k as View};