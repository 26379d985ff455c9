
import{B as e,C as t,D as n,G as r,N as i,P as a,R as o,U as s,c,g as l,h as u,n as d,r as f,v as p,y as m,z as h}from"./common.js";import{E as g}from"./first.js";function _(e){let t=``;for(let n=0;n<e.size;n+=1)for(let r=0;r<e.size;r+=1)e.get(r,n)&&(t+=`M${r} ${n}h1v1h-1z`);return t}function v({text:t,label:n}){let[i,a]=h(null);if(e(()=>{let e=!1;return import(`./lean-qr.js`).then(({generate:n})=>e||a(n(t)),()=>{}),()=>{e=!0}},[t]),!i)return null;let o=i.size+8;return r`<svg class="qr" role="img" aria-label=${n} viewBox=${`-4 -4 ${o} ${o}`}
    shape-rendering="crispEdges">
    <rect x=${-4} y=${-4} width=${o} height=${o} fill="#fff" /><path d=${_(i)} fill="#000" />
  </svg>`}const y=`http://localhost`;function b({children:e}){let{say:t}=o(),n=(e,n)=>r`<div><dt>${t(`register.${e}`)}</dt><dd>${n}</dd></div>`;return r`<ol class="register">
    <li>
      <p>
        <a href=${`https://dev.twitch.tv/console/apps/create`} target="_blank" rel="noopener noreferrer">${t(`register.open`)} ↗</a>
        ${` `}${t(`register.with`)}
      </p>
      <dl>
        ${n(`name`,r`<span class="quiet">${t(`register.any_name`)}</span>`)}
        ${n(`redirect`,r`<code>${y}</code>
          <${f} text=${y} description=${t(`register.copy`,{what:y})} />`)}
        ${n(`category`,r`<strong>Application Integration</strong>`)}
        ${n(`type`,r`<strong>${t(`register.public`)}</strong>`)}
      </dl>
    </li>
    <li><p>${t(`register.find`)}</p>${e}</li>
  </ol>`}const x=[[/data folder/,`disk`],[/client secret/,`secret`],[/lacks a scope/,`forbidden`],[/refused at Twitch/,`refused`],[/code expired|code has expired/,`expired`],[/another account|the channel is/,`account`],[/Log in again|did not confirm/,`login`],[/login has ended/,`ended`],[/refuses the token|renewal of the token/,`token`],[/Trying again/,`retry`],[/Update the service/,`update`],[/removed the account/,`removed`],[/Restart the service/,`restart`],[/as fast as/,`slow`],[/closed|broke|welcome|in time|for too long/,`broken`],[/reach|respond|answered|unexpected|socket/,`away`]];function S(e,t){let n=x.find(([t])=>t.test(e));return n?t(`twitch.cause.${n[1]}`):e}function C(e,t){return e.errors?.some(({pointer:e})=>e===`/client_id`)?Object.assign(Error(t(`twitch.client_id_wrong`)),{how:t(`twitch.client_id_fix`)}):e}const w=`${g}/docs/guides/?guide=twitch`,T=[`pending`,`connecting`,`connected`];function E({section:e}){let{say:t}=o();return r`<a href=${`${w}#${e}`} target="_blank" rel="noopener">${t(`twitch.guide`)} ↗</a>`}function D(t){let{subscribe:n}=o(),[r,i]=h(null);return e(()=>{if(t&&!r)return n(({type:e,data:t})=>e===`event.created`&&t?.source?.startsWith(`twitch/`)&&i(t))},[t,r]),r}function O({connection:e,reload:t}){let{client:a,say:s}=o(),{client_id:c,state:l}=e,[u,f]=h(null),[p,g]=h(!1),[_,v]=h(``),y=d(),x=e=>{e.preventDefault(),e.currentTarget.focus(),f(null),v(s(e.currentTarget.value.trim()?`twitch.client_id_form`:`twitch.client_id_missing`))},S=async e=>{e.preventDefault();let n=e.currentTarget,r=String(new FormData(n).get(`client_id`)??``).trim();g(!0);try{await a.post(`/connections/twitch`,r?{client_id:r}:{}),f(null)}catch(e){f(C(e,s)),n.elements.client_id.focus()}g(!1),t()},w=r`<${m} label=${s(`twitch.client_id`)} name="client_id" maxlength="1024" autocomplete="off"
    pattern=${`\\s*[A-Za-z0-9]{30,31}\\s*`} title=${s(`twitch.client_id_form`)}
    spellcheck=${!1} required=${!c} placeholder=${c??``}
    reason=${_} onInvalid=${x} onInput=${()=>v(``)}
    aria-invalid=${_||u?.how?`true`:void 0} aria-describedby="login-error" />`,T=r`<p class="quiet">${s(`twitch.client_id_how`)} <${E} section="connect-on-your-machine" /></p>`;return r`<form onSubmit=${S} ref=${y} tabindex="-1">
    ${c?r`<details><summary>${s(`twitch.other_client_id`)}</summary>${w}${T}</details>`:r`${T}<${b}>${w}<//>`}
    <p><${n} class="main" disabled=${p}>
      ${s(l===`reauthorize`?`twitch.again`:`twitch.connect`)}<//></p>
    <div id="login-error"><${i} error=${u} /></div>
  </form>`}function k({connection:e,children:t}){let{say:n,replaceToken:i}=o(),a=d(),{user_code:s,verification_uri:c,expires_at:l}=e;if(!s){let e=Object.assign(Error(n(`twitch.no_code`)),{status:403});return r`<p>${n(`twitch.no_code`)}</p>
      <p><button onClick=${()=>i(e)}>${n(`token.other`)}</button></p>${t}`}let u=Math.max(1,Math.ceil((Date.parse(l)-Date.now())/6e4));return r`<div class="consent">
    <div>
      <p>${n(`twitch.code_how`)}</p>
      <p>
        <a class="button main" ref=${a} href=${c} target="_blank" rel="noopener noreferrer">
          ${n(`twitch.open`)} ↗</a>
      </p>
      <p class="bar"><code class="code" aria-label=${n(`twitch.code`)}>${s}</code> <${f} text=${s} /></p>
      <p class="quiet">${l&&n(`twitch.code_for`,{many:u})} ${t}</p>
    </div>
    <figure>
      <${v} text=${c} label=${n(`twitch.qr`)} />
      <figcaption class="quiet">${n(`twitch.scan`)}</figcaption>
    </figure>
  </div>`}function A({state:e,firstEvent:t}){let{say:n}=o(),i=t?T.length:T.indexOf(e);return i<0?null:r`<ol class="login-steps">
      ${T.map((e,t)=>r`<li key=${e} class=${t<i?`done`:``}
        aria-current=${t===i?`step`:void 0}>
        ${n(`twitch.step.${e}`)}${t<i&&r`<span class="unseen"> ${n(`twitch.step.done`)}</span>`}</li>`)}
    </ol>
    <div role="status">
      ${e===`connected`&&!t&&r`<p class="quiet">${n(`twitch.waiting`)}</p>`}
      ${t&&r`<h3>${n(`twitch.first_event`)}</h3>
        <div role="list"><${c} event=${t} isNew=${!0} /></div>`}
    </div>`}const j=[`pending`,`connecting`],M=6e4;function N(){let{client:e}=o();return l(()=>e.get(`/connections/twitch`),`twitch connection`,({state:e})=>j.includes(e)?2e3:1e4)}function P({at:t}){let{say:n}=o(),[i,a]=h(Date.now());if(e(()=>{let e=setInterval(()=>a(Date.now()),1e3);return()=>clearInterval(e)},[]),!t)return r`<span class="quiet">${n(`twitch.no_message`)}</span>`;let s=Math.max(0,i-Date.parse(t)),c=new Intl.RelativeTimeFormat(n.lang,{style:`narrow`}).format(-Math.floor(s/1e3),`second`),l=s>M;return r`<span class=${l?`bad`:`quiet`}>
    ${n(`twitch.last_message`,{ago:s<2*M?c:n.ago(t,i)})}</span>
    ${l&&r`<span class="unseen" role="alert">${n(`twitch.silent`)}</span>`}`}function F(){let{say:e}=o(),{value:t}=N();return!t||t.transport!==`websocket`?null:r`<p class="twitch-line">
    ${t.state===`connected`?r`<${P} at=${t.last_message_at} />`:r`<a class=${t.state===`reauthorize`?`bad`:``} href="#/settings">
          ${e(t.state===`none`?`begin.twitch`:`twitch.state.${t.state}`)}</a>`}
  </p>`}function I({isShort:t=!1,onKnown:n}){let{say:c}=o(),{value:l,error:u,reload:d}=N(),f=!!(l??u);e(()=>f?n?.():void 0,[f]);let p=s(!1),m=D(p.current&&l?.state===`connected`);if(!l)return u?r`<${i} error=${u} onRetry=${d} />`:r`<${a} rows=${2} />`;let{transport:h,state:g}=l;p.current||=j.includes(g);let _=g===`connected`||g===`reauthorize`;return r`<div class="twitch">
    <${i} error=${u} onRetry=${d} />
    ${!(t&&g===`none`)&&r`<p class=${`twitch-state ${g}`} role="status">${L(l,c)}</p>`}
    ${l.error&&r`<p class="error" role="alert">${S(l.error,c)}</p>`}
    ${h===`webhook`?r`<p class="quiet">${c(`twitch.webhook.${g}`)} <${E} section="connect-a-deployed-service" /></p>`:r`${p.current&&!(t&&g===`pending`)&&r`<${A} state=${g} firstEvent=${m} />`}
        ${(g===`none`||g===`reauthorize`)&&r`<${O} connection=${l} reload=${d} />`}
        ${g===`pending`&&r`<${k} connection=${l}><${R} state=${g} reload=${d} /><//>`}
        ${g===`connected`&&r`<p><${P} at=${l.last_message_at} /></p>`}`}
    ${!t&&r`<${z} connection=${l} />`}
    ${h===`websocket`&&(g===`connecting`||_&&!t)&&r`<p><${R} state=${g} reload=${d} /></p>`}
  </div>`}function L({transport:e,state:t,channel:n},r){return t!==`connected`||!n?r(`twitch.state.${t}`):r(`twitch.state.${e===`webhook`?`webhook`:`connected_to`}`,{name:n.name??n.platform_id})}function R({state:e,reload:t}){let{client:a,say:s}=o(),[c,l]=h(null),u=()=>a.delete(`/connections/twitch`).then(()=>(l(null),t()),l);return r`${e===`pending`?r`<${n} class="quiet" onClick=${u}>${s(`twitch.cancel`)}<//>`:r`<${p} className="" label=${s(`twitch.disconnect`)} question=${s(`twitch.disconnect_sure`)}
      note=${s(`twitch.disconnect_note`)}
        act=${u} />`}
    <${i} error=${c} />`}function z({connection:e}){let{say:n}=o(),{subscriptions:i,missing_scopes:a,gaps:s,connected_at:c}=e,l=e=>r`<ul>${e.map(e=>r`<li key=${e.from}>${u(e,n,!0)}</li>`)}</ul>`;return r`${e.state===`connected`&&r`<p class="quiet">
    ${n(`twitch.subscriptions`,{many:i.enabled})}
    ${c&&` · ${n(`twitch.since`,{time:n.time(c)})}`}</p>`}
    ${a.length>0&&r`<div class="notice"><h3>${n(`twitch.scopes`,{many:a.length})}</h3>
      <p>${n(`twitch.scopes_how`)}</p>
      <p>${a.map((e,t)=>r`${t>0&&`, `}<code>${e}</code>`)}</p></div>`}
    ${i.failed.length>0&&r`<div class="notice"><h3>${n(`twitch.failed`,{many:i.failed.length})}</h3>
      <p>${n(`twitch.failed_how`)}</p>
      <${t} label=${n(`twitch.failed`,{many:i.failed.length})}
        columns=${[n(`twitch.type`),n(`twitch.reason`)]}>
        ${i.failed.map(({type:e,reason:t})=>r`<tr key=${e}><td><code>${e}</code></td><td>${S(t,n)}</td></tr>`)}
      <//></div>`}
    ${s.length>0&&r`<h3>${n(`gaps.title`)}</h3>
      <p class="quiet">${n(`gaps.why`)}</p>
      ${l(s.slice(0,5))}
      ${s.length>5&&r`<details><summary>${n(`gaps.more`,{many:s.length-5})}</summary>
        ${l(s.slice(5))}</details>`}`}`}export{F as n,I as t};