
import{c as e,l as t,n,p as r,s as i,y as a}from"./forms.js";import{A as o,O as s,S as c,T as l,g as u,h as d,l as f,t as p,w as m}from"./common.js";import{O as h}from"./first.js";import{t as g}from"./rows.js";function _(e){let t=``;for(let n=0;n<e.size;n+=1)for(let r=0;r<e.size;r+=1)e.get(r,n)&&(t+=`M${r} ${n}h1v1h-1z`);return t}function v({text:e,label:t}){let[n,r]=m(null);if(l(()=>{let t=!1;return import(`./lean-qr.js`).then(({generate:n})=>t||r(n(e)),()=>{}),()=>{t=!0}},[e]),!n)return null;let i=n.size+8;return o`<svg class="qr" role="img" aria-label=${t} viewBox=${`-4 -4 ${i} ${i}`}
    shape-rendering="crispEdges">
    <rect x=${-4} y=${-4} width=${i} height=${i} fill="#fff" /><path d=${_(n)} fill="#000" />
  </svg>`}const y=`http://localhost`;function b({children:e}){let{say:t}=c(),r=(e,n)=>o`<div><dt>${t(`register.${e}`)}</dt><dd>${n}</dd></div>`;return o`<ol class="register">
    <li>
      <p>
        <a href=${`https://dev.twitch.tv/console/apps/create`} target="_blank" rel="noopener noreferrer">${t(`register.open`)} ↗</a>
        ${` `}${t(`register.with`)}
      </p>
      <dl>
        ${r(`name`,o`<span class="quiet">${t(`register.any_name`)}</span>`)}
        ${r(`redirect`,o`<code>${y}</code>
          <${n} text=${y} description=${t(`register.copy`,{what:y})} />`)}
        ${r(`category`,o`<strong>Application Integration</strong>`)}
        ${r(`type`,o`<strong>${t(`register.public`)}</strong>`)}
      </dl>
    </li>
    <li><p>${t(`register.find`)}</p>${e}</li>
  </ol>`}const x=[[/data folder/,`disk`],[/client secret/,`secret`],[/lacks a scope/,`forbidden`],[/refused at Twitch/,`refused`],[/code expired|code has expired/,`expired`],[/another account|the channel is/,`account`],[/Log in again|did not confirm/,`login`],[/login has ended/,`ended`],[/refuses the token|renewal of the token/,`token`],[/Trying again/,`retry`],[/Update the service/,`update`],[/removed the account/,`removed`],[/Restart the service/,`restart`],[/as fast as/,`slow`],[/closed|broke|welcome|in time|for too long/,`broken`],[/reach|respond|answered|unexpected|socket/,`away`]];function S(e,t){let n=x.find(([t])=>t.test(e));return n?t(`twitch.cause.${n[1]}`):e}function C(e,t){return e.errors?.some(({pointer:e})=>e===`/client_id`)?Object.assign(Error(t(`twitch.client_id_wrong`)),{how:t(`twitch.client_id_fix`)}):e}const w=`${h}/docs/guides/?guide=twitch`,T=[`pending`,`connecting`,`connected`];function E({section:e}){let{say:t}=c();return o`<a href=${`${w}#${e}`} target="_blank" rel="noopener">${t(`twitch.guide`)} ↗</a>`}function D(e){let{subscribe:t}=c(),[n,r]=m(null);return l(()=>{if(e&&!n)return t(({type:e,data:t})=>e===`event.created`&&t?.source?.startsWith(`twitch/`)&&r(t))},[e,n]),n}function O({connection:e,reload:n}){let{client:r,say:i}=c(),{client_id:s,state:l}=e,[u,p]=m(null),[h,g]=m(!1),[_,v]=m(``),y=a(),x=e=>{e.preventDefault(),e.currentTarget.focus(),p(null),v(i(e.currentTarget.value.trim()?`twitch.client_id_form`:`twitch.client_id_missing`))},S=async e=>{e.preventDefault();let t=e.currentTarget,a=String(new FormData(t).get(`client_id`)??``).trim();g(!0);try{await r.post(`/connections/twitch`,a?{client_id:a}:{}),p(null)}catch(e){p(C(e,i)),t.elements.client_id.focus()}g(!1),n()},w=o`<${t} label=${i(`twitch.client_id`)} name="client_id" maxlength="1024" autocomplete="off"
    pattern=${`\\s*[A-Za-z0-9]{30,31}\\s*`} title=${i(`twitch.client_id_form`)}
    spellcheck=${!1} required=${!s} placeholder=${s??``}
    reason=${_} onInvalid=${x} onInput=${()=>v(``)}
    aria-invalid=${_||u?.how?`true`:void 0} aria-describedby="login-error" />`,T=o`<p class="quiet">${i(`twitch.client_id_how`)} <${E} section="connect-on-your-machine" /></p>`;return o`<form onSubmit=${S} ref=${y} tabindex="-1">
    ${s?o`<details><summary>${i(`twitch.other_client_id`)}</summary>${w}${T}</details>`:o`${T}<${b}>${w}<//>`}
    <p><${f} class="main" busy=${h}>
      ${i(l===`reauthorize`?`twitch.again`:`twitch.connect`)}<//></p>
    <div id="login-error"><${d} error=${u} /></div>
  </form>`}function k({connection:e,children:t}){let{say:r,replaceToken:i}=c(),s=a(),{user_code:l,verification_uri:u,expires_at:d}=e;if(!l){let e=Object.assign(Error(r(`twitch.no_code`)),{status:403});return o`<p>${r(`twitch.no_code`)}</p>
      <p><button onClick=${()=>i(e)}>${r(`token.other`)}</button></p>${t}`}let f=Math.max(1,Math.ceil((Date.parse(d)-Date.now())/6e4));return o`<div class="consent">
    <div>
      <p>${r(`twitch.code_how`)}</p>
      <p>
        <a class="button main" ref=${s} href=${u} target="_blank" rel="noopener noreferrer">
          ${r(`twitch.open`)} ↗</a>
      </p>
      <p class="bar"><code class="code" aria-label=${r(`twitch.code`)}>${l}</code> <${n} text=${l} /></p>
      <p class="quiet">${d&&r(`twitch.code_for`,{many:f})} ${t}</p>
    </div>
    <figure>
      <${v} text=${u} label=${r(`twitch.qr`)} />
      <figcaption class="quiet">${r(`twitch.scan`)}</figcaption>
    </figure>
  </div>`}function A({state:e,firstEvent:t}){let{say:n}=c(),r=t?T.length:T.indexOf(e);return r<0?null:o`<ol class="login-steps">
      ${T.map((e,t)=>o`<li key=${e} class=${t<r?`done`:``}
        aria-current=${t===r?`step`:void 0}>
        ${n(`twitch.step.${e}`)}${t<r&&o`<span class="unseen"> ${n(`twitch.step.done`)}</span>`}</li>`)}
    </ol>
    <div role="status">
      ${e===`connected`&&!t&&o`<p class="quiet">${n(`twitch.waiting`)}</p>`}
      ${t&&o`<h3>${n(`twitch.first_event`)}</h3>
        <div role="list"><${g} event=${t} isNew=${!0} /></div>`}
    </div>`}const j=[`pending`,`connecting`],M=6e4;function N(){let{client:e}=c();return p(()=>e.get(`/connections/twitch`),`twitch connection`,({state:e})=>j.includes(e)?2e3:1e4)}function P({at:e}){let{say:t}=c(),[n,r]=m(Date.now());if(l(()=>{let e=setInterval(()=>r(Date.now()),1e3);return()=>clearInterval(e)},[]),!e)return o`<span class="quiet">${t(`twitch.no_message`)}</span>`;let i=Math.max(0,n-Date.parse(e)),a=new Intl.RelativeTimeFormat(t.lang,{style:`narrow`}).format(-Math.floor(i/1e3),`second`),s=i>M;return o`<span class=${s?`bad`:`quiet`}>
    ${t(`twitch.last_message`,{ago:i<2*M?a:t.ago(e,n)})}</span>
    ${s&&o`<span class="unseen" role="alert">${t(`twitch.silent`)}</span>`}`}function F({connection:e}){let{say:t}=c(),{state:n,last_message_at:r}=e;return o`<p class="twitch-line">
    ${n===`connected`?o`<${P} at=${r} />`:o`<a class=${n===`reauthorize`?`bad`:``} href="#/settings?tab=twitch">
          ${t(`twitch.state.${n}`)}</a>`}
  </p>`}function I({isShort:e=!1}){let{say:t}=c(),{value:n,error:r,reload:i}=N(),a=s(!1),l=D(a.current&&n?.state===`connected`);if(!n)return r?o`<${d} error=${r} onRetry=${i} />`:o`<${u} rows=${2} />`;let{transport:f,state:p}=n;a.current||=j.includes(p);let m=p===`connected`||p===`reauthorize`;return o`<div class="twitch">
    <${d} error=${r} onRetry=${i} />
    ${!(e&&p===`none`)&&o`<p class=${`twitch-state ${p}`} role="status">${L(n,t)}</p>`}
    ${n.error&&o`<p class="error" role="alert">${S(n.error,t)}</p>`}
    ${f===`webhook`?o`<p class="quiet">${t(`twitch.webhook.${p}`)} <${E} section="connect-a-deployed-service" /></p>`:o`${a.current&&!(e&&p===`pending`)&&o`<${A} state=${p} firstEvent=${l} />`}
        ${(p===`none`||p===`reauthorize`)&&o`<${O} connection=${n} reload=${i} />`}
        ${p===`pending`&&o`<${k} connection=${n}><${R} state=${p} reload=${i} /><//>`}
        ${p===`connected`&&o`<p><${P} at=${n.last_message_at} /></p>`}`}
    ${!e&&o`<${z} connection=${n} />`}
    ${f===`websocket`&&(p===`connecting`||m&&!e)&&o`<p><${R} state=${p} reload=${i} /></p>`}
  </div>`}function L({transport:e,state:t,channel:n},r){return t!==`connected`||!n?r(`twitch.state.${t}`):r(`twitch.state.${e===`webhook`?`webhook`:`connected_to`}`,{name:n.name??n.platform_id})}function R({state:t,reload:n}){let{client:r,say:i}=c(),[a,s]=m(null),l=()=>r.delete(`/connections/twitch`).then(()=>(s(null),n()),s);return o`${t===`pending`?o`<${f} class="quiet" onClick=${l}>${i(`twitch.cancel`)}<//>`:o`<${e} className="" label=${i(`twitch.disconnect`)} question=${i(`twitch.disconnect_sure`)}
      note=${i(`twitch.disconnect_note`)}
        act=${l} />`}
    <${d} error=${a} />`}function z({connection:e}){let{say:t}=c(),{subscriptions:n,missing_scopes:a,gaps:s,connected_at:l}=e,u=e=>o`<ul>${e.map(e=>o`<li key=${e.from}>${i(e,t,!0)}</li>`)}</ul>`;return o`${e.state===`connected`&&o`<p class="quiet">
    ${t(`twitch.subscriptions`,{many:n.enabled})}
    ${l&&` · ${t(`twitch.since`,{time:t.time(l)})}`}</p>`}
    ${a.length>0&&o`<div class="notice"><h3>${t(`twitch.scopes`,{many:a.length})}</h3>
      <p>${t(`twitch.scopes_how`)}</p>
      <p>${a.map((e,t)=>o`${t>0&&`, `}<code>${e}</code>`)}</p></div>`}
    ${n.failed.length>0&&o`<div class="notice"><h3>${t(`twitch.failed`,{many:n.failed.length})}</h3>
      <p>${t(`twitch.failed_how`)}</p>
      <${r} label=${t(`twitch.failed`,{many:n.failed.length})}
        columns=${[t(`twitch.type`),t(`twitch.reason`)]}>
        ${n.failed.map(({type:e,reason:n})=>o`<tr key=${e}><td><code>${e}</code></td><td>${S(n,t)}</td></tr>`)}
      <//></div>`}
    ${s.length>0&&o`<h3>${t(`gaps.title`)}</h3>
      <p class="quiet">${t(`gaps.why`)}</p>
      ${u(s.slice(0,5))}
      ${s.length>5&&o`<details><summary>${t(`count_more`,{many:s.length-5})}</summary>
        ${u(s.slice(5))}</details>`}`}`}export{F as n,N as r,I as t};