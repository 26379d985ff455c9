
import{S as e,b as t,v as n,w as r}from"./first.js";import{i,n as a,r as o}from"./rows.js";import{t as s}from"./follow.js";import{C as c,D as l,E as u,O as d,S as f,f as p,h as m,m as h,x as g}from"./common.js";function _(e){let t=u(e),[n,r]=f(!1);return c(()=>{let e=()=>r(scrollY>200);return addEventListener(`scroll`,e,{passive:!0}),()=>removeEventListener(`scroll`,e)},[]),n||(t.current=e),n?e-t.current:0}function v(){let{client:v,say:y,parameters:b,setParameters:x}=g(),S=b.get(`kinds`),C=l(()=>S===null?n:new Set(S.split(` `)),[S]),w=Math.min(2**53-1,Math.ceil(Math.max(0,Number(b.get(`bits`))||0))),T=(b.get(`search`)??``).toLowerCase(),[E,D]=f(T),O=u(T),[k,A]=f(!1),[j,M]=f(null),[,N]=f(0),P=l(()=>Object.assign(n=>C.has(e(n))&&(n.event_type!==`cheer`||t(n)>=w)&&(!T||`${n.user_name}\n${n.message??``}`.toLowerCase().includes(T)),{key:[...C,w,T].join(`
`)}),[S,w,T]),F=s({paths:r(C,w),matches:P,isPaused:k}),I=_(F.chunks.flatMap(({events:e})=>e).filter(({event_id:e})=>F.newIds.has(e)).length);c(()=>{T!==O.current.toLowerCase()&&D(b.get(`search`)??``)},[T]),c(()=>{let e=setTimeout(()=>{O.current=E.trim(),x({search:O.current})},250);return()=>clearTimeout(e)},[E]),c(()=>{let e=setInterval(()=>N(Date.now()),6e4);return()=>clearInterval(e)},[]);let L=()=>{k&&F.resume(),A(!k)},R=()=>Promise.all([import(`./export.js`),import(`./forms.js`)]).then(([module])=>module).then(({saveEvents:e})=>e({client:v,paths:r(C,w),matches:P,onProgress:e=>M({rows:e})})).then(()=>M(null),e=>M({error:e})),z=e=>x({kinds:[...e].join(` `)||`none`}),B=!!(T||w)||S!==null,V=()=>{D(``),x({kinds:null,bits:null,search:null})},H=F.chunks[0]?.events[0],U=H&&F.newIds.has(H.event_id)?`${H.user_name} ${i(H,y)}`:``;return d`<div class="bar spread">
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
      <${a} selected=${C} onChange=${z} />
      <label class="field"><span>${y(`activity.search`)}</span>
        <input type="search" value=${E}
          onInput=${e=>D(e.currentTarget.value)} />
      </label>
      <label class="field narrow"><span>${y(`activity.bits`)}</span>
        <input type="number" min="0" step="1" value=${w||``}
          onChange=${e=>x({bits:e.currentTarget.value})} />
      </label>
    </div>
    <${m} error=${j?.error} />
    <p class="unseen" aria-live=${k?`off`:`polite`}>${U}</p>
    ${I>0&&d`<button class="main to-top" onClick=${()=>scrollTo({top:0})}>
      ${`↑ ${y(`activity.unseen`,{many:I})}`}
    </button>`}
    <${o} chunks=${F.chunks} newIds=${F.newIds} label=${y(`nav.activity`)} />
    ${F.size===0&&!F.busy&&!F.error&&F.next===null&&(B?d`<${p}>${y(`activity.none`)} <button onClick=${V}>${y(`activity.reset`)}</button><//>`:d`<${p}>${y(`activity.empty`)} <a class="button" href="#/overview">${y(`activity.setup`)}</a><//>`)}
    <${h} list=${F} scrolls />`}export{v as View};