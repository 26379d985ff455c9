
import{C as e,_ as t,f as n,g as r,x as i}from"./first.js";import{B as a,G as o,N as s,P as c,R as l,W as u,u as d,z as f}from"./common.js";import{t as p}from"./follow.js";const m=new Set(r.filter(e=>e!==`plain`));function h(){let{client:r,say:h}=l(),[g,_]=f({}),[v,y]=f(null),[b,x]=f(0),S=u(()=>Object.assign(e=>m.has(i(e)),{key:`overview ${b}`}),[b]),C=p({paths:u(()=>e(t),[]),matches:S}),w=C.size>0,T=C.size===0&&!C.busy&&!C.error,E=(e,t=`overview/overview.css`)=>h.withAllTexts(n(e,t)).then(e=>_(t=>({...t,...e})));a(()=>{w&&(E(Promise.all([import(`./stream2.js`),import(`./stream.js`),import(`./open-overlays.js`),import(`./twitch.js`)]).then(([module])=>module)),E(Promise.all([import(`./aside2.js`),import(`./aside.js`),import(`./figures.js`),import(`./settings.js`),import(`./stop-key.js`),import(`./stop.js`)]).then(([module])=>module)),E(Promise.all([import(`./remote.js`),import(`./aside.js`),import(`./figures.js`),import(`./settings.js`),import(`./stop-key.js`),import(`./stop.js`)]).then(([module])=>module)))},[w]),a(()=>{if(!T)return;E(Promise.all([import(`./setup.js`),import(`./settings.js`),import(`./themes.js`),import(`./open-overlays.js`),import(`./twitch.js`)]).then(([module])=>module),`overview/setup.css`);let e=async()=>{let{records:e}=await r.page(`/events?event_type=subscriber`,{query:{limit:1}});e.length>0&&x(b+1)},t=setInterval(()=>document.hidden||e().catch(()=>{}),5e3);return()=>clearInterval(t)},[T]);let{Stream:D,Thanks:O,Aside:k,Remote:A,Setup:j}=g;if(T&&j)return o`<${j} />`;if(C.size===0&&C.error)return o`<h1>${h(`nav.overview`)}</h1><${s} error=${C.error} onRetry=${C.more} isLarge />`;let M=[],N=matchMedia(`(max-width: 60rem)`).matches?8:20;for(let{id:e,events:t}of C.chunks){let n=N-M.reduce((e,t)=>e+t.events.length,0);n>0&&M.push({id:e,events:t.slice(0,n)})}let P=M.flatMap(({events:e})=>e).find(e=>t.has(i(e)));return o`<h1>${h(`nav.overview`)}</h1>
    ${A?o`<${A} last=${P} />`:o`<div class="remote-place"></div>`}
    ${D?o`<${D} onStream=${y} />`:o`<div class="stream-line"></div><${c} rows=${5} shape="cards" />`}
    <div class="two overview">
      <div class="column">
        ${k?o`<${k} stream=${v}>
              ${O&&v&&o`<${O} events=${v.events} from=${v.from} />`}
            <//>`:o`<${c} />`}
      </div>
      <section>
        <div class="bar spread"><h2>${h(`nav.activity`)}</h2><a href="#/activity">${h(`overview.all`)}</a></div>
        <${d} chunks=${M} newIds=${C.newIds} label=${h(`nav.activity`)} />
        <${s} error=${C.error} onRetry=${C.more} />
        ${C.size===0&&o`<${c} rows=${8} shape="rows" />`}
      </section>
    </div>`}export{h as View};