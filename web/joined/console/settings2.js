
import{D as e}from"./first.js";import{C as t,D as n,H as r,I as i,L as a,S as o,U as s,Y as c,_ as l,g as u,w as d}from"./common.js";import{t as f}from"./sources.js";import{t as p}from"./stop-key.js";import{t as m}from"./twitch.js";import{n as h}from"./privacy.js";import{r as g,t as _}from"./privacy-words.js";function v(){let{client:e,say:t}=r(),n=l(`/opt-outs?limit=50`),[u,f]=s(``),[p,m]=s(null),v=()=>{m(null),n.reload()},y=async({platform_id:e})=>{let n=e.trim();if(!n)throw Error(t(`privacy.error.empty`));if(n.toLowerCase()===`anonymous`)throw Error(t(`privacy.error.reserved`));return f(n),``},b=n=>e.delete(`/opt-outs/${n}`).then(v,e=>m(g(e,t))),x={name:`platform_id`,label:t(`privacy.platform_id`),required:!0,inputmode:`numeric`,pattern:`\\s*[0-9]+\\s*`,title:t(`privacy.error.empty`),maxlength:1024},S=n.records.length===0&&!n.busy&&!n.error,C=e=>t(`privacy.since`,{id:String(e.opt_out_id),date:t.date(e.created_at)});return c`<section class="card" aria-label=${t(`privacy.title`)}>
    <h2>${t(`privacy.title`)}</h2>
    <p>${t(`privacy.list_how`)} <a href=${_}>${t(`privacy.guide`)}</a></p>
    ${S&&c`<p class="quiet">${t(`privacy.list_empty`)}</p>`}
    ${n.records.length>0&&c`<ul class="opt-outs" aria-label=${t(`privacy.list`)}>
      ${n.records.map(e=>c`<li key=${e.opt_out_id}>
        <span><strong dir="auto">${e.platform_id}</strong> <span class="quiet">${C(e)}</span></span>
        <${o} label=${t(`privacy.remove`)} description=${t(`privacy.remove_of`,{id:e.platform_id})}
          question=${t(`privacy.remove_sure`)} act=${()=>b(e.opt_out_id)} />
      </li>`)}
    </ul>
    <p class="quiet">${t(`privacy.remove_how`)}</p>`}
    <${i} list=${n} />
    <${d} submit=${t(`privacy.add`)} isMain=${!1} send=${y} fields=${[x]} />
    <p class="quiet">${t(`privacy.platform_id_how`)}</p>
    <${a} error=${p} />
    ${u&&c`<${h} platformId=${u} onClose=${()=>f(``)} onDone=${v} />`}
  </section>`}const y=3e4;function b(){let{say:n,theme:i,chooseTheme:a,setLang:o,signOut:l}=r(),[u,d]=s(!1),f=[``,`light`,`dark`].map(e=>({value:e,label:n(`theme.${e||`auto`}`)}));return c`<h1>${n(`nav.settings`)}</h1>
    <div class="column">
      <section class="card">
        <h2>${n(`settings.page`)}</h2>
        <div class="bar">
          <${t} label=${n(`settings.language`)} value=${n.lang}
            onChange=${e=>o(e.currentTarget.value)}
            options=${[{value:`en`,label:`English`},{value:`de`,label:`Deutsch`}]} />
          <${t} label=${n(`settings.theme`)} value=${i} options=${f}
            onChange=${e=>a(e.currentTarget.value)} />
          ${l&&c`<button onClick=${l}>${n(`token.sign_out`)}</button>`}
        </div>
        <p class="bar spread key"><span>${n(`stop.key`)}</span><${p} /></p>
      </section>
      <${S} onKnown=${()=>d(!0)} />
      ${u&&c`<${x} />
        <${w} />
        <${v} />
        <section class="card">
          <h2>${n(`nav.data`)}</h2>
          <p>${n(`settings.data`)} <a href="#/data">${n(`settings.open_data`)}</a></p>
        </section>
        <section class="card">
          <h2>${n(`settings.developers`)}</h2>
          <p><a href=${`${e}/docs/`}>${n(`settings.docs`)}</a></p>
        </section>`}
    </div>`}function x(){let{client:t,say:n,status:i}=r(),{value:o,error:s,reload:l}=u(async()=>{let e=[t.get(`/health`),t.feed(null),t.page(`/events?limit=1`)],[n,r,i]=await Promise.all(e),a=r.head>0?(await t.feed(r.head-1).catch(()=>({entries:[]}))).entries[0]:null;return{health:n,head:r.head,appended:a?.time,event:i.records[0]?.created_at}},`health`,y),d=(e,t)=>c`<dt>${e}</dt><dd>${t??`–`}</dd>`;return c`<section class="card">
    <h2>${n(`settings.connection`)}</h2>
    <dl class="facts">
      ${d(n(`settings.state`),n(i))}
      ${d(n(`settings.last_event`),o?.event&&n.time(o.event))}
      ${d(n(`settings.address`),e)}
    </dl>
    <details>
      <summary>${n(`settings.technical`)}</summary>
      <dl class="facts">
        ${d(n(`settings.head`),o&&n.number(o.head))}
        ${d(n(`settings.appended`),o?.appended&&n.time(o.appended))}
        ${d(n(`settings.socket`),o&&(o.health.socket??n(`settings.no_socket`)))}
      </dl>
    </details>
    <${a} error=${s} onRetry=${l} />
  </section>`}function S({onKnown:e}){let{say:t}=r();return c`<section class="card" aria-label="Twitch">
    <h2>Twitch</h2>
    <${m} onKnown=${e} />
    <details><summary>${t(`twitch.events`)}</summary><${C} /></details>
  </section>`}function C(){let{client:e,say:t}=r(),{value:i,error:o,reload:s}=u(async()=>{let n=(await e.get(`/statistics`,{query:{from:/* @__PURE__ */ new Date(Date.now()-6048e5),by:`day`}})).flatMap(({sources:e})=>Object.entries(e));return f(n.filter(([e])=>e.startsWith(`twitch/`)),t)},`twitch ${t.lang}`,y),l=[t(`settings.kind`),{label:t(`twitch.count`),className:`amount`}];return c`${i?.length===0&&c`<p>${t(`twitch.none`)}</p>`}
    ${i?.length>0&&c`<${n} label="Twitch" columns=${l}>
      ${i.map(([e,n])=>c`<tr key=${e}>
          <td>${e}</td><td class="amount">${t.number(n)}</td>
        </tr>`)}
    <//>`}
    <p class="quiet">${t(`twitch.check`)} <code>twitch check</code></p>
    <${a} error=${o} onRetry=${s} />`}function w(){let{client:e,say:t,signOut:i}=r(),{value:l,error:f,reload:p}=u(()=>e.get(`/tokens`),`tokens`),[m,h]=s(null),[g,_]=s(null),v=async({name:t})=>{let{token:n}=await e.post(`/tokens`,{name:t});h(n),p()},y=t=>e.delete(`/tokens/${t}`).then(p,_),b=[`name`,`scope`,`created`,`used`].map(e=>t(`tokens.${e}`)),x={label:c`<span class="unseen">${t(`tokens.revoke`)}</span>`},S=(e,t)=>c`<td data-label=${b[e]}>${t}</td>`,C=({token_id:e,name:n,scope:r,created_at:i,used_at:a})=>c`<tr key=${e}>
    <td dir="auto"><strong>${n}</strong></td>
    ${S(1,t(`scope.${r}`))}${S(2,t.time(i))}${S(3,a?t.ago(a):t(`tokens.never`))}
    <td class="amount"><${o} className="quiet bad" label=${t(`tokens.revoke`)} question=${t(`tokens.sure`)}
      note=${`${n}: ${t(`tokens.note`)}`}
      description=${t(`tokens.revoke_of`,{name:n})} act=${()=>y(e)} /></td>
  </tr>`;return c`<section class="card tokens">
    <h2>${t(`tokens.title`)}</h2>
    ${!i&&c`<p class="quiet">${t(`tokens.unchecked`)}</p>`}
    ${l?.length>0&&c`<${n} label=${t(`tokens.title`)} columns=${[...b,x]}>${l.map(C)}<//>`}
    ${l?.length===0&&c`<p class="quiet">${t(`tokens.empty`)}</p>`}
    <${d} submit=${t(`tokens.make`)} isMain=${!1} send=${v}
      fields=${[{name:`name`,label:t(`tokens.label`),required:!0,maxlength:100}]} />
    ${m&&c`<p role="status">${t(`tokens.made`)} <code>${m}</code></p>`}
    <${a} error=${g??f} onRetry=${f&&p} />
  </section>`}export{b as View};