
import{C as e,T as t,v as n,x as r}from"./first.js";import{i,n as a,r as o}from"./rows.js";import{t as s}from"./follow.js";import{C as c,D as l,E as u,O as d,S as f,f as p,h as m,m as h,x as g}from"./common.js";function _(e){let t=u(e),[n,r]=f(!1);return c(()=>{let e=()=>r(scrollY>200);return addEventListener(`scroll`,e,{passive:!0}),()=>removeEventListener(`scroll`,e)},[]),n||(t.current=e),n?e-t.current:0}function v(){let{client:v,say:y,parameters:b,setParameters:x}=g(),S=b.get(`kinds`),C=l(()=>S===null?n:new Set(S.split(` `)),[S]),w=Math.min(2**53-1,Math.ceil(Math.max(0,Number(b.get(`bits`))||0))),T=(b.get(`search`)??``).toLowerCase(),E=b.get(`bits`)??``,[D,O]=f({search:T,bits:E}),k=u(D),[A,j]=f(!1),[M,N]=f(null),[,P]=f(0),F=l(()=>Object.assign(t=>C.has(e(t))&&(t.event_type!==`cheer`||r(t)>=w)&&(!T||`${t.user_name}\n${t.message??``}`.toLowerCase().includes(T)),{key:[...C,w,T].join(`
`)}),[S,w,T]),I=s({paths:t(C,w),matches:F,isPaused:A}),L=_(I.chunks.flatMap(({events:e})=>e).filter(({event_id:e})=>I.newIds.has(e)).length);c(()=>{let{search:e,bits:t}=k.current;(T!==e.toLowerCase()||E!==t)&&O({search:b.get(`search`)??``,bits:E})},[T,E]),c(()=>{let e=setTimeout(()=>{k.current={search:D.search.trim(),bits:D.bits},x(k.current)},250);return()=>clearTimeout(e)},[D]);let R=e=>t=>O({...D,[e]:e===`bits`?t.currentTarget.value.replace(`-`,``):t.currentTarget.value});c(()=>{let e=setInterval(()=>P(Date.now()),6e4);return()=>clearInterval(e)},[]);let z=()=>{A&&I.resume(),j(!A)},B=()=>Promise.all([import(`./export.js`),import(`./forms.js`)]).then(([module])=>module).then(({saveEvents:e})=>e({client:v,paths:t(C,w),matches:F,onProgress:e=>N({rows:e})})).then(()=>N(null),e=>N({error:e})),V=e=>x({kinds:[...e].join(` `)||`none`}),H=!!(T||w)||S!==null,U=()=>{O({search:``,bits:``}),x({kinds:null,bits:null,search:null})},W=I.chunks[0]?.events[0],G=W&&I.newIds.has(W.event_id)?`${W.user_name} ${i(W,y)}`:``;return d`<div class="bar spread">
      <h1>${y(`nav.activity`)}</h1>
      <div class="bar">
        <button aria-pressed=${A} onClick=${z}>
          ${A?y(`activity.resume`,{waiting:I.waiting.length}):y(`activity.pause`)}
        </button>
        <button onClick=${B} disabled=${M?.rows}>
          ${M?.rows?y(`exporting`,{rows:M.rows}):y(`activity.export`)}
        </button>
      </div>
    </div>
    <div class="bar">
      <${a} selected=${C} onChange=${V} />
      <label class="field"><span>${y(`activity.search`)}</span>
        <input type="search" value=${D.search} onInput=${R(`search`)} />
      </label>
      <label class="field narrow"><span>${y(`activity.bits`)}</span>
        <input type="number" min="0" step="1" value=${D.bits} onInput=${R(`bits`)} />
      </label>
    </div>
    <${m} error=${M?.error} />
    <p class="unseen" aria-live=${A?`off`:`polite`}>${G}</p>
    ${L>0&&d`<button class="main to-top" onClick=${()=>scrollTo({top:0})}>
      ${`↑ ${y(`activity.unseen`,{many:L})}`}
    </button>`}
    <${o} chunks=${I.chunks} newIds=${I.newIds} label=${y(`nav.activity`)} />
    ${I.size===0&&!I.busy&&!I.error&&I.next===null&&(H?d`<${p}>${y(`activity.none`)} <button onClick=${U}>${y(`activity.reset`)}</button><//>`:d`<${p}>${y(`activity.empty`)} <a class="button" href="#/overview">${y(`activity.setup`)}</a><//>`)}
    <${h} list=${I} scrolls />`}export{v as View};