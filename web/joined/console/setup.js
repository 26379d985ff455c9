
import{_ as e,m as t,t as n}from"./overlay.js";import{D as r,g as i}from"./first.js";import{i as a,r as o}from"./forms.js";import{E as s,O as c,S as l,h as u,l as d,p as f,t as p,x as m}from"./common.js";import{n as h,r as g,t as _}from"./open-overlays.js";import{a as v,o as y}from"./stop.js";import{t as b}from"./twitch.js";const x=()=>c`<svg class="drag-picture" viewBox="0 0 220 120" aria-hidden="true">
  <rect class="window" x="62" y="4" width="154" height="112" rx="8" />
  <path class="bar" d="M62 20h154" />
  <rect class="scene" x="74" y="28" width="130" height="42" rx="3" />
  <rect class="dock" x="74" y="76" width="62" height="32" rx="3" />
  <rect class="dock" x="142" y="76" width="62" height="32" rx="3" />
  <rect class="dropped" x="79" y="81" width="52" height="10" rx="2" />
  <path class="lines" d="M80 98h34M148 84h34M148 92h24M148 100h40" />
  <rect class="dropped" x="116" y="34" width="46" height="12" rx="2" />
  <path class="arrow" d="M4 40C24 22 36 40 40 58c4 18 14 28 31 28m-10-9 10 9-10 9" />
</svg>`,S=/\/[0-9a-f]{16}$/.test(i),C=S?`event-capture`:`cargo run --`,w={event_type:`cheer`,amount:100,user_name:`Ann`,message:``},T=`${C} demo`,E=2e3,D=new URLSearchParams({"layer-name":`Alerts`,"layer-width":`1920`,"layer-height":`1080`});function O({number:e,title:t,isDone:n=!1,isNext:r=!1,isFolded:i=!1,result:a,children:o}){let{say:s}=m(),l=c`<h2>${t}${n&&c`<span class="unseen"> ${s(`setup.done`)}</span>`}</h2>`;return c`<li class=${`step ${n?`done`:``}`} aria-current=${r?`step`:void 0}>
    <span class="number" aria-hidden="true">${n?`✓`:e}</span>
    ${i?c`<${k} key="folded" heading=${l} result=${a}>${o}<//>`:c`<div key="open">${l}${o}</div>`}
  </li>`}function k({heading:e,result:t,children:n}){let r=o();return c`<details>
    <summary ref=${r}>${e} <span class="quiet">${t}</span></summary>${n}
  </details>`}function A({overlay:e,token:t}){let{say:n}=m(),i=o(),s=`#overlay=${e.overlay_id}${t?`&token=${t}`:``}`,l=`${r}/overlay/${s}`,u=`${r}/overlay/?${D}${s}`;return c`<p class="drag">${n(`setup.drag`)}</p>
    <div class="drag">
      <a class="tile" ref=${i} href=${l} target="_blank" rel="noopener" draggable="true" onDragStart=${e=>{e.dataTransfer.setData(`text/uri-list`,u),e.dataTransfer.setData(`text/plain`,u),e.dataTransfer.effectAllowed=`copyLink`}}>
        <${f} name="alerts" /><span>${n(`setup.size`)}</span>
      </a>
      <${x} />
    </div>
    <p class="quiet">${n(`setup.or_copy`)}</p>
    <p class="bar"><${a} text=${l} label=${n(`setup.copy_url`)} /></p>`}function j({open:r,isNext:i}){let{client:a,say:o,signOut:s}=m(),{value:f,error:h,reload:g}=p(()=>y(a),`overlays`,E),[b,x]=l(null),[S,C]=l(e[0]),[T,D]=l({error:null,result:``,isSent:!1}),O=f?.[0],k=!!r?.places,j=(e,t=!1)=>D({error:null,result:e,isSent:t}),M=e=>D({error:e,result:``,isSent:!1}),N=async()=>{try{O||await a.post(`/overlays`,{name:`Stream`,settings:{theme:S}}),s&&x((await a.post(`/tokens`,{name:`OBS`})).token),j(``),g()}catch(e){M(e)}},P=async()=>{let{event_type:e}=w;try{if((await y(a)).every(({settings:n})=>!t(n).alerts[e].enabled))return j(o(`alerts.is_off`,{kind:o(`kind.${e}`)}));await a.post(`/alerts`,{test:w});let n=await v(a);return j(o(n===`alerts.sent`?`setup.tested`:n),!0)}catch(e){return M(e)}},F=O&&(b||!s),I=i?`main`:``,L=o(`overlay.cheer`,{name:w.user_name,amount:w.amount});return c`${!F&&c`<p class="quiet">${o(O?`setup.make_url_how`:`setup.make_how`)}</p>
      ${!O&&c`<${n} theme=${S} onChange=${C} />`}
      <p><${d} class=${I} disabled=${!f} onClick=${N}>
        ${o(O?`setup.make_url`:`setup.make`)}<//></p>`}
    ${F&&c`<${A} overlay=${O} token=${b} />
      ${!k&&c`<p>${o(`setup.expect`,{text:L})}</p>`}
      <p class="bar">
        <${d} class=${I} onClick=${P}>${o(`setup.test`)}<//>
        <span class=${T.isSent?`good`:``} role="status">${T.result}</span>
      </p>
      ${T.isSent&&!r?.inObs&&c`<details><summary>${o(`setup.unseen`)}</summary>
        <p class="quiet">${o(`setup.unseen_how`)}</p></details>`}`}
    ${(F||k)&&c`<${_} open=${r}><p class="quiet">${o(`open.none_how`)}</p><//>`}
    <${u} error=${T.error??h} onRetry=${T.error?null:g} />`}function M(){let{client:e,say:t}=m(),n=g(E),{value:i}=p(()=>e.get(`/connections/twitch`),`twitch`,E),a=!!n?.places,o=i?.state===`connected`,l=s({});i&&(l.current.isConnected??=o),n&&(l.current.isOpen??=a);let u=o&&!a,d=i?.channel?.name;return c`<h1>${t(`setup.title`)}</h1>
    <p class="quiet" role="status">${t(o?`setup.connected`:`activity.empty`)}</p>
    <div class="setup-parts">
      <ol class="setup card">
        <${O} number="1" title=${t(`setup.service`)} isDone isFolded result=${r}>
          <p class="quiet">${t(`setup.service_how`)}</p>
        <//>
        <${O} number="2" title=${t(`begin.twitch`)} isDone=${o} isNext=${!o}
          isFolded=${o&&l.current.isConnected}
          result=${d?t(`twitch.state.connected_to`,{name:d}):t(`twitch.state.connected`)}>
          <${b} isShort />
        <//>
        <${O} number="3" title=${t(`begin.overlay`)} isDone=${a} isNext=${u}
          isFolded=${a&&l.current.isOpen} result=${n&&h(t,n)}>
          <${j} open=${n} isNext=${u} />
        <//>
        ${o&&a&&c`<li class="ready">
          <div role="status">
            <strong>${t(`setup.ready`)}</strong> ${t(n?.inObs?`setup.ready_obs`:`setup.ready_open`)}
          </div>
        </li>`}
      </ol>
      <${N} />
    </div>`}function N(){let{say:e}=m(),t=`${T} --live`;return c`<section class="card demo">
    <h2>${e(`setup.demo`)}</h2>
    <p class="quiet">${e(`setup.demo_how`)}</p>
    <p><code class="address">${T}</code></p>
    <p><${a} text=${T} /></p>
    ${!S&&c`<p class="quiet">${e(`setup.demo_installed`)}</p>`}
    <details>
      <summary>${e(`setup.demo_live`)}</summary>
      <p><code class="address">${t}</code></p>
      <p><${a} text=${t} /></p>
    </details>
  </section>`}export{M as Setup};