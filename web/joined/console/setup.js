
import{b as e,c as t,l as n,o as r,v as i}from"./overlay.js";import{O as a,g as o}from"./first.js";import{i as s,r as c}from"./forms.js";import{E as l,O as u,S as d,h as f,l as p,p as m,t as h,x as g}from"./common.js";import{n as _,r as v,t as y}from"./open-overlays.js";import{t as b}from"./twitch.js";const x=()=>u`<svg class="drag-picture" viewBox="0 0 220 120" aria-hidden="true">
  <rect class="window" x="62" y="4" width="154" height="112" rx="8" />
  <path class="bar" d="M62 20h154" />
  <rect class="scene" x="74" y="28" width="130" height="42" rx="3" />
  <rect class="dock" x="74" y="76" width="62" height="32" rx="3" />
  <rect class="dock" x="142" y="76" width="62" height="32" rx="3" />
  <rect class="dropped" x="79" y="81" width="52" height="10" rx="2" />
  <path class="lines" d="M80 98h34M148 84h34M148 92h24M148 100h40" />
  <rect class="dropped" x="116" y="34" width="46" height="12" rx="2" />
  <path class="arrow" d="M4 40C24 22 36 40 40 58c4 18 14 28 31 28m-10-9 10 9-10 9" />
</svg>`,S=/\/[0-9a-f]{16}$/.test(o),C=S?`event-capture`:`cargo run --`,w={event_type:`cheer`,amount:100,user_name:`Ann`,message:``},T=`${C} demo`,E=2e3,D=new URLSearchParams({"layer-name":`Alerts`,"layer-width":`1920`,"layer-height":`1080`});function O({number:e,title:t,isDone:n=!1,isNext:r=!1,isFolded:i=!1,result:a,children:o}){let{say:s}=g(),c=u`<h2>${t}${n&&u`<span class="unseen"> ${s(`setup.done`)}</span>`}</h2>`;return u`<li class=${`step ${n?`done`:``}`} aria-current=${r?`step`:void 0}>
    <span class="number" aria-hidden="true">${n?`✓`:e}</span>
    ${i?u`<${k} key="folded" heading=${c} result=${a}>${o}<//>`:u`<div key="open">${c}${o}</div>`}
  </li>`}function k({heading:e,result:t,children:n}){let r=c();return u`<details>
    <summary ref=${r}>${e} <span class="quiet">${t}</span></summary>${n}
  </details>`}function A({overlay:e,token:t}){let{say:n}=g(),r=c(),i=`#overlay=${e.overlay_id}${t?`&token=${t}`:``}`,o=`${a}/overlay/${i}`,l=`${a}/overlay/?${D}${i}`;return u`<p class="drag">${n(`setup.drag`)}</p>
    <div class="drag">
      <a class="tile" ref=${r} href=${o} target="_blank" rel="noopener" draggable="true" onDragStart=${e=>{e.dataTransfer.setData(`text/uri-list`,l),e.dataTransfer.setData(`text/plain`,l),e.dataTransfer.effectAllowed=`copyLink`}}>
        <${m} name="alerts" /><span>${n(`setup.size`)}</span>
      </a>
      <${x} />
    </div>
    <p class="quiet">${n(`setup.or_copy`)}</p>
    <p class="bar"><${s} text=${o} label=${n(`setup.copy_url`)} /></p>`}function j({open:a,isNext:o}){let{client:s,say:c,signOut:l}=g(),{value:m,error:_,reload:v}=h(()=>n(s),`overlays`,E),[b,x]=d(null),[S,C]=d(e[0]),[T,D]=d({error:null,result:``,isSent:!1}),O=m?.[0],k=!!a?.places,j=(e,t=!1)=>D({error:null,result:e,isSent:t}),M=e=>D({error:e,result:``,isSent:!1}),N=async()=>{try{O||await s.post(`/overlays`,{name:`Stream`,settings:{theme:S}}),l&&x((await s.post(`/tokens`,{name:`OBS`})).token),j(``),v()}catch(e){M(e)}},P=async()=>{let{event_type:e}=w;try{if((await n(s)).every(({settings:t})=>!i(t).alerts[e].enabled))return j(c(`alerts.is_off`,{kind:c(`kind.${e}`)}));await s.post(`/alerts`,{test:w});let r=await t(s);return j(c(r===`alerts.sent`?`setup.tested`:r),!0)}catch(e){return M(e)}},F=O&&(b||!l),I=o?`main`:``,L=c(`overlay.cheer`,{name:w.user_name,amount:w.amount});return u`${!F&&u`<p class="quiet">${c(O?`setup.make_url_how`:`setup.make_how`)}</p>
      ${!O&&u`<${r} theme=${S} onChange=${C} />`}
      <p><${p} class=${I} disabled=${!m} onClick=${N}>
        ${c(O?`setup.make_url`:`setup.make`)}<//></p>`}
    ${F&&u`<${A} overlay=${O} token=${b} />
      ${!k&&u`<p>${c(`setup.expect`,{text:L})}</p>`}
      <p class="bar">
        <${p} class=${I} onClick=${P}>${c(`setup.test`)}<//>
        <span class=${T.isSent?`good`:``} role="status">${T.result}</span>
      </p>
      ${T.isSent&&!a?.inObs&&u`<details><summary>${c(`setup.unseen`)}</summary>
        <p class="quiet">${c(`setup.unseen_how`)}</p></details>`}`}
    ${(F||k)&&u`<${y} open=${a}><p class="quiet">${c(`open.none_how`)}</p><//>`}
    <${f} error=${T.error??_} onRetry=${T.error?null:v} />`}function M(){let{client:e,say:t}=g(),n=v(E),{value:r}=h(()=>e.get(`/connections/twitch`),`twitch`,E),i=!!n?.places,o=r?.state===`connected`,s=l({});r&&(s.current.isConnected??=o),n&&(s.current.isOpen??=i);let c=o&&!i,d=r?.channel?.name;return u`<h1>${t(`setup.title`)}</h1>
    <p class="quiet" role="status">${t(o?`setup.connected`:`activity.empty`)}</p>
    <div class="setup-parts">
      <ol class="setup card">
        <${O} number="1" title=${t(`setup.service`)} isDone isFolded result=${a}>
          <p class="quiet">${t(`setup.service_how`)}</p>
        <//>
        <${O} number="2" title=${t(`begin.twitch`)} isDone=${o} isNext=${!o}
          isFolded=${o&&s.current.isConnected}
          result=${d?t(`twitch.state.connected_to`,{name:d}):t(`twitch.state.connected`)}>
          <${b} isShort />
        <//>
        <${O} number="3" title=${t(`begin.overlay`)} isDone=${i} isNext=${c}
          isFolded=${i&&s.current.isOpen} result=${n&&_(t,n)}>
          <${j} open=${n} isNext=${c} />
        <//>
        ${o&&i&&u`<li class="ready">
          <div role="status">
            <strong>${t(`setup.ready`)}</strong> ${t(n?.inObs?`setup.ready_obs`:`setup.ready_open`)}
          </div>
        </li>`}
      </ol>
      <${N} />
    </div>`}function N(){let{say:e}=g(),t=`${T} --live`;return u`<section class="card demo">
    <h2>${e(`setup.demo`)}</h2>
    <p class="quiet">${e(`setup.demo_how`)}</p>
    <p><code class="address">${T}</code></p>
    <p><${s} text=${T} /></p>
    ${!S&&u`<p class="quiet">${e(`setup.demo_installed`)}</p>`}
    <details>
      <summary>${e(`setup.demo_live`)}</summary>
      <p><code class="address">${t}</code></p>
      <p><${s} text=${t} /></p>
    </details>
  </section>`}export{M as Setup};