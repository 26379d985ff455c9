
import{h as e}from"./forms.js";import{b as t}from"./first.js";import{C as n,E as r,O as i,S as a,h as o,x as s}from"./common.js";const c=3600,l=[1,2,3,6,12,24].map(e=>e*c),u=matchMedia(`(prefers-color-scheme: dark)`),d=[1,100,1e4,1e6].flatMap(e=>[1,2,5,10,20,50].map(t=>t*e));function f({bucket:e,left:t,width:a,title:o,series:c,index:l}){let{say:u}=s(),d=r(null);return n(()=>{let{style:e,offsetWidth:n}=d.current;e.left=`${Math.max(0,Math.min(t+12,a-n))}px`}),i`<div ref=${d} class="values">
    <strong>${e}</strong>
    ${c.map(({name:e,color:t,values:n})=>i`
      <span><i style=${{background:`var(${t})`}}></i>${c.length>1?e:o}</span>
      <b>${u.number(n[l])}</b>
    `)}
  </div>`}function p(){let[e,t]=a(u.matches);return n(()=>{let e=()=>t(u.matches);return u.addEventListener(`change`,e),()=>u.removeEventListener(`change`,e)},[]),e}const m=(e,n)=>t.map(t=>({name:n(`type.${t}`),color:t===`cheer`?`--cheer-bright`:`--${t}`,values:e.map(({events:e})=>e[t])}));function h(e,t){let[n,r]=[e,t].map(e=>(e.match(/[\d.]+/g)??[]).map(Number));return`rgb(${n.slice(0,3).map((e,t)=>Math.round((e+r[t])/2)).join()})`}function g({title:t,times:u,series:m,zone:g,isHourly:_,endsNow:v}){let{say:y,theme:b}=s(),x=r(null),[S,C]=a(null),[w,T]=a(null),[E,D]=a(null);n(()=>{import(`./uplot.js`).then(e=>T(()=>e.default),D)},[]);let O=p(),k=JSON.stringify([u,m,v]),A=e=>new Intl.DateTimeFormat(y.lang,{timeZone:g,...e});n(()=>{if(!w||u.length===0)return;let e=e=>{x.current.style.color=`var(${e})`;let t=getComputedStyle(x.current).color;return x.current.style.color=``,t},t=e(`--line`),n={font:`12px ${getComputedStyle(x.current).fontFamily}`,stroke:e(`--quiet`),grid:{stroke:t,width:1},ticks:{stroke:t}},r=A(_?{hour:`numeric`}:{day:`numeric`,month:`short`}),i=(_?c:86400)/2,a=u.map(e=>e/1e3),o=(e,t)=>m.slice(0,e+1).reduce((e,{values:n})=>e+n[t],0),s=m.map((e,t)=>u.map((e,n)=>o(t,n)||null)),f=e(`--card`),p={width:x.current.clientWidth,height:220,tzDate:e=>w.tzDate(/* @__PURE__ */ new Date(e*1e3),g),series:[{},...m.map(({name:t,color:n})=>{let r=e(n),i=u.map((e,t)=>v&&t===u.length-1?h(r,f):r),a={unit:3,values:()=>i};return{label:t,stroke:r,fill:r,paths:w.paths.bars({size:[.7,40],disp:{fill:a,stroke:a}}),points:{show:!1}}}).reverse()],axes:[{...n,size:32,..._&&{incrs:l},values:(e,t)=>t.map(e=>r.format(e*1e3))},{...n,size:60,incrs:d,values:(e,t)=>t.map(e=>y.compact(e))}],scales:{x:{range:[a[0]-i,a[a.length-1]+i]},y:{range:(e,t,n)=>[0,Math.max(1,n*1.08)]}},legend:{show:!1},cursor:{y:!1,drag:{x:!1,y:!1},points:{show:!1}},hooks:{setCursor:[({cursor:{idx:e,left:t},bbox:n})=>{C(e==null||t<0?null:{index:e,left:t+n.left/devicePixelRatio})}]}},b=new w(p,[a,...s.reverse()],x.current),S=new ResizeObserver(()=>b.setSize({width:x.current.clientWidth,height:220}));return S.observe(x.current),()=>{S.disconnect(),b.destroy()}},[w,k,b,O,y]);let j=A({dateStyle:`medium`,..._&&{timeStyle:`short`}}),M=({name:e,color:t})=>i`<span><i style=${{background:`var(${t})`}}></i>${e}</span>`,N=[y(`when`),...m.map(({name:e})=>({label:e,className:`amount`}))],P=x.current?.clientWidth??0;return i`<section class="card plotted">
    <h2>${t}</h2>
    <${o} error=${E} onRetry=${()=>location.reload()} />
    <div class="plot-area" aria-hidden="true">
      <div ref=${x} class="plot"></div>
      ${S&&u[S.index]!==void 0&&i`<${f} bucket=${j.format(u[S.index])} ...${{...S,width:P,title:t,series:m}} />`}
    </div>
    ${m.length>1&&i`<p class="legend">${m.map(M)}</p>`}
    <details>
      <summary>${y(`analytics.table`,{title:t})}</summary>
      <${e} label=${t} columns=${N}>
        ${u.map((e,t)=>i`<tr key=${e}>
          <td>${j.format(e)}</td>
          ${m.map(({values:e})=>i`<td class="amount">${y.number(e[t])}</td>`)}
        </tr>`)}
      <//>
    </details>
  </section>`}export{m as n,g as t};