
import{J as e,U as t,W as n,X as r,Y as i,b as a,et as o,f as s,p as c,tt as l,u,v as d}from"./common.js";import{t as f}from"./follow.js";import{d as p}from"./first.js";const m=new Set(s.filter(e=>e!==`plain`));function h(){let{client:s,say:h}=e(),[g,_]=i({}),[v,y]=i(null),[b,x]=i(0),S=o(()=>Object.assign(e=>m.has(d(e)),{key:`overview ${b}`}),[b]),C=f({paths:o(()=>a(c),[]),matches:S}),w=C.size>0,T=C.size===0&&!C.busy&&!C.error,E=(e,t=`overview/overview.css`)=>h.withAllTexts(p(e,t)).then(e=>_(t=>({...t,...e})));r(()=>{w&&(E(Promise.all([import(`./stream2.js`),import(`./stream.js`),import(`./open-overlays.js`),import(`./twitch.js`)]).then(([module])=>module)),E(Promise.all([import(`./aside2.js`),import(`./aside.js`),import(`./figures.js`),import(`./settings.js`),import(`./stop-key.js`),import(`./stop.js`)]).then(([module])=>module)),E(Promise.all([import(`./remote.js`),import(`./aside.js`),import(`./figures.js`),import(`./settings.js`),import(`./stop-key.js`),import(`./stop.js`)]).then(([module])=>module)))},[w]),r(()=>{if(!T)return;E(Promise.all([import(`./setup.js`),import(`./settings.js`),import(`./themes.js`),import(`./open-overlays.js`),import(`./twitch.js`)]).then(([module])=>module),`overview/setup.css`);let e=async()=>{let{records:e}=await s.page(`/events?event_type=subscriber`,{query:{limit:1}});e.length>0&&x(b+1)},t=setInterval(()=>document.hidden||e().catch(()=>{}),5e3);return()=>clearInterval(t)},[T]);let{Stream:D,Thanks:O,Aside:k,Remote:A,Setup:j}=g;if(T&&j)return l`<${j} />`;if(C.size===0&&C.error)return l`<h1>${h(`nav.overview`)}</h1><${t} error=${C.error} onRetry=${C.more} isLarge />`;let M=[],N=matchMedia(`(max-width: 60rem)`).matches?8:20;for(let{id:e,events:t}of C.chunks){let n=N-M.reduce((e,t)=>e+t.events.length,0);n>0&&M.push({id:e,events:t.slice(0,n)})}let P=M.flatMap(({events:e})=>e).find(e=>c.has(d(e)));return l`<h1>${h(`nav.overview`)}</h1>
    ${A?l`<${A} last=${P} />`:l`<div class="remote-place"></div>`}
    ${D?l`<${D} onStream=${y} />`:l`<div class="stream-line"></div><${n} rows=${5} shape="cards" />`}
    <div class="two overview">
      <div class="column">
        ${k?l`<${k} stream=${v}>
              ${O&&v&&l`<${O} events=${v.events} from=${v.from} />`}
            <//>`:l`<${n} />`}
      </div>
      <section>
        <div class="bar spread"><h2>${h(`nav.activity`)}</h2><a href="#/activity">${h(`overview.all`)}</a></div>
        <${u} chunks=${M} newIds=${C.newIds} label=${h(`nav.activity`)} />
        <${t} error=${C.error} onRetry=${C.more} />
        ${C.size===0&&l`<${n} rows=${8} shape="rows" />`}
      </section>
    </div>`}export{h as View};