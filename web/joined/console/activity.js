
import{C as e,_ as t,x as n,y as r}from"./first.js";import{A as i,B as a,G as o,M as s,N as c,R as l,U as u,W as d,d as f,l as p,u as m,z as h}from"./common.js";import{t as g}from"./follow.js";function _(e){let t=u(e),[n,r]=h(!1);return a(()=>{let e=()=>r(scrollY>200);return addEventListener(`scroll`,e,{passive:!0}),()=>removeEventListener(`scroll`,e)},[]),n||(t.current=e),n?e-t.current:0}function v(){let{client:v,say:y,parameters:b,setParameters:x}=l(),S=b.get(`kinds`),C=d(()=>S===null?t:new Set(S.split(` `)),[S]),w=Math.min(2**53-1,Math.ceil(Math.max(0,Number(b.get(`bits`))||0))),T=(b.get(`search`)??``).toLowerCase(),[E,D]=h(T),O=u(T),[k,A]=h(!1),[j,M]=h(null),[,N]=h(0),P=d(()=>Object.assign(e=>C.has(n(e))&&(e.event_type!==`cheer`||r(e)>=w)&&(!T||`${e.user_name}\n${e.message??``}`.toLowerCase().includes(T)),{key:[...C,w,T].join(`
`)}),[S,w,T]),F=g({paths:e(C,w),matches:P,isPaused:k}),I=_(F.chunks.flatMap(({events:e})=>e).filter(({event_id:e})=>F.newIds.has(e)).length);a(()=>{T!==O.current.toLowerCase()&&D(b.get(`search`)??``)},[T]),a(()=>{let e=setTimeout(()=>{O.current=E.trim(),x({search:O.current})},250);return()=>clearTimeout(e)},[E]),a(()=>{let e=setInterval(()=>N(Date.now()),6e4);return()=>clearInterval(e)},[]);let L=()=>{k&&F.resume(),A(!k)},R=()=>import(`./export.js`).then(({saveEvents:t})=>t({client:v,paths:e(C,w),matches:P,onProgress:e=>M({rows:e})})).then(()=>M(null),e=>M({error:e})),z=e=>x({kinds:[...e].join(` `)||`none`}),B=!!(T||w)||S!==null,V=()=>{D(``),x({kinds:null,bits:null,search:null})},H=F.chunks[0]?.events[0],U=H&&F.newIds.has(H.event_id)?`${H.user_name} ${f(H,y)}`:``;return o`<div class="bar spread">
      <h1>${y(`nav.activity`)}</h1>
      <div class="bar">
        <button aria-pressed=${k} onClick=${L}>
          ${k?y(`activity.resume`,{waiting:F.waiting.length}):y(`activity.pause`)}
        </button>
        <button onClick=${R} disabled=${j?.rows}>
          ${j?.rows?y(`exporting`,{rows:j.rows}):y(`activity.export`)}
        </button>
      </div>
    </div>
    <div class="bar">
      <${p} selected=${C} onChange=${z} />
      <label class="field"><span>${y(`activity.search`)}</span>
        <input type="search" value=${E}
          onInput=${e=>D(e.currentTarget.value)} />
      </label>
      <label class="field narrow"><span>${y(`activity.bits`)}</span>
        <input type="number" min="0" step="1" value=${w||``}
          onChange=${e=>x({bits:e.currentTarget.value})} />
      </label>
    </div>
    <${c} error=${j?.error} />
    <p class="unseen" aria-live=${k?`off`:`polite`}>${U}</p>
    ${I>0&&o`<button class="main to-top" onClick=${()=>scrollTo({top:0})}>
      ${`↑ ${y(`activity.unseen`,{many:I})}`}
    </button>`}
    <${m} chunks=${F.chunks} newIds=${F.newIds} label=${y(`nav.activity`)} />
    ${F.size===0&&!F.busy&&!F.error&&F.next===null&&(B?o`<${i}>${y(`activity.none`)} <button onClick=${V}>${y(`activity.reset`)}</button><//>`:o`<${i}>${y(`activity.empty`)} <a class="button" href="#/overview">${y(`activity.setup`)}</a><//>`)}
    <${s} list=${F} scrolls />`}export{v as View};