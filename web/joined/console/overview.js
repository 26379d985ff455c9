
import{C as e,T as t,_ as n,p as r,v as i}from"./first.js";import{r as a}from"./rows.js";import{t as o}from"./follow.js";import{A as s,S as c,T as l,g as u,h as d,k as f,w as p}from"./common.js";const m=new Set(n.filter(e=>e!==`plain`));function h(){let{client:n,say:h}=c(),[g,_]=p({}),[v,y]=p(null),[b,x]=p({now:null,waiting:[]}),[S,C]=p(0),w=f(()=>Object.assign(t=>m.has(e(t)),{key:`overview ${S}`}),[S]),T=o({paths:f(()=>t(i),[]),matches:w}),E=T.size>0,D=T.size===0&&!T.busy&&!T.error,O=(e,t=`overview/overview.css`)=>h.withTexts(r(e,t),`overview`,`twitch`,`stream`).then(e=>_(t=>({...t,...e})));l(()=>{E&&(O(Promise.all([import(`./stream.js`),import(`./streams.js`),import(`./figures.js`),import(`./open-overlays.js`),import(`./twitch.js`),import(`./rows.js`)]).then(([module])=>module)),O(Promise.all([import(`./aside.js`),import(`./figures.js`),import(`./overlay.js`),import(`./stop.js`),import(`./ranks.js`)]).then(([module])=>module)),O(Promise.all([import(`./remote.js`),import(`./stop.js`),import(`./overlay.js`)]).then(([module])=>module)))},[E]),l(()=>{if(!D)return;O(Promise.all([import(`./setup.js`),import(`./overlay.js`),import(`./program.js`),import(`./open-overlays.js`),import(`./twitch.js`),import(`./rows.js`)]).then(([module])=>module),`overview/setup.css`);let e=async()=>{let{records:e}=await n.page(`/events?event_type=subscriber`,{query:{limit:1}});e.length>0&&C(S+1)},t=setInterval(()=>document.hidden||e().catch(()=>{}),5e3);return()=>clearInterval(t)},[D]);let{Stream:k,Thanks:A,Aside:j,Remote:M,Setup:N}=g;if(D&&N)return s`<${N} />`;if(T.size===0&&T.error)return s`<h1>${h(`nav.overview`)}</h1><${d} error=${T.error} onRetry=${T.more} isLarge />`;let P=[],F=matchMedia(`(max-width: 60rem)`).matches?8:20;for(let{id:e,events:t}of T.chunks){let n=F-P.reduce((e,t)=>e+t.events.length,0);n>0&&P.push({id:e,events:t.slice(0,n)})}let I=P.flatMap(({events:e})=>e).find(t=>i.has(e(t)));return s`<h1>${h(`nav.overview`)}</h1>
    ${M?s`<${M} last=${I} queue=${b} />`:s`<div class="remote-place"></div>`}
    ${k?s`<${k} onStream=${y} />`:s`<div class="stream-line"></div><${u} rows=${5} shape="cards five" />`}
    <div class="two overview">
      <div class="column">
        ${j?s`<${j} stream=${v} onQueue=${x}>
              ${A&&v&&s`<${A} ...${v} />`}
            <//>`:s`<${u} />`}
      </div>
      <section>
        <div class="bar spread"><h2>${h(`nav.activity`)}</h2><a href="#/activity">${h(`overview.all`)}</a></div>
        <${a} chunks=${P} newIds=${T.newIds} label=${h(`nav.activity`)} />
        <${d} error=${T.error} onRetry=${T.more} />
        ${T.size===0&&s`<${u} rows=${8} shape="rows" />`}
      </section>
    </div>`}export{h as View};