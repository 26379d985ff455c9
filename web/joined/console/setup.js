
import{c as e,f as t}from"./settings.js";import{D as n,g as r}from"./first.js";import{t as i}from"./themes.js";import{F as a,H as o,L as s,U as c,Y as l,a as u,g as d,j as f,n as p,o as m,q as h,r as g}from"./common.js";import{n as _,r as v,t as y}from"./open-overlays.js";import{t as b}from"./twitch.js";const x=()=>l`<svg class="drag-picture" viewBox="0 0 220 120" aria-hidden="true">
  <rect class="window" x="62" y="4" width="154" height="112" rx="8" />
  <path class="bar" d="M62 20h154" />
  <rect class="scene" x="74" y="28" width="130" height="42" rx="3" />
  <rect class="dock" x="74" y="76" width="62" height="32" rx="3" />
  <rect class="dock" x="142" y="76" width="62" height="32" rx="3" />
  <rect class="dropped" x="79" y="81" width="52" height="10" rx="2" />
  <path class="lines" d="M80 98h34M148 84h34M148 92h24M148 100h40" />
  <rect class="dropped" x="116" y="34" width="46" height="12" rx="2" />
  <path class="arrow" d="M4 40C24 22 36 40 40 58c4 18 14 28 31 28m-10-9 10 9-10 9" />
</svg>`,S=/\/[0-9a-f]{16}$/.test(r),C=S?`event-capture`:`cargo run --`,w={event_type:`cheer`,amount:100,user_name:`Ann`,message:``},T=`${C} demo`,E=2e3,D=new URLSearchParams({"layer-name":`Alerts`,"layer-width":`1920`,"layer-height":`1080`});function O({number:e,title:t,isDone:n=!1,isNext:r=!1,isFolded:i=!1,result:a,children:s}){let{say:c}=o(),u=l`<h2>${t}${n&&l`<span class="unseen"> ${c(`setup.done`)}</span>`}</h2>`;return l`<li class=${`step ${n?`done`:``}`} aria-current=${r?`step`:void 0}>
    <span class="number" aria-hidden="true">${n?`✓`:e}</span>
    ${i?l`<${k} key="folded" heading=${u} result=${a}>${s}<//>`:l`<div key="open">${u}${s}</div>`}
  </li>`}function k({heading:e,result:t,children:n}){let r=p();return l`<details>
    <summary ref=${r}>${e} <span class="quiet">${t}</span></summary>${n}
  </details>`}function A({overlay:e,token:t}){let{say:r}=o(),i=p(),s=`#overlay=${e.overlay_id}${t?`&token=${t}`:``}`,c=`${n}/overlay/${s}`,u=`${n}/overlay/?${D}${s}`;return l`<p class="drag">${r(`setup.drag`)}</p>
    <div class="drag">
      <a class="tile" ref=${i} href=${c} target="_blank" rel="noopener" draggable="true" onDragStart=${e=>{e.dataTransfer.setData(`text/uri-list`,u),e.dataTransfer.setData(`text/plain`,u),e.dataTransfer.effectAllowed=`copyLink`}}>
        <${a} name="alerts" /><span>${r(`setup.size`)}</span>
      </a>
      <${x} />
    </div>
    <p class="quiet">${r(`setup.or_copy`)}</p>
    <p class="bar"><${g} text=${c} label=${r(`setup.copy_url`)} /></p>`}function j({open:n,isNext:r}){let{client:a,say:p,signOut:h}=o(),{value:g,error:_,reload:v}=d(()=>m(a),`overlays`,E),[b,x]=c(null),[S,C]=c(t[0]),[T,D]=c({error:null,result:``,isSent:!1}),O=g?.[0],k=!!n?.places,j=(e,t=!1)=>D({error:null,result:e,isSent:t}),M=e=>D({error:e,result:``,isSent:!1}),N=async()=>{try{O||await a.post(`/overlays`,{name:`Stream`,settings:{theme:S}}),h&&x((await a.post(`/tokens`,{name:`OBS`})).token),j(``),v()}catch(e){M(e)}},P=async()=>{let{event_type:t}=w;try{if((await m(a)).every(({settings:n})=>!e(n).alerts[t].enabled))return j(p(`alerts.is_off`,{kind:p(`kind.${t}`)}));await a.post(`/alerts`,{test:w});let n=await u(a);return j(p(n===`alerts.sent`?`setup.tested`:n),!0)}catch(e){return M(e)}},F=O&&(b||!h),I=r?`main`:``,L=p(`overlay.cheer`,{name:w.user_name,amount:w.amount});return l`${!F&&l`<p class="quiet">${p(O?`setup.make_url_how`:`setup.make_how`)}</p>
      ${!O&&l`<${i} theme=${S} onChange=${C} />`}
      <p><${f} class=${I} disabled=${!g} onClick=${N}>
        ${p(O?`setup.make_url`:`setup.make`)}<//></p>`}
    ${F&&l`<${A} overlay=${O} token=${b} />
      ${!k&&l`<p>${p(`setup.expect`,{text:L})}</p>`}
      <p class="bar">
        <${f} class=${I} onClick=${P}>${p(`setup.test`)}<//>
        <span class=${T.isSent?`good`:``} role="status">${T.result}</span>
      </p>
      ${T.isSent&&!n?.inObs&&l`<details><summary>${p(`setup.unseen`)}</summary>
        <p class="quiet">${p(`setup.unseen_how`)}</p></details>`}`}
    ${(F||k)&&l`<${y} open=${n}><p class="quiet">${p(`open.none_how`)}</p><//>`}
    <${s} error=${T.error??_} onRetry=${T.error?null:v} />`}function M(){let{client:e,say:t}=o(),r=v(E),{value:i}=d(()=>e.get(`/connections/twitch`),`twitch`,E),a=!!r?.places,s=i?.state===`connected`,c=h({});i&&(c.current.isConnected??=s),r&&(c.current.isOpen??=a);let u=s&&!a,f=i?.channel?.name;return l`<h1>${t(`setup.title`)}</h1>
    <p class="quiet" role="status">${t(s?`setup.connected`:`activity.empty`)}</p>
    <div class="setup-parts">
      <ol class="setup card">
        <${O} number="1" title=${t(`setup.service`)} isDone isFolded result=${n}>
          <p class="quiet">${t(`setup.service_how`)}</p>
        <//>
        <${O} number="2" title=${t(`begin.twitch`)} isDone=${s} isNext=${!s}
          isFolded=${s&&c.current.isConnected}
          result=${f?t(`twitch.state.connected_to`,{name:f}):t(`twitch.state.connected`)}>
          <${b} isShort />
        <//>
        <${O} number="3" title=${t(`begin.overlay`)} isDone=${a} isNext=${u}
          isFolded=${a&&c.current.isOpen} result=${r&&_(t,r)}>
          <${j} open=${r} isNext=${u} />
        <//>
        ${s&&a&&l`<li class="ready">
          <div role="status">
            <strong>${t(`setup.ready`)}</strong> ${t(r?.inObs?`setup.ready_obs`:`setup.ready_open`)}
          </div>
        </li>`}
      </ol>
      <${N} />
    </div>`}function N(){let{say:e}=o(),t=`${T} --live`;return l`<section class="card demo">
    <h2>${e(`setup.demo`)}</h2>
    <p class="quiet">${e(`setup.demo_how`)}</p>
    <p><code class="address">${T}</code></p>
    <p><${g} text=${T} /></p>
    ${!S&&l`<p class="quiet">${e(`setup.demo_installed`)}</p>`}
    <details>
      <summary>${e(`setup.demo_live`)}</summary>
      <p><code class="address">${t}</code></p>
      <p><${g} text=${t} /></p>
    </details>
  </section>`}export{M as Setup};