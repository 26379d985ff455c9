
import{O as e}from"./first.js";import{c as t,k as n,l as r,o as i}from"./overlay.js";import{n as a,y as o}from"./forms.js";import{A as s,O as c,S as l,h as u,l as d,p as f,t as p,w as m}from"./common.js";import{n as h,t as g}from"./program.js";import{n as _,r as v,t as y}from"./open-overlays.js";import{t as b}from"./twitch.js";const x=()=>s`<svg class="drag-picture" viewBox="0 0 220 120" aria-hidden="true">
  <rect class="window" x="62" y="4" width="154" height="112" rx="8" />
  <path class="bar" d="M62 20h154" />
  <rect class="scene" x="74" y="28" width="130" height="42" rx="3" />
  <rect class="dock" x="74" y="76" width="62" height="32" rx="3" />
  <rect class="dock" x="142" y="76" width="62" height="32" rx="3" />
  <rect class="dropped" x="79" y="81" width="52" height="10" rx="2" />
  <path class="lines" d="M80 98h34M148 84h34M148 92h24M148 100h40" />
  <rect class="dropped" x="116" y="34" width="46" height="12" rx="2" />
  <path class="arrow" d="M4 40C24 22 36 40 40 58c4 18 14 28 31 28m-10-9 10 9-10 9" />
</svg>`,S={event_type:`cheer`,amount:100,user_name:`Ann`,message:``},C=`${h} demo`,w=2e3,T=new URLSearchParams({"layer-name":`Alerts`,"layer-width":`1920`,"layer-height":`1080`});function E({number:e,title:t,isDone:n=!1,isNext:r=!1,isFolded:i=!1,result:a,children:o}){let{say:c}=l(),u=s`<h2>${t}${n&&s`<span class="unseen"> ${c(`setup.done`)}</span>`}</h2>`;return s`<li class=${`step ${n?`done`:``}`} aria-current=${r?`step`:void 0}>
    <span class="number" aria-hidden="true">${n?`✓`:e}</span>
    ${i?s`<${D} key="folded" heading=${u} result=${a}>${o}<//>`:s`<div key="open">${u}${o}</div>`}
  </li>`}function D({heading:e,result:t,children:n}){let r=o();return s`<details>
    <summary ref=${r}>${e} <span class="quiet">${t}</span></summary>${n}
  </details>`}function O({overlay:t,token:n}){let{say:r}=l(),i=o(),c=`#overlay=${t.overlay_id}${n?`&token=${n}`:``}`,u=`${e}/overlay/${c}`,d=`${e}/overlay/?${T}${c}`;return s`<p class="drag">${r(`setup.drag`)}</p>
    <div class="drag">
      <a class="tile" ref=${i} href=${u} target="_blank" rel="noopener" draggable="true" onDragStart=${e=>{e.dataTransfer.setData(`text/uri-list`,d),e.dataTransfer.setData(`text/plain`,d),e.dataTransfer.effectAllowed=`copyLink`}}>
        <${f} name="alerts" /><span>${r(`setup.size`)}</span>
      </a>
      <${x} />
    </div>
    <p class="quiet">${r(`setup.or_copy`)}</p>
    <p class="bar"><${a} text=${u} label=${r(`setup.copy_url`)} /></p>`}function k({open:e,isNext:a}){let{client:o,say:c,signOut:f}=l(),{value:h,error:g,reload:_}=p(()=>r(o),`overlays`,w),[v,b]=m(null),[x,C]=m(n[0]),[T,E]=m({error:null,result:``,isSent:!1}),D=h?.[0],k=!!e?.places,A=(e,t=!1)=>E({error:null,result:e,isSent:t}),j=e=>E({error:e,result:``,isSent:!1}),M=async()=>{try{D||await o.post(`/overlays`,{name:`Stream`,settings:{theme:x}}),f&&b((await o.post(`/tokens`,{name:`OBS`})).token),A(``),_()}catch(e){j(e)}},N=async()=>{try{return await o.post(`/alerts`,{test:S}),A(await t(o,c,{kind:S.event_type,event:{}}),!0)}catch(e){return j(e)}},P=D&&(v||!f),F=a?`main`:``,I=c(`overlay.cheer`,{name:S.user_name,amount:S.amount});return s`${!P&&s`<p class="quiet">${c(D?`setup.make_url_how`:`setup.make_how`)}</p>
      ${!D&&s`<${i} theme=${x} onChange=${C} />`}
      <p><${d} class=${F} disabled=${!h} onClick=${M}>
        ${c(D?`setup.make_url`:`setup.make`)}<//></p>`}
    ${P&&s`<${O} overlay=${D} token=${v} />
      ${!k&&s`<p>${c(`setup.expect`,{text:I})}</p>`}
      <p class="bar">
        <${d} class=${F} onClick=${N}>${c(`setup.test`)}<//>
        <span class=${T.isSent?`good`:``} role="status">${T.result}</span>
      </p>
      ${T.isSent&&!e?.inObs&&s`<details><summary>${c(`setup.unseen`)}</summary>
        <p class="quiet">${c(`setup.unseen_how`)}</p></details>`}`}
    ${(P||k)&&s`<${y} open=${e}><p class="quiet">${c(`open.none_how`)}</p><//>`}
    <${u} error=${T.error??g} onRetry=${T.error?null:_} />`}function A(){let{client:t,say:n,connected:r}=l(),{value:i}=v(w),{value:a}=p(()=>t.get(`/connections/twitch`),`twitch`,w),o=!!i?.places,u=a?.state===`connected`,d=c({});a&&(d.current.isConnected??=u),i&&(d.current.isOpen??=o);let f=u&&!o,m=a?.channel?.name;return s`<h1>${n(`setup.title`)}</h1>
    <p class="quiet" role="status">${n(u?`setup.connected`:`activity.empty`)}</p>
    <div class="setup-parts">
      <ol class="setup card">
        <${E} number="1" title=${n(r?`setup.service`:`unreachable`)} isDone=${r} isFolded result=${e}>
          <p class="quiet">${n(`setup.service_how`)}</p>
        <//>
        <${E} number="2" title=${n(`begin.twitch`)} isDone=${u} isNext=${!u}
          isFolded=${u&&d.current.isConnected}
          result=${m?n(`twitch.state.connected_to`,{name:m}):n(`twitch.state.connected`)}>
          <${b} isShort />
        <//>
        <${E} number="3" title=${n(`begin.overlay`)} isDone=${o} isNext=${f}
          isFolded=${o&&d.current.isOpen} result=${i&&_(n,i)}>
          <${k} open=${i} isNext=${f} />
        <//>
        ${u&&o&&s`<li class="ready">
          <div role="status">
            <strong>${n(`setup.ready`)}</strong> ${n(i?.inObs?`setup.ready_obs`:`setup.ready_open`)}
          </div>
        </li>`}
      </ol>
      <${j} />
    </div>`}function j(){let{say:e}=l(),t=`${C} --live`;return s`<section class="card demo">
    <h2>${e(`setup.demo`)}</h2>
    <p class="quiet">${e(`setup.demo_how`)}</p>
    <p><code class="address">${C}</code></p>
    <p><${a} text=${C} /></p>
    ${!g&&s`<p class="quiet">${e(`setup.demo_installed`)} <code>event-capture demo</code></p>`}
    <details>
      <summary>${e(`setup.demo_live`)}</summary>
      <p><code class="address">${t}</code></p>
      <p><${a} text=${t} /></p>
    </details>
  </section>`}export{A as Setup};