
import{g as e}from"./first.js";import{A as t,D as n,E as r,H as i,J as a,N as o,O as s,U as c,Y as l,k as u,tt as d}from"./common.js";import{t as f}from"./sources.js";import{t as p}from"./stop-key.js";import{t as m}from"./twitch.js";import{n as h}from"./privacy.js";import{r as g,t as _}from"./privacy-words.js";function v(){let{client:e,say:r}=a(),o=n(`/opt-outs?limit=50`),[u,f]=l(``),[p,m]=l(null),v=()=>{m(null),o.reload()},y=async({platform_id:e})=>{let t=e.trim();if(!t)throw Error(r(`privacy.error.empty`));if(t.toLowerCase()===`anonymous`)throw Error(r(`privacy.error.reserved`));return f(t),``},b=t=>e.delete(`/opt-outs/${t}`).then(v,e=>m(g(e,r))),x={name:`platform_id`,label:r(`privacy.platform_id`),required:!0,inputmode:`numeric`,pattern:`\\s*[0-9]+\\s*`,title:r(`privacy.error.empty`),maxlength:1024},S=o.records.length===0&&!o.busy&&!o.error,C=e=>r(`privacy.since`,{id:String(e.opt_out_id),date:r.date(e.created_at)});return d`<section class="card" aria-label=${r(`privacy.title`)}>
    <h2>${r(`privacy.title`)}</h2>
    <p>${r(`privacy.list_how`)} <a href=${_}>${r(`privacy.guide`)}</a></p>
    ${S&&d`<p class="quiet">${r(`privacy.list_empty`)}</p>`}
    ${o.records.length>0&&d`<ul class="opt-outs" aria-label=${r(`privacy.list`)}>
      ${o.records.map(e=>d`<li key=${e.opt_out_id}>
        <span><strong dir="auto">${e.platform_id}</strong> <span class="quiet">${C(e)}</span></span>
        <${s} label=${r(`privacy.remove`)} description=${r(`privacy.remove_of`,{id:e.platform_id})}
          question=${r(`privacy.remove_sure`)} act=${()=>b(e.opt_out_id)} />
      </li>`)}
    </ul>
    <p class="quiet">${r(`privacy.remove_how`)}</p>`}
    <${i} list=${o} />
    <${t} submit=${r(`privacy.add`)} isMain=${!1} send=${y} fields=${[x]} />
    <p class="quiet">${r(`privacy.platform_id_how`)}</p>
    <${c} error=${p} />
    ${u&&d`<${h} platformId=${u} onClose=${()=>f(``)} onDone=${v} />`}
  </section>`}const y=3e4;function b(){let{say:t,theme:n,chooseTheme:r,setLang:i,signOut:o}=a(),[s,c]=l(!1),f=[``,`light`,`dark`].map(e=>({value:e,label:t(`theme.${e||`auto`}`)}));return d`<h1>${t(`nav.settings`)}</h1>
    <div class="column">
      <section class="card">
        <h2>${t(`settings.page`)}</h2>
        <div class="bar">
          <${u} label=${t(`settings.language`)} value=${t.lang}
            onChange=${e=>i(e.currentTarget.value)}
            options=${[{value:`en`,label:`English`},{value:`de`,label:`Deutsch`}]} />
          <${u} label=${t(`settings.theme`)} value=${n} options=${f}
            onChange=${e=>r(e.currentTarget.value)} />
          ${o&&d`<button onClick=${o}>${t(`token.sign_out`)}</button>`}
        </div>
        <p class="bar spread key"><span>${t(`stop.key`)}</span><${p} /></p>
      </section>
      <${S} onKnown=${()=>c(!0)} />
      ${s&&d`<${x} />
        <${w} />
        <${v} />
        <section class="card">
          <h2>${t(`nav.data`)}</h2>
          <p>${t(`settings.data`)} <a href="#/data">${t(`settings.open_data`)}</a></p>
        </section>
        <section class="card">
          <h2>${t(`settings.developers`)}</h2>
          <p><a href=${`${e}/docs/`}>${t(`settings.docs`)}</a></p>
        </section>`}
    </div>`}function x(){let{client:t,say:n,status:i}=a(),{value:o,error:s,reload:l}=r(async()=>{let e=[t.get(`/health`),t.feed(null),t.page(`/events?limit=1`)],[n,r,i]=await Promise.all(e),a=r.head>0?(await t.feed(r.head-1).catch(()=>({entries:[]}))).entries[0]:null;return{health:n,head:r.head,appended:a?.time,event:i.records[0]?.created_at}},`health`,y),u=(e,t)=>d`<dt>${e}</dt><dd>${t??`–`}</dd>`;return d`<section class="card">
    <h2>${n(`settings.connection`)}</h2>
    <dl class="facts">
      ${u(n(`settings.state`),n(i))}
      ${u(n(`settings.last_event`),o?.event&&n.time(o.event))}
      ${u(n(`settings.address`),e)}
    </dl>
    <details>
      <summary>${n(`settings.technical`)}</summary>
      <dl class="facts">
        ${u(n(`settings.head`),o&&n.number(o.head))}
        ${u(n(`settings.appended`),o?.appended&&n.time(o.appended))}
        ${u(n(`settings.socket`),o&&(o.health.socket??n(`settings.no_socket`)))}
      </dl>
    </details>
    <${c} error=${s} onRetry=${l} />
  </section>`}function S({onKnown:e}){let{say:t}=a();return d`<section class="card" aria-label="Twitch">
    <h2>Twitch</h2>
    <${m} onKnown=${e} />
    <details><summary>${t(`twitch.events`)}</summary><${C} /></details>
  </section>`}function C(){let{client:e,say:t}=a(),{value:n,error:i,reload:s}=r(async()=>{let n=(await e.get(`/statistics`,{query:{from:/* @__PURE__ */ new Date(Date.now()-6048e5),by:`day`}})).flatMap(({sources:e})=>Object.entries(e));return f(n.filter(([e])=>e.startsWith(`twitch/`)),t)},`twitch ${t.lang}`,y),l=[t(`settings.kind`),{label:t(`twitch.count`),className:`amount`}];return d`${n?.length===0&&d`<p>${t(`twitch.none`)}</p>`}
    ${n?.length>0&&d`<${o} label="Twitch" columns=${l}>
      ${n.map(([e,n])=>d`<tr key=${e}>
          <td>${e}</td><td class="amount">${t.number(n)}</td>
        </tr>`)}
    <//>`}
    <p class="quiet">${t(`twitch.check`)} <code>twitch check</code></p>
    <${c} error=${i} onRetry=${s} />`}function w(){let{client:e,say:n,signOut:i}=a(),{value:u,error:f,reload:p}=r(()=>e.get(`/tokens`),`tokens`),[m,h]=l(null),[g,_]=l(null),v=async({name:t})=>{let{token:n}=await e.post(`/tokens`,{name:t});h(n),p()},y=t=>e.delete(`/tokens/${t}`).then(p,_),b=[`name`,`scope`,`created`,`used`].map(e=>n(`tokens.${e}`)),x={label:d`<span class="unseen">${n(`tokens.revoke`)}</span>`},S=(e,t)=>d`<td data-label=${b[e]}>${t}</td>`,C=({token_id:e,name:t,scope:r,created_at:i,used_at:a})=>d`<tr key=${e}>
    <td dir="auto"><strong>${t}</strong></td>
    ${S(1,n(`scope.${r}`))}${S(2,n.time(i))}${S(3,a?n.ago(a):n(`tokens.never`))}
    <td class="amount"><${s} label=${n(`tokens.revoke`)} question=${n(`tokens.sure`)}
      note=${`${t}: ${n(`tokens.note`)}`}
      description=${n(`tokens.revoke_of`,{name:t})} act=${()=>y(e)} /></td>
  </tr>`;return d`<section class="card tokens">
    <h2>${n(`tokens.title`)}</h2>
    ${!i&&d`<p class="quiet">${n(`tokens.unchecked`)}</p>`}
    ${u?.length>0&&d`<${o} label=${n(`tokens.title`)} columns=${[...b,x]}>${u.map(C)}<//>`}
    ${u?.length===0&&d`<p class="quiet">${n(`tokens.empty`)}</p>`}
    <${t} submit=${n(`tokens.make`)} isMain=${!1} send=${v}
      fields=${[{name:`name`,label:n(`tokens.label`),required:!0,maxlength:100}]} />
    ${m&&d`<p role="status">${n(`tokens.made`)} <code>${m}</code></p>`}
    <${c} error=${g??f} onRetry=${f&&p} />
  </section>`}export{b as View};