
import{S as e,_ as t,p as n,v as r,w as i}from"./first.js";import{H as a,J as o,L as s,R as c,U as l,W as u,Y as d,u as f}from"./common.js";import{t as p}from"./follow.js";const m=new Set(t.filter(e=>e!==`plain`));function h(){let{client:t,say:h}=a(),[g,_]=l({}),[v,y]=l(null),[b,x]=l(0),S=o(()=>Object.assign(t=>m.has(e(t)),{key:`overview ${b}`}),[b]),C=p({paths:o(()=>i(r),[]),matches:S}),w=C.size>0,T=C.size===0&&!C.busy&&!C.error,E=(e,t=`overview/overview.css`)=>h.withTexts(n(e,t),`overview`,`twitch`,`stream`).then(e=>_(t=>({...t,...e})));u(()=>{w&&(E(Promise.all([import(`./stream.js`),import(`./streams.js`),import(`./open-overlays.js`),import(`./twitch.js`)]).then(([module])=>module)),E(Promise.all([import(`./aside.js`),import(`./aside2.js`),import(`./figures.js`),import(`./queue.js`),import(`./settings.js`),import(`./stop-key.js`),import(`./stop.js`)]).then(([module])=>module)),E(Promise.all([import(`./remote.js`),import(`./aside2.js`),import(`./figures.js`),import(`./queue.js`),import(`./settings.js`),import(`./stop-key.js`),import(`./stop.js`)]).then(([module])=>module)))},[w]),u(()=>{if(!T)return;E(Promise.all([import(`./setup.js`),import(`./settings.js`),import(`./themes.js`),import(`./open-overlays.js`),import(`./twitch.js`)]).then(([module])=>module),`overview/setup.css`);let e=async()=>{let{records:e}=await t.page(`/events?event_type=subscriber`,{query:{limit:1}});e.length>0&&x(b+1)},n=setInterval(()=>document.hidden||e().catch(()=>{}),5e3);return()=>clearInterval(n)},[T]);let{Stream:D,Thanks:O,Aside:k,Remote:A,Setup:j}=g;if(T&&j)return d`<${j} />`;if(C.size===0&&C.error)return d`<h1>${h(`nav.overview`)}</h1><${s} error=${C.error} onRetry=${C.more} isLarge />`;let M=[],N=matchMedia(`(max-width: 60rem)`).matches?8:20;for(let{id:e,events:t}of C.chunks){let n=N-M.reduce((e,t)=>e+t.events.length,0);n>0&&M.push({id:e,events:t.slice(0,n)})}let P=M.flatMap(({events:e})=>e).find(t=>r.has(e(t)));return d`<h1>${h(`nav.overview`)}</h1>
    ${A?d`<${A} last=${P} />`:d`<div class="remote-place"></div>`}
    ${D?d`<${D} onStream=${y} />`:d`<div class="stream-line"></div><${c} rows=${5} shape="cards five" />`}
    <div class="two overview">
      <div class="column">
        ${k?d`<${k} stream=${v}>
              ${O&&v&&d`<${O} events=${v.events} from=${v.from} />`}
            <//>`:d`<${c} />`}
      </div>
      <section>
        <div class="bar spread"><h2>${h(`nav.activity`)}</h2><a href="#/activity">${h(`overview.all`)}</a></div>
        <${f} chunks=${M} newIds=${C.newIds} label=${h(`nav.activity`)} />
        <${s} error=${C.error} onRetry=${C.more} />
        ${C.size===0&&d`<${c} rows=${8} shape="rows" />`}
      </section>
    </div>`}export{h as View};