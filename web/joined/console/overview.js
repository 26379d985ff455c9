
import{C as e,T as t,_ as n,p as r,v as i}from"./first.js";import{r as a}from"./rows.js";import{t as o}from"./follow.js";import{C as s,D as c,O as l,S as u,g as d,h as f,x as p}from"./common.js";const m=new Set(n.filter(e=>e!==`plain`));function h(){let{client:n,say:h}=p(),[g,_]=u({}),[v,y]=u(null),[b,x]=u(0),S=c(()=>Object.assign(t=>m.has(e(t)),{key:`overview ${b}`}),[b]),C=o({paths:c(()=>t(i),[]),matches:S}),w=C.size>0,T=C.size===0&&!C.busy&&!C.error,E=(e,t=`overview/overview.css`)=>h.withTexts(r(e,t),`overview`,`twitch`,`stream`).then(e=>_(t=>({...t,...e})));s(()=>{w&&(E(Promise.all([import(`./stream.js`),import(`./streams.js`),import(`./open-overlays.js`),import(`./twitch.js`),import(`./forms.js`),import(`./rows.js`)]).then(([module])=>module)),E(Promise.all([import(`./aside2.js`),import(`./aside.js`),import(`./figures.js`),import(`./overlay.js`),import(`./stop.js`)]).then(([module])=>module)),E(Promise.all([import(`./remote.js`),import(`./aside.js`),import(`./figures.js`),import(`./overlay.js`),import(`./stop.js`)]).then(([module])=>module)))},[w]),s(()=>{if(!T)return;E(Promise.all([import(`./setup.js`),import(`./overlay.js`),import(`./forms.js`),import(`./open-overlays.js`),import(`./twitch.js`),import(`./rows.js`)]).then(([module])=>module),`overview/setup.css`);let e=async()=>{let{records:e}=await n.page(`/events?event_type=subscriber`,{query:{limit:1}});e.length>0&&x(b+1)},t=setInterval(()=>document.hidden||e().catch(()=>{}),5e3);return()=>clearInterval(t)},[T]);let{Stream:D,Thanks:O,Aside:k,Remote:A,Setup:j}=g;if(T&&j)return l`<${j} />`;if(C.size===0&&C.error)return l`<h1>${h(`nav.overview`)}</h1><${f} error=${C.error} onRetry=${C.more} isLarge />`;let M=[],N=matchMedia(`(max-width: 60rem)`).matches?8:20;for(let{id:e,events:t}of C.chunks){let n=N-M.reduce((e,t)=>e+t.events.length,0);n>0&&M.push({id:e,events:t.slice(0,n)})}let P=M.flatMap(({events:e})=>e).find(t=>i.has(e(t)));return l`<h1>${h(`nav.overview`)}</h1>
    ${A?l`<${A} last=${P} />`:l`<div class="remote-place"></div>`}
    ${D?l`<${D} onStream=${y} />`:l`<div class="stream-line"></div><${d} rows=${5} shape="cards five" />`}
    <div class="two overview">
      <div class="column">
        ${k?l`<${k} stream=${v}>
              ${O&&v&&l`<${O} events=${v.events} from=${v.from} />`}
            <//>`:l`<${d} />`}
      </div>
      <section>
        <div class="bar spread"><h2>${h(`nav.activity`)}</h2><a href="#/activity">${h(`overview.all`)}</a></div>
        <${a} chunks=${M} newIds=${C.newIds} label=${h(`nav.activity`)} />
        <${f} error=${C.error} onRetry=${C.more} />
        ${C.size===0&&l`<${d} rows=${8} shape="rows" />`}
      </section>
    </div>`}export{h as View};