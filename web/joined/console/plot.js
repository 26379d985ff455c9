
import{p as e}from"./forms.js";import{b as t}from"./first.js";import{A as n,O as r,S as i,T as a,h as o,w as s}from"./common.js";const c=3600,l=24*c,u=[1,2,3,6,12,24].map(e=>e*c),d=[1,2,3,4,5,7,10,14,21,28,60,90,180,365].map(e=>e*l),f=matchMedia(`(prefers-color-scheme: dark)`),p=Array.from({length:16},(e,t)=>[1,2,5].map(e=>e*10**t)).flat();function m({bucket:e,left:t,width:o,title:s,series:c,index:l}){let{say:u}=i(),d=r(null);return a(()=>{let{style:e,offsetWidth:n}=d.current;e.left=`${Math.max(0,Math.min(t+12,o-n))}px`}),n`<div ref=${d} class="values">
    <strong>${e}</strong>
    ${c.map(({name:e,color:t,values:r})=>n`
      <span><i style=${{background:`var(${t})`}}></i>${c.length>1?e:s}</span>
      <b>${u.number(r[l])}</b>
    `)}
  </div>`}function h(){let[e,t]=s(f.matches);return a(()=>{let e=()=>t(f.matches);return f.addEventListener(`change`,e),()=>f.removeEventListener(`change`,e)},[]),e}const g=(e,n)=>t.map(t=>({name:n(`type.${t}`),color:t===`cheer`?`--cheer-bright`:`--${t}`,values:e.map(({events:e})=>e[t])}));function _(e,t){let[n,r]=[e,t].map(e=>(e.match(/[\d.]+/g)??[]).map(Number));return`rgb(${n.slice(0,3).map((e,t)=>Math.round((e+r[t])/2)).join()})`}function v({title:t,times:f,series:g,zone:v,isHourly:y,endsNow:b}){let{say:x,theme:S}=i(),C=r(null),[w,T]=s(null),[E,D]=s(null),[O,k]=s(null);a(()=>{import(`./uplot.js`).then(e=>D(()=>e.default),k)},[]);let A=h(),j=JSON.stringify([f,g,b]),M=e=>new Intl.DateTimeFormat(x.lang,{timeZone:v,...e});a(()=>{if(!E||f.length===0)return;let e=e=>{C.current.style.color=`var(${e})`;let t=getComputedStyle(C.current).color;return C.current.style.color=``,t},t=e(`--line`),n={font:`12px ${getComputedStyle(C.current).fontFamily}`,stroke:e(`--quiet`),grid:{stroke:t,width:1},ticks:{stroke:t}},r=M(y?{hour:`numeric`}:{day:`numeric`,month:`short`}),i=(y?c:l)/2,a=f.map(e=>e/1e3),o=(e,t)=>g.slice(0,e+1).reduce((e,{values:n})=>e+n[t],0),s=g.map((e,t)=>f.map((e,n)=>o(t,n)||null)),m=e(`--card`),h={width:C.current.clientWidth,height:220,tzDate:e=>E.tzDate(/* @__PURE__ */ new Date(e*1e3),v),series:[{},...g.map(({name:t,color:n})=>{let r=e(n),i=f.map((e,t)=>b&&t===f.length-1?_(r,m):r),a={unit:3,values:()=>i};return{label:t,stroke:r,fill:r,paths:E.paths.bars({size:[.7,40],disp:{fill:a,stroke:a}}),points:{show:!1}}}).reverse()],axes:[{...n,size:32,incrs:y?u:d,values:(e,t)=>t.map(e=>r.format(e*1e3))},{...n,incrs:p,size:(e,t)=>Math.max(60,...(t??[]).map(({length:e})=>16+7*e)),values:(e,t)=>t.map(e=>x.compact(e))}],scales:{x:{range:[a[0]-i,a[a.length-1]+i]},y:{range:(e,t,n)=>[0,Math.max(1,n*1.08)]}},legend:{show:!1},cursor:{y:!1,drag:{x:!1,y:!1},points:{show:!1}},hooks:{setCursor:[({cursor:{idx:e,left:t},bbox:n})=>{T(e==null||t<0?null:{index:e,left:t+n.left/devicePixelRatio})}]}},S=new E(h,[a,...s.reverse()],C.current),w=new ResizeObserver(()=>S.setSize({width:C.current.clientWidth,height:220}));return w.observe(C.current),()=>{w.disconnect(),S.destroy()}},[E,j,S,A,x]);let N=M({dateStyle:`medium`,...y&&{timeStyle:`short`}}),P=({name:e,color:t})=>n`<span><i style=${{background:`var(${t})`}}></i>${e}</span>`,F=[x(`when`),...g.map(({name:e})=>({label:e,className:`amount`}))],I=C.current?.clientWidth??0;return n`<section class="card plotted">
    <h2>${t}</h2>
    <${o} error=${O} onRetry=${()=>location.reload()} />
    <div class="plot-area" aria-hidden="true">
      <div ref=${C} class="plot"></div>
      ${w&&f[w.index]!==void 0&&n`<${m} bucket=${N.format(f[w.index])} ...${{...w,width:I,title:t,series:g}} />`}
    </div>
    ${g.length>1&&n`<p class="legend">${g.map(P)}</p>`}
    <details>
      <summary>${x(`analytics.table`,{title:t})}</summary>
      <${e} label=${t} columns=${F}>
        ${f.map((e,t)=>n`<tr key=${e}>
          <td>${N.format(e)}</td>
          ${g.map(({values:e})=>n`<td class="amount">${x.number(e[t])}</td>`)}
        </tr>`)}
      <//>
    </details>
  </section>`}export{g as n,v as t};