
import{C as e,T as t,v as n,x as r}from"./first.js";import{i,n as a,r as o}from"./rows.js";import{t as s}from"./follow.js";import{A as c,O as l,S as u,T as d,f,h as p,k as m,m as h,w as g,y as _}from"./common.js";function v(e){let t=l(e),[n,r]=g(!1);return d(()=>{let e=()=>r(scrollY>200);return addEventListener(`scroll`,e,{passive:!0}),()=>removeEventListener(`scroll`,e)},[]),n||(t.current=e),n?e-t.current:0}function y(){let{client:y,say:b,parameters:x,setParameters:S}=u(),C=x.get(`kinds`),w=m(()=>C===null?n:new Set(C.split(` `)),[C]),T=Math.min(2**53-1,Math.ceil(Math.max(0,Number(x.get(`bits`))||0))),E=(x.get(`search`)??``).toLowerCase(),D=x.get(`bits`)??``,[O,k]=g({search:E,bits:D}),A=l(O),[j,M]=g(!1),[N,P]=g(null),[,F]=g(0),I=m(()=>Object.assign(t=>w.has(e(t))&&(t.event_type!==`cheer`||r(t)>=T)&&(!E||`${t.user_name}\n${t.message??``}`.toLowerCase().includes(E)),{key:[...w,T,E].join(`
`)}),[C,T,E]),L=s({paths:t(w,T),matches:I,isPaused:j}),R=v(L.chunks.flatMap(({events:e})=>e).filter(({event_id:e})=>L.newIds.has(e)).length);d(()=>{let{search:e,bits:t}=A.current;(E!==e.toLowerCase()||D!==t)&&k({search:x.get(`search`)??``,bits:D})},[E,D]);let z=/^\d*$/.test(O.bits)?``:b(`field.whole`);d(()=>{if(z)return;let e=setTimeout(()=>{A.current={search:O.search.trim(),bits:O.bits},S(A.current)},250);return()=>clearTimeout(e)},[O]);let B=e=>t=>k({...O,[e]:t.currentTarget.value});d(()=>{let e=setInterval(()=>F(Date.now()),6e4);return()=>clearInterval(e)},[]);let V=()=>{j&&L.resume(),M(!j)},H=()=>import(`./export.js`).then(({saveEvents:e})=>e({client:y,paths:t(w,T),matches:I,onProgress:e=>P({rows:e})})).then(()=>P(null),e=>P({error:e})),U=e=>S({kinds:[...e].join(` `)||`none`}),W=!!(E||T)||C!==null,G=()=>{k({search:``,bits:``}),S({kinds:null,bits:null,search:null})},K=L.chunks[0]?.events[0],q=K&&L.newIds.has(K.event_id)?`${K.user_name} ${i(K,b)}`:``;return c`<div class="bar spread">
      <h1>${b(`nav.activity`)}</h1>
      <div class="bar">
        <button aria-pressed=${j} onClick=${V}>
          ${j?b(`activity.resume`,{waiting:L.waiting.length}):b(`activity.pause`)}
        </button>
        <button onClick=${H} disabled=${N?.rows}>
          ${N?.rows?b(`exporting`,{rows:N.rows}):b(`activity.export`)}
        </button>
      </div>
    </div>
    <div class="bar">
      <${a} selected=${w} onChange=${U} />
      <label class="field"><span>${b(`activity.search`)}</span>
        <input type="search" value=${O.search} onInput=${B(`search`)} />
      </label>
      <label class="field narrow"><span>${b(`activity.bits`)}</span>
        <input type="number" min="0" step="1" value=${O.bits} onInput=${B(`bits`)}
          ...${_(b(`activity.bits`),z)} />
        ${z&&c`<span class="bad" role="alert">${z}</span>`}
      </label>
    </div>
    <${p} error=${N?.error} />
    <p class="unseen" aria-live=${j?`off`:`polite`}>${q}</p>
    ${R>0&&c`<button class="main to-top" onClick=${()=>scrollTo({top:0})}>
      ${`↑ ${b(`activity.unseen`,{many:R})}`}
    </button>`}
    <${o} chunks=${L.chunks} newIds=${L.newIds} label=${b(`nav.activity`)} />
    ${L.size===0&&!L.busy&&!L.error&&L.next===null&&(W?c`<${f}>${b(`activity.none`)} <button onClick=${G}>${b(`activity.reset`)}</button><//>`:c`<${f}>${b(`activity.empty`)} <a class="button" href="#/overview">${b(`activity.setup`)}</a><//>`)}
    <${h} list=${L} scrolls />`}export{y as View};