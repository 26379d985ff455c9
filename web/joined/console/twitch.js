
import{C as e,D as t,H as n,L as r,R as i,S as a,U as o,W as s,Y as c,c as l,g as u,h as d,j as f,n as p,q as m,r as h}from"./common.js";import{D as g}from"./first.js";function _(e){let t=``;for(let n=0;n<e.size;n+=1)for(let r=0;r<e.size;r+=1)e.get(r,n)&&(t+=`M${r} ${n}h1v1h-1z`);return t}function v({text:e,label:t}){let[n,r]=o(null);if(s(()=>{let t=!1;return import(`./lean-qr.js`).then(({generate:n})=>t||r(n(e)),()=>{}),()=>{t=!0}},[e]),!n)return null;let i=n.size+8;return c`<svg class="qr" role="img" aria-label=${t} viewBox=${`-4 -4 ${i} ${i}`}
    shape-rendering="crispEdges">
    <rect x=${-4} y=${-4} width=${i} height=${i} fill="#fff" /><path d=${_(n)} fill="#000" />
  </svg>`}const y=`http://localhost`;function b({children:e}){let{say:t}=n(),r=(e,n)=>c`<div><dt>${t(`register.${e}`)}</dt><dd>${n}</dd></div>`;return c`<ol class="register">
    <li>
      <p>
        <a href=${`https://dev.twitch.tv/console/apps/create`} target="_blank" rel="noopener noreferrer">${t(`register.open`)} ↗</a>
        ${` `}${t(`register.with`)}
      </p>
      <dl>
        ${r(`name`,c`<span class="quiet">${t(`register.any_name`)}</span>`)}
        ${r(`redirect`,c`<code>${y}</code>
          <${h} text=${y} description=${t(`register.copy`,{what:y})} />`)}
        ${r(`category`,c`<strong>Application Integration</strong>`)}
        ${r(`type`,c`<strong>${t(`register.public`)}</strong>`)}
      </dl>
    </li>
    <li><p>${t(`register.find`)}</p>${e}</li>
  </ol>`}const x=[[/data folder/,`disk`],[/client secret/,`secret`],[/lacks a scope/,`forbidden`],[/refused at Twitch/,`refused`],[/code expired|code has expired/,`expired`],[/another account|the channel is/,`account`],[/Log in again|did not confirm/,`login`],[/login has ended/,`ended`],[/refuses the token|renewal of the token/,`token`],[/Trying again/,`retry`],[/Update the service/,`update`],[/removed the account/,`removed`],[/Restart the service/,`restart`],[/as fast as/,`slow`],[/closed|broke|welcome|in time|for too long/,`broken`],[/reach|respond|answered|unexpected|socket/,`away`]];function S(e,t){let n=x.find(([t])=>t.test(e));return n?t(`twitch.cause.${n[1]}`):e}function C(e,t){return e.errors?.some(({pointer:e})=>e===`/client_id`)?Object.assign(Error(t(`twitch.client_id_wrong`)),{how:t(`twitch.client_id_fix`)}):e}const w=`${g}/docs/guides/?guide=twitch`,T=[`pending`,`connecting`,`connected`];function E({section:e}){let{say:t}=n();return c`<a href=${`${w}#${e}`} target="_blank" rel="noopener">${t(`twitch.guide`)} ↗</a>`}function D(e){let{subscribe:t}=n(),[r,i]=o(null);return s(()=>{if(e&&!r)return t(({type:e,data:t})=>e===`event.created`&&t?.source?.startsWith(`twitch/`)&&i(t))},[e,r]),r}function O({connection:t,reload:i}){let{client:a,say:s}=n(),{client_id:l,state:u}=t,[d,m]=o(null),[h,g]=o(!1),[_,v]=o(``),y=p(),x=e=>{e.preventDefault(),e.currentTarget.focus(),m(null),v(s(e.currentTarget.value.trim()?`twitch.client_id_form`:`twitch.client_id_missing`))},S=async e=>{e.preventDefault();let t=e.currentTarget,n=String(new FormData(t).get(`client_id`)??``).trim();g(!0);try{await a.post(`/connections/twitch`,n?{client_id:n}:{}),m(null)}catch(e){m(C(e,s)),t.elements.client_id.focus()}g(!1),i()},w=c`<${e} label=${s(`twitch.client_id`)} name="client_id" maxlength="1024" autocomplete="off"
    pattern=${`\\s*[A-Za-z0-9]{30,31}\\s*`} title=${s(`twitch.client_id_form`)}
    spellcheck=${!1} required=${!l} placeholder=${l??``}
    reason=${_} onInvalid=${x} onInput=${()=>v(``)}
    aria-invalid=${_||d?.how?`true`:void 0} aria-describedby="login-error" />`,T=c`<p class="quiet">${s(`twitch.client_id_how`)} <${E} section="connect-on-your-machine" /></p>`;return c`<form onSubmit=${S} ref=${y} tabindex="-1">
    ${l?c`<details><summary>${s(`twitch.other_client_id`)}</summary>${w}${T}</details>`:c`${T}<${b}>${w}<//>`}
    <p><${f} class="main" disabled=${h}>
      ${s(u===`reauthorize`?`twitch.again`:`twitch.connect`)}<//></p>
    <div id="login-error"><${r} error=${d} /></div>
  </form>`}function k({connection:e,children:t}){let{say:r,replaceToken:i}=n(),a=p(),{user_code:o,verification_uri:s,expires_at:l}=e;if(!o){let e=Object.assign(Error(r(`twitch.no_code`)),{status:403});return c`<p>${r(`twitch.no_code`)}</p>
      <p><button onClick=${()=>i(e)}>${r(`token.other`)}</button></p>${t}`}let u=Math.max(1,Math.ceil((Date.parse(l)-Date.now())/6e4));return c`<div class="consent">
    <div>
      <p>${r(`twitch.code_how`)}</p>
      <p>
        <a class="button main" ref=${a} href=${s} target="_blank" rel="noopener noreferrer">
          ${r(`twitch.open`)} ↗</a>
      </p>
      <p class="bar"><code class="code" aria-label=${r(`twitch.code`)}>${o}</code> <${h} text=${o} /></p>
      <p class="quiet">${l&&r(`twitch.code_for`,{many:u})} ${t}</p>
    </div>
    <figure>
      <${v} text=${s} label=${r(`twitch.qr`)} />
      <figcaption class="quiet">${r(`twitch.scan`)}</figcaption>
    </figure>
  </div>`}function A({state:e,firstEvent:t}){let{say:r}=n(),i=t?T.length:T.indexOf(e);return i<0?null:c`<ol class="login-steps">
      ${T.map((e,t)=>c`<li key=${e} class=${t<i?`done`:``}
        aria-current=${t===i?`step`:void 0}>
        ${r(`twitch.step.${e}`)}${t<i&&c`<span class="unseen"> ${r(`twitch.step.done`)}</span>`}</li>`)}
    </ol>
    <div role="status">
      ${e===`connected`&&!t&&c`<p class="quiet">${r(`twitch.waiting`)}</p>`}
      ${t&&c`<h3>${r(`twitch.first_event`)}</h3>
        <div role="list"><${l} event=${t} isNew=${!0} /></div>`}
    </div>`}const j=[`pending`,`connecting`],M=6e4;function N(){let{client:e}=n();return u(()=>e.get(`/connections/twitch`),`twitch connection`,({state:e})=>j.includes(e)?2e3:1e4)}function P({at:e}){let{say:t}=n(),[r,i]=o(Date.now());if(s(()=>{let e=setInterval(()=>i(Date.now()),1e3);return()=>clearInterval(e)},[]),!e)return c`<span class="quiet">${t(`twitch.no_message`)}</span>`;let a=Math.max(0,r-Date.parse(e)),l=new Intl.RelativeTimeFormat(t.lang,{style:`narrow`}).format(-Math.floor(a/1e3),`second`),u=a>M;return c`<span class=${u?`bad`:`quiet`}>
    ${t(`twitch.last_message`,{ago:a<2*M?l:t.ago(e,r)})}</span>
    ${u&&c`<span class="unseen" role="alert">${t(`twitch.silent`)}</span>`}`}function F(){let{say:e}=n(),{value:t}=N();return!t||t.transport!==`websocket`?null:c`<p class="twitch-line">
    ${t.state===`connected`?c`<${P} at=${t.last_message_at} />`:c`<a class=${t.state===`reauthorize`?`bad`:``} href="#/settings">
          ${e(t.state===`none`?`begin.twitch`:`twitch.state.${t.state}`)}</a>`}
  </p>`}function I({isShort:e=!1,onKnown:t}){let{say:a}=n(),{value:o,error:l,reload:u}=N(),d=!!(o??l);s(()=>d?t?.():void 0,[d]);let f=m(!1),p=D(f.current&&o?.state===`connected`);if(!o)return l?c`<${r} error=${l} onRetry=${u} />`:c`<${i} rows=${2} />`;let{transport:h,state:g}=o;f.current||=j.includes(g);let _=g===`connected`||g===`reauthorize`;return c`<div class="twitch">
    <${r} error=${l} onRetry=${u} />
    ${!(e&&g===`none`)&&c`<p class=${`twitch-state ${g}`} role="status">${L(o,a)}</p>`}
    ${o.error&&c`<p class="error" role="alert">${S(o.error,a)}</p>`}
    ${h===`webhook`?c`<p class="quiet">${a(`twitch.webhook.${g}`)} <${E} section="connect-a-deployed-service" /></p>`:c`${f.current&&!(e&&g===`pending`)&&c`<${A} state=${g} firstEvent=${p} />`}
        ${(g===`none`||g===`reauthorize`)&&c`<${O} connection=${o} reload=${u} />`}
        ${g===`pending`&&c`<${k} connection=${o}><${R} state=${g} reload=${u} /><//>`}
        ${g===`connected`&&c`<p><${P} at=${o.last_message_at} /></p>`}`}
    ${!e&&c`<${z} connection=${o} />`}
    ${h===`websocket`&&(g===`connecting`||_&&!e)&&c`<p><${R} state=${g} reload=${u} /></p>`}
  </div>`}function L({transport:e,state:t,channel:n},r){return t!==`connected`||!n?r(`twitch.state.${t}`):r(`twitch.state.${e===`webhook`?`webhook`:`connected_to`}`,{name:n.name??n.platform_id})}function R({state:e,reload:t}){let{client:i,say:s}=n(),[l,u]=o(null),d=()=>i.delete(`/connections/twitch`).then(()=>(u(null),t()),u);return c`${e===`pending`?c`<${f} class="quiet" onClick=${d}>${s(`twitch.cancel`)}<//>`:c`<${a} className="" label=${s(`twitch.disconnect`)} question=${s(`twitch.disconnect_sure`)}
      note=${s(`twitch.disconnect_note`)}
        act=${d} />`}
    <${r} error=${l} />`}function z({connection:e}){let{say:r}=n(),{subscriptions:i,missing_scopes:a,gaps:o,connected_at:s}=e,l=e=>c`<ul>${e.map(e=>c`<li key=${e.from}>${d(e,r,!0)}</li>`)}</ul>`;return c`${e.state===`connected`&&c`<p class="quiet">
    ${r(`twitch.subscriptions`,{many:i.enabled})}
    ${s&&` · ${r(`twitch.since`,{time:r.time(s)})}`}</p>`}
    ${a.length>0&&c`<div class="notice"><h3>${r(`twitch.scopes`,{many:a.length})}</h3>
      <p>${r(`twitch.scopes_how`)}</p>
      <p>${a.map((e,t)=>c`${t>0&&`, `}<code>${e}</code>`)}</p></div>`}
    ${i.failed.length>0&&c`<div class="notice"><h3>${r(`twitch.failed`,{many:i.failed.length})}</h3>
      <p>${r(`twitch.failed_how`)}</p>
      <${t} label=${r(`twitch.failed`,{many:i.failed.length})}
        columns=${[r(`twitch.type`),r(`twitch.reason`)]}>
        ${i.failed.map(({type:e,reason:t})=>c`<tr key=${e}><td><code>${e}</code></td><td>${S(t,r)}</td></tr>`)}
      <//></div>`}
    ${o.length>0&&c`<h3>${r(`gaps.title`)}</h3>
      <p class="quiet">${r(`gaps.why`)}</p>
      ${l(o.slice(0,5))}
      ${o.length>5&&c`<details><summary>${r(`gaps.more`,{many:o.length-5})}</summary>
        ${l(o.slice(5))}</details>`}`}`}export{F as n,I as t};