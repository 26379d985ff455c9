
import{c as e,d as t}from"./settings.js";import{E as n,h as r}from"./first.js";import{t as i}from"./themes.js";import{D as a,G as o,N as s,R as c,U as l,a as u,g as d,j as f,n as p,o as m,r as h,z as g}from"./common.js";import{n as _,r as v,t as y}from"./open-overlays.js";import{t as b}from"./twitch.js";const x=()=>o`<svg class="drag-picture" viewBox="0 0 220 120" aria-hidden="true">
  <rect class="window" x="62" y="4" width="154" height="112" rx="8" />
  <path class="bar" d="M62 20h154" />
  <rect class="scene" x="74" y="28" width="130" height="42" rx="3" />
  <rect class="dock" x="74" y="76" width="62" height="32" rx="3" />
  <rect class="dock" x="142" y="76" width="62" height="32" rx="3" />
  <rect class="dropped" x="79" y="81" width="52" height="10" rx="2" />
  <path class="lines" d="M80 98h34M148 84h34M148 92h24M148 100h40" />
  <rect class="dropped" x="116" y="34" width="46" height="12" rx="2" />
  <path class="arrow" d="M4 40C24 22 36 40 40 58c4 18 14 28 31 28m-10-9 10 9-10 9" />
</svg>`,S=/\/[0-9a-f]{16}$/.test(r),C=S?`event-capture`:`cargo run --`,w={event_type:`cheer`,amount:100,user_name:`Ann`,message:``},T=`${C} demo`,E=2e3,D=new URLSearchParams({"layer-name":`Alerts`,"layer-width":`1920`,"layer-height":`1080`});function O({number:e,title:t,isDone:n=!1,isNext:r=!1,isFolded:i=!1,result:a,children:s}){let{say:l}=c(),u=o`<h2>${t}${n&&o`<span class="unseen"> ${l(`setup.done`)}</span>`}</h2>`;return o`<li class=${`step ${n?`done`:``}`} aria-current=${r?`step`:void 0}>
    <span class="number" aria-hidden="true">${n?`✓`:e}</span>
    ${i?o`<${k} key="folded" heading=${u} result=${a}>${s}<//>`:o`<div key="open">${u}${s}</div>`}
  </li>`}function k({heading:e,result:t,children:n}){let r=p();return o`<details>
    <summary ref=${r}>${e} <span class="quiet">${t}</span></summary>${n}
  </details>`}function A({overlay:e,token:t}){let{say:r}=c(),i=p(),a=`#overlay=${e.overlay_id}${t?`&token=${t}`:``}`,s=`${n}/overlay/${a}`,l=`${n}/overlay/?${D}${a}`;return o`<p class="drag">${r(`setup.drag`)}</p>
    <div class="drag">
      <a class="tile" ref=${i} href=${s} target="_blank" rel="noopener" draggable="true" onDragStart=${e=>{e.dataTransfer.setData(`text/uri-list`,l),e.dataTransfer.setData(`text/plain`,l),e.dataTransfer.effectAllowed=`copyLink`}}>
        <${f} name="alerts" /><span>${r(`setup.size`)}</span>
      </a>
      <${x} />
    </div>
    <p class="quiet">${r(`setup.or_copy`)}</p>
    <p class="bar"><${h} text=${s} label=${r(`setup.copy_url`)} /></p>`}function j({open:n,isNext:r}){let{client:l,say:f,signOut:p}=c(),{value:h,error:_,reload:v}=d(()=>m(l),`overlays`,E),[b,x]=g(null),[S,C]=g(t[0]),[T,D]=g({error:null,result:``,isSent:!1}),O=h?.[0],k=!!n?.places,j=(e,t=!1)=>D({error:null,result:e,isSent:t}),M=e=>D({error:e,result:``,isSent:!1}),N=async()=>{try{O||await l.post(`/overlays`,{name:`Stream`,settings:{theme:S}}),p&&x((await l.post(`/tokens`,{name:`OBS`})).token),j(``),v()}catch(e){M(e)}},P=async()=>{let{event_type:t}=w;try{if((await m(l)).every(({settings:n})=>!e(n).alerts[t].enabled))return j(f(`alerts.is_off`,{kind:f(`kind.${t}`)}));await l.post(`/alerts`,{test:w});let n=await u(l);return j(f(n===`alerts.sent`?`setup.tested`:n),!0)}catch(e){return M(e)}},F=O&&(b||!p),I=r?`main`:``,L=f(`overlay.cheer`,{name:w.user_name,amount:w.amount});return o`${!F&&o`<p class="quiet">${f(O?`setup.make_url_how`:`setup.make_how`)}</p>
      ${!O&&o`<${i} theme=${S} onChange=${C} />`}
      <p><${a} class=${I} disabled=${!h} onClick=${N}>
        ${f(O?`setup.make_url`:`setup.make`)}<//></p>`}
    ${F&&o`<${A} overlay=${O} token=${b} />
      ${!k&&o`<p>${f(`setup.expect`,{text:L})}</p>`}
      <p class="bar">
        <${a} class=${I} onClick=${P}>${f(`setup.test`)}<//>
        <span class=${T.isSent?`good`:``} role="status">${T.result}</span>
      </p>
      ${T.isSent&&!n?.inObs&&o`<details><summary>${f(`setup.unseen`)}</summary>
        <p class="quiet">${f(`setup.unseen_how`)}</p></details>`}`}
    ${(F||k)&&o`<${y} open=${n}><p class="quiet">${f(`open.none_how`)}</p><//>`}
    <${s} error=${T.error??_} onRetry=${T.error?null:v} />`}function M(){let{client:e,say:t}=c(),r=v(E),{value:i}=d(()=>e.get(`/connections/twitch`),`twitch`,E),a=!!r?.places,s=i?.state===`connected`,u=l({});i&&(u.current.isConnected??=s),r&&(u.current.isOpen??=a);let f=s&&!a,p=i?.channel?.name;return o`<h1>${t(`setup.title`)}</h1>
    <p class="quiet" role="status">${t(s?`setup.connected`:`activity.empty`)}</p>
    <div class="setup-parts">
      <ol class="setup card">
        <${O} number="1" title=${t(`setup.service`)} isDone isFolded result=${n}>
          <p class="quiet">${t(`setup.service_how`)}</p>
        <//>
        <${O} number="2" title=${t(`begin.twitch`)} isDone=${s} isNext=${!s}
          isFolded=${s&&u.current.isConnected}
          result=${p?t(`twitch.state.connected_to`,{name:p}):t(`twitch.state.connected`)}>
          <${b} isShort />
        <//>
        <${O} number="3" title=${t(`begin.overlay`)} isDone=${a} isNext=${f}
          isFolded=${a&&u.current.isOpen} result=${r&&_(t,r)}>
          <${j} open=${r} isNext=${f} />
        <//>
        ${s&&a&&o`<li class="ready">
          <div role="status">
            <strong>${t(`setup.ready`)}</strong> ${t(r?.inObs?`setup.ready_obs`:`setup.ready_open`)}
          </div>
        </li>`}
      </ol>
      <${N} />
    </div>`}function N(){let{say:e}=c(),t=`${T} --live`;return o`<section class="card demo">
    <h2>${e(`setup.demo`)}</h2>
    <p class="quiet">${e(`setup.demo_how`)}</p>
    <p><code class="address">${T}</code></p>
    <p><${h} text=${T} /></p>
    ${!S&&o`<p class="quiet">${e(`setup.demo_installed`)}</p>`}
    <details>
      <summary>${e(`setup.demo_live`)}</summary>
      <p><code class="address">${t}</code></p>
      <p><${h} text=${t} /></p>
    </details>
  </section>`}export{M as Setup};