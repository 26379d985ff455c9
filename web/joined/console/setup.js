
import{O as e,g as t}from"./first.js";import{c as n,k as r,l as i,o as a}from"./overlay.js";import{i as o,r as s}from"./forms.js";import{E as c,O as l,S as u,h as d,l as f,p,t as m,x as h}from"./common.js";import{n as g,r as _,t as v}from"./open-overlays.js";import{t as y}from"./twitch.js";const b=()=>l`<svg class="drag-picture" viewBox="0 0 220 120" aria-hidden="true">
  <rect class="window" x="62" y="4" width="154" height="112" rx="8" />
  <path class="bar" d="M62 20h154" />
  <rect class="scene" x="74" y="28" width="130" height="42" rx="3" />
  <rect class="dock" x="74" y="76" width="62" height="32" rx="3" />
  <rect class="dock" x="142" y="76" width="62" height="32" rx="3" />
  <rect class="dropped" x="79" y="81" width="52" height="10" rx="2" />
  <path class="lines" d="M80 98h34M148 84h34M148 92h24M148 100h40" />
  <rect class="dropped" x="116" y="34" width="46" height="12" rx="2" />
  <path class="arrow" d="M4 40C24 22 36 40 40 58c4 18 14 28 31 28m-10-9 10 9-10 9" />
</svg>`,x=/\/[0-9a-f]{16}$/.test(t),S=x?`event-capture`:`cargo run --`,C={event_type:`cheer`,amount:100,user_name:`Ann`,message:``},w=`${S} demo`,T=2e3,E=new URLSearchParams({"layer-name":`Alerts`,"layer-width":`1920`,"layer-height":`1080`});function D({number:e,title:t,isDone:n=!1,isNext:r=!1,isFolded:i=!1,result:a,children:o}){let{say:s}=h(),c=l`<h2>${t}${n&&l`<span class="unseen"> ${s(`setup.done`)}</span>`}</h2>`;return l`<li class=${`step ${n?`done`:``}`} aria-current=${r?`step`:void 0}>
    <span class="number" aria-hidden="true">${n?`✓`:e}</span>
    ${i?l`<${O} key="folded" heading=${c} result=${a}>${o}<//>`:l`<div key="open">${c}${o}</div>`}
  </li>`}function O({heading:e,result:t,children:n}){let r=s();return l`<details>
    <summary ref=${r}>${e} <span class="quiet">${t}</span></summary>${n}
  </details>`}function k({overlay:t,token:n}){let{say:r}=h(),i=s(),a=`#overlay=${t.overlay_id}${n?`&token=${n}`:``}`,c=`${e}/overlay/${a}`,u=`${e}/overlay/?${E}${a}`;return l`<p class="drag">${r(`setup.drag`)}</p>
    <div class="drag">
      <a class="tile" ref=${i} href=${c} target="_blank" rel="noopener" draggable="true" onDragStart=${e=>{e.dataTransfer.setData(`text/uri-list`,u),e.dataTransfer.setData(`text/plain`,u),e.dataTransfer.effectAllowed=`copyLink`}}>
        <${p} name="alerts" /><span>${r(`setup.size`)}</span>
      </a>
      <${b} />
    </div>
    <p class="quiet">${r(`setup.or_copy`)}</p>
    <p class="bar"><${o} text=${c} label=${r(`setup.copy_url`)} /></p>`}function A({open:e,isNext:t}){let{client:o,say:s,signOut:c}=h(),{value:p,error:g,reload:_}=m(()=>i(o),`overlays`,T),[y,b]=u(null),[x,S]=u(r[0]),[w,E]=u({error:null,result:``,isSent:!1}),D=p?.[0],O=!!e?.places,A=(e,t=!1)=>E({error:null,result:e,isSent:t}),j=e=>E({error:e,result:``,isSent:!1}),M=async()=>{try{D||await o.post(`/overlays`,{name:`Stream`,settings:{theme:x}}),c&&b((await o.post(`/tokens`,{name:`OBS`})).token),A(``),_()}catch(e){j(e)}},N=async()=>{try{return await o.post(`/alerts`,{test:C}),A(await n(o,s,{kind:C.event_type,event:{}}),!0)}catch(e){return j(e)}},P=D&&(y||!c),F=t?`main`:``,I=s(`overlay.cheer`,{name:C.user_name,amount:C.amount});return l`${!P&&l`<p class="quiet">${s(D?`setup.make_url_how`:`setup.make_how`)}</p>
      ${!D&&l`<${a} theme=${x} onChange=${S} />`}
      <p><${f} class=${F} disabled=${!p} onClick=${M}>
        ${s(D?`setup.make_url`:`setup.make`)}<//></p>`}
    ${P&&l`<${k} overlay=${D} token=${y} />
      ${!O&&l`<p>${s(`setup.expect`,{text:I})}</p>`}
      <p class="bar">
        <${f} class=${F} onClick=${N}>${s(`setup.test`)}<//>
        <span class=${w.isSent?`good`:``} role="status">${w.result}</span>
      </p>
      ${w.isSent&&!e?.inObs&&l`<details><summary>${s(`setup.unseen`)}</summary>
        <p class="quiet">${s(`setup.unseen_how`)}</p></details>`}`}
    ${(P||O)&&l`<${v} open=${e}><p class="quiet">${s(`open.none_how`)}</p><//>`}
    <${d} error=${w.error??g} onRetry=${w.error?null:_} />`}function j(){let{client:t,say:n}=h(),r=_(T),{value:i}=m(()=>t.get(`/connections/twitch`),`twitch`,T),a=!!r?.places,o=i?.state===`connected`,s=c({});i&&(s.current.isConnected??=o),r&&(s.current.isOpen??=a);let u=o&&!a,d=i?.channel?.name;return l`<h1>${n(`setup.title`)}</h1>
    <p class="quiet" role="status">${n(o?`setup.connected`:`activity.empty`)}</p>
    <div class="setup-parts">
      <ol class="setup card">
        <${D} number="1" title=${n(`setup.service`)} isDone isFolded result=${e}>
          <p class="quiet">${n(`setup.service_how`)}</p>
        <//>
        <${D} number="2" title=${n(`begin.twitch`)} isDone=${o} isNext=${!o}
          isFolded=${o&&s.current.isConnected}
          result=${d?n(`twitch.state.connected_to`,{name:d}):n(`twitch.state.connected`)}>
          <${y} isShort />
        <//>
        <${D} number="3" title=${n(`begin.overlay`)} isDone=${a} isNext=${u}
          isFolded=${a&&s.current.isOpen} result=${r&&g(n,r)}>
          <${A} open=${r} isNext=${u} />
        <//>
        ${o&&a&&l`<li class="ready">
          <div role="status">
            <strong>${n(`setup.ready`)}</strong> ${n(r?.inObs?`setup.ready_obs`:`setup.ready_open`)}
          </div>
        </li>`}
      </ol>
      <${M} />
    </div>`}function M(){let{say:e}=h(),t=`${w} --live`;return l`<section class="card demo">
    <h2>${e(`setup.demo`)}</h2>
    <p class="quiet">${e(`setup.demo_how`)}</p>
    <p><code class="address">${w}</code></p>
    <p><${o} text=${w} /></p>
    ${!x&&l`<p class="quiet">${e(`setup.demo_installed`)}</p>`}
    <details>
      <summary>${e(`setup.demo_live`)}</summary>
      <p><code class="address">${t}</code></p>
      <p><${o} text=${t} /></p>
    </details>
  </section>`}export{j as Setup};