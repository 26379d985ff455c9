
import{h as e}from"./forms.js";import{C as t,E as n,O as r,S as i,h as a,x as o}from"./common.js";const s=3600,c=[1,2,3,6,12,24].map(e=>e*s),l=matchMedia(`(prefers-color-scheme: dark)`),u=[1,100,1e4,1e6].flatMap(e=>[1,2,5,10,20,50].map(t=>t*e));function d({bucket:e,left:i,width:a,title:s,series:c,index:l}){let{say:u}=o(),d=n(null);return t(()=>{let{style:e,offsetWidth:t}=d.current;e.left=`${Math.max(0,Math.min(i+12,a-t))}px`}),r`<div ref=${d} class="values">
    <strong>${e}</strong>
    ${c.map(({name:e,color:t,values:n})=>r`
      <span><i style=${{background:`var(${t})`}}></i>${c.length>1?e:s}</span>
      <b>${u.number(n[l])}</b>
    `)}
  </div>`}function f(){let[e,n]=i(l.matches);return t(()=>{let e=()=>n(l.matches);return l.addEventListener(`change`,e),()=>l.removeEventListener(`change`,e)},[]),e}const p=[`plain`,`subscriber`,`cheer`,`raid`],m=(e,t)=>p.map(n=>({name:t(`type.${n}`),color:n===`cheer`?`--cheer-bright`:`--${n}`,values:e.map(({events:e})=>e[n])}));function h(e,t){let[n,r]=[e,t].map(e=>(e.match(/[\d.]+/g)??[]).map(Number));return`rgb(${n.slice(0,3).map((e,t)=>Math.round((e+r[t])/2)).join()})`}function g({title:l,times:p,series:m,zone:g,isHourly:_,endsNow:v}){let{say:y,theme:b}=o(),x=n(null),[S,C]=i(null),[w,T]=i(null),[E,D]=i(null);t(()=>{import(`./uplot.js`).then(e=>T(()=>e.default),D)},[]);let O=f(),k=JSON.stringify([p,m,v]),A=e=>new Intl.DateTimeFormat(y.lang,{timeZone:g,...e});t(()=>{if(!w||p.length===0)return;let e=e=>{x.current.style.color=`var(${e})`;let t=getComputedStyle(x.current).color;return x.current.style.color=``,t},t=e(`--line`),n={font:`12px ${getComputedStyle(x.current).fontFamily}`,stroke:e(`--quiet`),grid:{stroke:t,width:1},ticks:{stroke:t}},r=A(_?{hour:`numeric`}:{day:`numeric`,month:`short`}),i=(_?s:86400)/2,a=p.map(e=>e/1e3),o=(e,t)=>m.slice(0,e+1).reduce((e,{values:n})=>e+n[t],0),l=m.map((e,t)=>p.map((e,n)=>o(t,n)||null)),d=e(`--card`),f={width:x.current.clientWidth,height:240,tzDate:e=>w.tzDate(/* @__PURE__ */ new Date(e*1e3),g),series:[{},...m.map(({name:t,color:n})=>{let r=e(n),i=p.map((e,t)=>v&&t===p.length-1?h(r,d):r),a={unit:3,values:()=>i};return{label:t,stroke:r,fill:r,paths:w.paths.bars({size:[.7,40],disp:{fill:a,stroke:a}}),points:{show:!1}}}).reverse()],axes:[{...n,..._&&{incrs:c},values:(e,t)=>t.map(e=>r.format(e*1e3))},{...n,size:60,incrs:u,values:(e,t)=>t.map(e=>y.compact(e))}],scales:{x:{range:[a[0]-i,a[a.length-1]+i]},y:{range:(e,t,n)=>[0,Math.max(1,n*1.08)]}},legend:{show:!1},cursor:{y:!1,drag:{x:!1,y:!1},points:{show:!1}},hooks:{setCursor:[({cursor:{idx:e,left:t},bbox:n})=>{C(e==null||t<0?null:{index:e,left:t+n.left/devicePixelRatio})}]}},b=new w(f,[a,...l.reverse()],x.current),S=new ResizeObserver(()=>b.setSize({width:x.current.clientWidth,height:240}));return S.observe(x.current),()=>{S.disconnect(),b.destroy()}},[w,k,b,O,y]);let j=A({dateStyle:`medium`,..._&&{timeStyle:`short`}}),M=({name:e,color:t})=>r`<span><i style=${{background:`var(${t})`}}></i>${e}</span>`,N=[y(`when`),...m.map(({name:e})=>({label:e,className:`amount`}))],P=x.current?.clientWidth??0;return r`<section class="card plotted">
    <h2>${l}</h2>
    ${m.length>1&&r`<p class="legend">${m.map(M)}</p>`}
    <${a} error=${E} onRetry=${()=>location.reload()} />
    <div class="plot-area" aria-hidden="true">
      <div ref=${x} class="plot"></div>
      ${S&&p[S.index]!==void 0&&r`<${d} bucket=${j.format(p[S.index])} ...${{...S,width:P,title:l,series:m}} />`}
    </div>
    <details>
      <summary>${y(`analytics.table`,{title:l})}</summary>
      <${e} label=${l} columns=${N}>
        ${p.map((e,t)=>r`<tr key=${e}>
          <td>${j.format(e)}</td>
          ${m.map(({values:e})=>r`<td class="amount">${y.number(e[t])}</td>`)}
        </tr>`)}
      <//>
    </details>
  </section>`}export{p as n,m as r,g as t};