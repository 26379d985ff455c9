
import{$ as e,E as t,J as n,L as r,N as i,O as a,T as o,U as s,W as c,X as l,Y as u,c as d,k as f,n as p,r as m,tt as h}from"./common.js";import{g}from"./first.js";function _(e){let t=``;for(let n=0;n<e.size;n+=1)for(let r=0;r<e.size;r+=1)e.get(r,n)&&(t+=`M${r} ${n}h1v1h-1z`);return t}function v({text:e,label:t}){let[n,r]=u(null);if(l(()=>{let t=!1;return import(`./lean-qr.js`).then(({generate:n})=>t||r(n(e)),()=>{}),()=>{t=!0}},[e]),!n)return null;let i=n.size+8;return h`<svg class="qr" role="img" aria-label=${t} viewBox=${`-4 -4 ${i} ${i}`}
    shape-rendering="crispEdges">
    <rect x=${-4} y=${-4} width=${i} height=${i} fill="#fff" /><path d=${_(n)} fill="#000" />
  </svg>`}const y=`http://localhost`;function b({children:e}){let{say:t}=n(),r=(e,n)=>h`<div><dt>${t(`register.${e}`)}</dt><dd>${n}</dd></div>`;return h`<ol class="register">
    <li>
      <p>
        <a href=${`https://dev.twitch.tv/console/apps/create`} target="_blank" rel="noopener noreferrer">${t(`register.open`)} ↗</a>
        ${` `}${t(`register.with`)}
      </p>
      <dl>
        ${r(`name`,h`<span class="quiet">${t(`register.any_name`)}</span>`)}
        ${r(`redirect`,h`<code>${y}</code>
          <${m} text=${y} description=${t(`register.copy`,{what:y})} />`)}
        ${r(`category`,h`<strong>Application Integration</strong>`)}
        ${r(`type`,h`<strong>${t(`register.public`)}</strong>`)}
      </dl>
    </li>
    <li><p>${t(`register.find`)}</p>${e}</li>
  </ol>`}const x=[[/data folder/,`disk`],[/client secret/,`secret`],[/lacks a scope/,`forbidden`],[/refused at Twitch/,`refused`],[/code expired|code has expired/,`expired`],[/another account|the channel is/,`account`],[/Log in again|did not confirm/,`login`],[/login has ended/,`ended`],[/refuses the token|renewal of the token/,`token`],[/Trying again/,`retry`],[/Update the service/,`update`],[/removed the account/,`removed`],[/Restart the service/,`restart`],[/as fast as/,`slow`],[/closed|broke|welcome|in time|for too long/,`broken`],[/reach|respond|answered|unexpected|socket/,`away`]];function S(e,t){let n=x.find(([t])=>t.test(e));return n?t(`twitch.cause.${n[1]}`):e}function C(e,t){return e.errors?.some(({pointer:e})=>e===`/client_id`)?Object.assign(Error(t(`twitch.client_id_wrong`)),{how:t(`twitch.client_id_fix`)}):e}const w=`${g}/docs/guides/?guide=twitch`,T=[`pending`,`connecting`,`connected`];function E({section:e}){let{say:t}=n();return h`<a href=${`${w}#${e}`} target="_blank" rel="noopener">${t(`twitch.guide`)} ↗</a>`}function D(e){let{subscribe:t}=n(),[r,i]=u(null);return l(()=>{if(e&&!r)return t(({type:e,data:t})=>e===`event.created`&&t?.source?.startsWith(`twitch/`)&&i(t))},[e,r]),r}function O({connection:e,reload:t}){let{client:i,say:a}=n(),{client_id:o,state:c}=e,[l,d]=u(null),[m,g]=u(!1),[_,v]=u(``),y=p(),x=e=>{e.preventDefault(),e.currentTarget.focus(),d(null),v(a(e.currentTarget.value.trim()?`twitch.client_id_form`:`twitch.client_id_missing`))},S=async e=>{e.preventDefault();let n=e.currentTarget,r=String(new FormData(n).get(`client_id`)??``).trim();g(!0);try{await i.post(`/connections/twitch`,r?{client_id:r}:{}),d(null)}catch(e){d(C(e,a)),n.elements.client_id.focus()}g(!1),t()},w=h`<${f} label=${a(`twitch.client_id`)} name="client_id" maxlength="1024" autocomplete="off"
    pattern=${`\\s*[A-Za-z0-9]{30,31}\\s*`} title=${a(`twitch.client_id_form`)}
    spellcheck=${!1} required=${!o} placeholder=${o??``}
    reason=${_} onInvalid=${x} onInput=${()=>v(``)}
    aria-invalid=${_||l?.how?`true`:void 0} aria-describedby="login-error" />`,T=h`<p class="quiet">${a(`twitch.client_id_how`)} <${E} section="connect-on-your-machine" /></p>`;return h`<form onSubmit=${S} ref=${y} tabindex="-1">
    ${o?h`<details><summary>${a(`twitch.other_client_id`)}</summary>${w}${T}</details>`:h`${T}<${b}>${w}<//>`}
    <p><${r} class="main" disabled=${m}>
      ${a(c===`reauthorize`?`twitch.again`:`twitch.connect`)}<//></p>
    <div id="login-error"><${s} error=${l} /></div>
  </form>`}function k({connection:e,children:t}){let{say:r,replaceToken:i}=n(),a=p(),{user_code:o,verification_uri:s,expires_at:c}=e;if(!o){let e=Object.assign(Error(r(`twitch.no_code`)),{status:403});return h`<p>${r(`twitch.no_code`)}</p>
      <p><button onClick=${()=>i(e)}>${r(`token.other`)}</button></p>${t}`}let l=Math.max(1,Math.ceil((Date.parse(c)-Date.now())/6e4));return h`<div class="consent">
    <div>
      <p>${r(`twitch.code_how`)}</p>
      <p>
        <a class="button main" ref=${a} href=${s} target="_blank" rel="noopener noreferrer">
          ${r(`twitch.open`)} ↗</a>
      </p>
      <p class="bar"><code class="code" aria-label=${r(`twitch.code`)}>${o}</code> <${m} text=${o} /></p>
      <p class="quiet">${c&&r(`twitch.code_for`,{many:l})} ${t}</p>
    </div>
    <figure>
      <${v} text=${s} label=${r(`twitch.qr`)} />
      <figcaption class="quiet">${r(`twitch.scan`)}</figcaption>
    </figure>
  </div>`}function A({state:e,firstEvent:t}){let{say:r}=n(),i=t?T.length:T.indexOf(e);return i<0?null:h`<ol class="login-steps">
      ${T.map((e,t)=>h`<li key=${e} class=${t<i?`done`:``}
        aria-current=${t===i?`step`:void 0}>
        ${r(`twitch.step.${e}`)}${t<i&&h`<span class="unseen"> ${r(`twitch.step.done`)}</span>`}</li>`)}
    </ol>
    <div role="status">
      ${e===`connected`&&!t&&h`<p class="quiet">${r(`twitch.waiting`)}</p>`}
      ${t&&h`<h3>${r(`twitch.first_event`)}</h3>
        <div role="list"><${d} event=${t} isNew=${!0} /></div>`}
    </div>`}const j=[`pending`,`connecting`],M=6e4;function N(){let{client:e}=n();return t(()=>e.get(`/connections/twitch`),`twitch connection`,({state:e})=>j.includes(e)?2e3:1e4)}function P({at:e}){let{say:t}=n(),[r,i]=u(Date.now());if(l(()=>{let e=setInterval(()=>i(Date.now()),1e3);return()=>clearInterval(e)},[]),!e)return h`<span class="quiet">${t(`twitch.no_message`)}</span>`;let a=Math.max(0,r-Date.parse(e)),o=new Intl.RelativeTimeFormat(t.lang,{style:`narrow`}).format(-Math.floor(a/1e3),`second`),s=a>M;return h`<span class=${s?`bad`:`quiet`}>
    ${t(`twitch.last_message`,{ago:a<2*M?o:t.ago(e,r)})}</span>
    ${s&&h`<span class="unseen" role="alert">${t(`twitch.silent`)}</span>`}`}function F(){let{say:e}=n(),{value:t}=N();return!t||t.transport!==`websocket`?null:h`<p class="twitch-line">
    ${t.state===`connected`?h`<${P} at=${t.last_message_at} />`:h`<a class=${t.state===`reauthorize`?`bad`:``} href="#/settings">
          ${e(t.state===`none`?`begin.twitch`:`twitch.state.${t.state}`)}</a>`}
  </p>`}function I({isShort:t=!1,onKnown:r}){let{say:i}=n(),{value:a,error:o,reload:u}=N(),d=!!(a??o);l(()=>d?r?.():void 0,[d]);let f=e(!1),p=D(f.current&&a?.state===`connected`);if(!a)return o?h`<${s} error=${o} onRetry=${u} />`:h`<${c} rows=${2} />`;let{transport:m,state:g}=a;f.current||=j.includes(g);let _=g===`connected`||g===`reauthorize`;return h`<div class="twitch">
    <${s} error=${o} onRetry=${u} />
    ${!(t&&g===`none`)&&h`<p class=${`twitch-state ${g}`} role="status">${L(a,i)}</p>`}
    ${a.error&&h`<p class="error" role="alert">${S(a.error,i)}</p>`}
    ${m===`webhook`?h`<p class="quiet">${i(`twitch.webhook.${g}`)} <${E} section="connect-a-deployed-service" /></p>`:h`${f.current&&!(t&&g===`pending`)&&h`<${A} state=${g} firstEvent=${p} />`}
        ${(g===`none`||g===`reauthorize`)&&h`<${O} connection=${a} reload=${u} />`}
        ${g===`pending`&&h`<${k} connection=${a}><${R} state=${g} reload=${u} /><//>`}
        ${g===`connected`&&h`<p><${P} at=${a.last_message_at} /></p>`}`}
    ${!t&&h`<${z} connection=${a} />`}
    ${m===`websocket`&&(g===`connecting`||_&&!t)&&h`<p><${R} state=${g} reload=${u} /></p>`}
  </div>`}function L({transport:e,state:t,channel:n},r){return t!==`connected`||!n?r(`twitch.state.${t}`):r(`twitch.state.${e===`webhook`?`webhook`:`connected_to`}`,{name:n.name??n.platform_id})}function R({state:e,reload:t}){let{client:i,say:o}=n(),[c,l]=u(null),d=()=>i.delete(`/connections/twitch`).then(()=>(l(null),t()),l);return h`${e===`pending`?h`<${r} class="quiet" onClick=${d}>${o(`twitch.cancel`)}<//>`:h`<${a} className="" label=${o(`twitch.disconnect`)} question=${o(`twitch.disconnect_sure`)}
      note=${o(`twitch.disconnect_note`)}
        act=${d} />`}
    <${s} error=${c} />`}function z({connection:e}){let{say:t}=n(),{subscriptions:r,missing_scopes:a,gaps:s,connected_at:c}=e,l=e=>h`<ul>${e.map(e=>h`<li key=${e.from}>${o(e,t,!0)}</li>`)}</ul>`;return h`${e.state===`connected`&&h`<p class="quiet">
    ${t(`twitch.subscriptions`,{many:r.enabled})}
    ${c&&` · ${t(`twitch.since`,{time:t.time(c)})}`}</p>`}
    ${a.length>0&&h`<div class="notice"><h3>${t(`twitch.scopes`,{many:a.length})}</h3>
      <p>${t(`twitch.scopes_how`)}</p>
      <p>${a.map((e,t)=>h`${t>0&&`, `}<code>${e}</code>`)}</p></div>`}
    ${r.failed.length>0&&h`<div class="notice"><h3>${t(`twitch.failed`,{many:r.failed.length})}</h3>
      <p>${t(`twitch.failed_how`)}</p>
      <${i} label=${t(`twitch.failed`,{many:r.failed.length})}
        columns=${[t(`twitch.type`),t(`twitch.reason`)]}>
        ${r.failed.map(({type:e,reason:n})=>h`<tr key=${e}><td><code>${e}</code></td><td>${S(n,t)}</td></tr>`)}
      <//></div>`}
    ${s.length>0&&h`<h3>${t(`gaps.title`)}</h3>
      <p class="quiet">${t(`gaps.why`)}</p>
      ${l(s.slice(0,5))}
      ${s.length>5&&h`<details><summary>${t(`gaps.more`,{many:s.length-5})}</summary>
        ${l(s.slice(5))}</details>`}`}`}export{F as n,I as t};