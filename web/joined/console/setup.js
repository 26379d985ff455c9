
import{c as e,f as t}from"./settings.js";import{E as n,h as r}from"./first.js";import{t as i}from"./themes.js";import{F as a,H as o,L as s,U as c,Y as l,a as u,c as d,g as f,i as p,j as m,q as h,s as g,t as _}from"./common.js";import{n as v,r as y,t as b}from"./open-overlays.js";const x=()=>l`<svg class="drag-picture" viewBox="0 0 220 120" aria-hidden="true">
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
  </details>`}function A({overlay:e,token:t}){let{say:r}=o(),i=p(),s=`#overlay=${e.overlay_id}${t?`&token=${t}`:``}`,c=`${n}/overlay/${s}`,d=`${n}/overlay/?${D}${s}`;return l`<p class="drag">${r(`setup.drag`)}</p>
    <div class="drag">
      <a class="tile" ref=${i} href=${c} target="_blank" rel="noopener" draggable="true" onDragStart=${e=>{e.dataTransfer.setData(`text/uri-list`,d),e.dataTransfer.setData(`text/plain`,d),e.dataTransfer.effectAllowed=`copyLink`}}>
        <${a} name="alerts" /><span>${r(`setup.size`)}</span>
      </a>
      <${x} />
    </div>
    <p class="quiet">${r(`setup.or_copy`)}</p>
    <p class="bar"><${u} text=${c} label=${r(`setup.copy_url`)} /></p>`}function j({open:n,isNext:r}){let{client:a,say:u,signOut:p}=o(),{value:h,error:_,reload:v}=f(()=>d(a),`overlays`,E),[y,x]=c(null),[S,C]=c(t[0]),[T,D]=c({error:null,result:``,isSent:!1}),O=h?.[0],k=!!n?.places,j=(e,t=!1)=>D({error:null,result:e,isSent:t}),M=e=>D({error:e,result:``,isSent:!1}),N=async()=>{try{O||await a.post(`/overlays`,{name:`Stream`,settings:{theme:S}}),p&&x((await a.post(`/tokens`,{name:`OBS`})).token),j(``),v()}catch(e){M(e)}},P=async()=>{let{event_type:t}=w;try{if((await d(a)).every(({settings:n})=>!e(n).alerts[t].enabled))return j(u(`alerts.is_off`,{kind:u(`kind.${t}`)}));await a.post(`/alerts`,{test:w});let n=await g(a);return j(u(n===`alerts.sent`?`setup.tested`:n),!0)}catch(e){return M(e)}},F=O&&(y||!p),I=r?`main`:``,L=u(`overlay.cheer`,{name:w.user_name,amount:w.amount});return l`${!F&&l`<p class="quiet">${u(O?`setup.make_url_how`:`setup.make_how`)}</p>
      ${!O&&l`<${i} theme=${S} onChange=${C} />`}
      <p><${m} class=${I} disabled=${!h} onClick=${N}>
        ${u(O?`setup.make_url`:`setup.make`)}<//></p>`}
    ${F&&l`<${A} overlay=${O} token=${y} />
      ${!k&&l`<p>${u(`setup.expect`,{text:L})}</p>`}
      <p class="bar">
        <${m} class=${I} onClick=${P}>${u(`setup.test`)}<//>
        <span class=${T.isSent?`good`:``} role="status">${T.result}</span>
      </p>
      ${T.isSent&&!n?.inObs&&l`<details><summary>${u(`setup.unseen`)}</summary>
        <p class="quiet">${u(`setup.unseen_how`)}</p></details>`}`}
    ${(F||k)&&l`<${b} open=${n}><p class="quiet">${u(`open.none_how`)}</p><//>`}
    <${s} error=${T.error??_} onRetry=${T.error?null:v} />`}function M(){let{client:e,say:t}=o(),r=y(E),{value:i}=f(()=>e.get(`/connections/twitch`),`twitch`,E),a=!!r?.places,s=i?.state===`connected`,c=h({});i&&(c.current.isConnected??=s),r&&(c.current.isOpen??=a);let u=s&&!a,d=i?.channel?.name;return l`<h1>${t(`setup.title`)}</h1>
    <p class="quiet" role="status">${t(s?`setup.connected`:`activity.empty`)}</p>
    <div class="setup-parts">
      <ol class="setup card">
        <${O} number="1" title=${t(`setup.service`)} isDone isFolded result=${n}>
          <p class="quiet">${t(`setup.service_how`)}</p>
        <//>
        <${O} number="2" title=${t(`begin.twitch`)} isDone=${s} isNext=${!s}
          isFolded=${s&&c.current.isConnected}
          result=${d?t(`twitch.state.connected_to`,{name:d}):t(`twitch.state.connected`)}>
          <${_} isShort />
        <//>
        <${O} number="3" title=${t(`begin.overlay`)} isDone=${a} isNext=${u}
          isFolded=${a&&c.current.isOpen} result=${r&&v(t,r)}>
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
    <p><${u} text=${T} /></p>
    ${!S&&l`<p class="quiet">${e(`setup.demo_installed`)}</p>`}
    <details>
      <summary>${e(`setup.demo_live`)}</summary>
      <p><code class="address">${t}</code></p>
      <p><${u} text=${t} /></p>
    </details>
  </section>`}export{M as Setup};