
import{S as e,b as t,v as n,w as r}from"./first.js";import{H as i,I as a,J as o,L as s,P as c,U as l,W as u,Y as d,d as f,l as p,q as m,u as h}from"./common.js";import{t as g}from"./follow.js";function _(e){let t=m(e),[n,r]=l(!1);return u(()=>{let e=()=>r(scrollY>200);return addEventListener(`scroll`,e,{passive:!0}),()=>removeEventListener(`scroll`,e)},[]),n||(t.current=e),n?e-t.current:0}function v(){let{client:v,say:y,parameters:b,setParameters:x}=i(),S=b.get(`kinds`),C=o(()=>S===null?n:new Set(S.split(` `)),[S]),w=Math.min(2**53-1,Math.ceil(Math.max(0,Number(b.get(`bits`))||0))),T=(b.get(`search`)??``).toLowerCase(),[E,D]=l(T),O=m(T),[k,A]=l(!1),[j,M]=l(null),[,N]=l(0),P=o(()=>Object.assign(n=>C.has(e(n))&&(n.event_type!==`cheer`||t(n)>=w)&&(!T||`${n.user_name}\n${n.message??``}`.toLowerCase().includes(T)),{key:[...C,w,T].join(`
`)}),[S,w,T]),F=g({paths:r(C,w),matches:P,isPaused:k}),I=_(F.chunks.flatMap(({events:e})=>e).filter(({event_id:e})=>F.newIds.has(e)).length);u(()=>{T!==O.current.toLowerCase()&&D(b.get(`search`)??``)},[T]),u(()=>{let e=setTimeout(()=>{O.current=E.trim(),x({search:O.current})},250);return()=>clearTimeout(e)},[E]),u(()=>{let e=setInterval(()=>N(Date.now()),6e4);return()=>clearInterval(e)},[]);let L=()=>{k&&F.resume(),A(!k)},R=()=>import(`./export.js`).then(({saveEvents:e})=>e({client:v,paths:r(C,w),matches:P,onProgress:e=>M({rows:e})})).then(()=>M(null),e=>M({error:e})),z=e=>x({kinds:[...e].join(` `)||`none`}),B=!!(T||w)||S!==null,V=()=>{D(``),x({kinds:null,bits:null,search:null})},H=F.chunks[0]?.events[0],U=H&&F.newIds.has(H.event_id)?`${H.user_name} ${f(H,y)}`:``;return d`<div class="bar spread">
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
    <${s} error=${j?.error} />
    <p class="unseen" aria-live=${k?`off`:`polite`}>${U}</p>
    ${I>0&&d`<button class="main to-top" onClick=${()=>scrollTo({top:0})}>
      ${`↑ ${y(`activity.unseen`,{many:I})}`}
    </button>`}
    <${h} chunks=${F.chunks} newIds=${F.newIds} label=${y(`nav.activity`)} />
    ${F.size===0&&!F.busy&&!F.error&&F.next===null&&(B?d`<${c}>${y(`activity.none`)} <button onClick=${V}>${y(`activity.reset`)}</button><//>`:d`<${c}>${y(`activity.empty`)} <a class="button" href="#/overview">${y(`activity.setup`)}</a><//>`)}
    <${a} list=${F} scrolls />`}export{v as View};