
import{E as e}from"./first.js";import{C as t,G as n,M as r,N as i,R as a,_ as o,b as s,g as c,v as l,y as u,z as d}from"./common.js";import{t as f}from"./sources.js";import{t as p}from"./stop-key.js";import{t as m}from"./twitch.js";import{n as h}from"./privacy.js";import{r as g,t as _}from"./privacy-words.js";function v(){let{client:e,say:t}=a(),c=o(`/opt-outs?limit=50`),[u,f]=d(``),[p,m]=d(null),v=()=>{m(null),c.reload()},y=async({platform_id:e})=>{let n=e.trim();if(!n)throw Error(t(`privacy.error.empty`));if(n.toLowerCase()===`anonymous`)throw Error(t(`privacy.error.reserved`));return f(n),``},b=n=>e.delete(`/opt-outs/${n}`).then(v,e=>m(g(e,t))),x={name:`platform_id`,label:t(`privacy.platform_id`),required:!0,inputmode:`numeric`,pattern:`\\s*[0-9]+\\s*`,title:t(`privacy.error.empty`),maxlength:1024},S=c.records.length===0&&!c.busy&&!c.error,C=e=>t(`privacy.since`,{id:String(e.opt_out_id),date:t.date(e.created_at)});return n`<section class="card" aria-label=${t(`privacy.title`)}>
    <h2>${t(`privacy.title`)}</h2>
    <p>${t(`privacy.list_how`)} <a href=${_}>${t(`privacy.guide`)}</a></p>
    ${S&&n`<p class="quiet">${t(`privacy.list_empty`)}</p>`}
    ${c.records.length>0&&n`<ul class="opt-outs" aria-label=${t(`privacy.list`)}>
      ${c.records.map(e=>n`<li key=${e.opt_out_id}>
        <span><strong dir="auto">${e.platform_id}</strong> <span class="quiet">${C(e)}</span></span>
        <${l} label=${t(`privacy.remove`)} description=${t(`privacy.remove_of`,{id:e.platform_id})}
          question=${t(`privacy.remove_sure`)} act=${()=>b(e.opt_out_id)} />
      </li>`)}
    </ul>
    <p class="quiet">${t(`privacy.remove_how`)}</p>`}
    <${r} list=${c} />
    <${s} submit=${t(`privacy.add`)} isMain=${!1} send=${y} fields=${[x]} />
    <p class="quiet">${t(`privacy.platform_id_how`)}</p>
    <${i} error=${p} />
    ${u&&n`<${h} platformId=${u} onClose=${()=>f(``)} onDone=${v} />`}
  </section>`}const y=3e4;function b(){let{say:t,theme:r,chooseTheme:i,setLang:o,signOut:s}=a(),[c,l]=d(!1),f=[``,`light`,`dark`].map(e=>({value:e,label:t(`theme.${e||`auto`}`)}));return n`<h1>${t(`nav.settings`)}</h1>
    <div class="column">
      <section class="card">
        <h2>${t(`settings.page`)}</h2>
        <div class="bar">
          <${u} label=${t(`settings.language`)} value=${t.lang}
            onChange=${e=>o(e.currentTarget.value)}
            options=${[{value:`en`,label:`English`},{value:`de`,label:`Deutsch`}]} />
          <${u} label=${t(`settings.theme`)} value=${r} options=${f}
            onChange=${e=>i(e.currentTarget.value)} />
          ${s&&n`<button onClick=${s}>${t(`token.sign_out`)}</button>`}
        </div>
        <p class="bar spread key"><span>${t(`stop.key`)}</span><${p} /></p>
      </section>
      <${S} onKnown=${()=>l(!0)} />
      ${c&&n`<${x} />
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
    </div>`}function x(){let{client:t,say:r,status:o}=a(),{value:s,error:l,reload:u}=c(async()=>{let e=[t.get(`/health`),t.feed(null),t.page(`/events?limit=1`)],[n,r,i]=await Promise.all(e),a=r.head>0?(await t.feed(r.head-1).catch(()=>({entries:[]}))).entries[0]:null;return{health:n,head:r.head,appended:a?.time,event:i.records[0]?.created_at}},`health`,y),d=(e,t)=>n`<dt>${e}</dt><dd>${t??`–`}</dd>`;return n`<section class="card">
    <h2>${r(`settings.connection`)}</h2>
    <dl class="facts">
      ${d(r(`settings.state`),r(o))}
      ${d(r(`settings.last_event`),s?.event&&r.time(s.event))}
      ${d(r(`settings.address`),e)}
    </dl>
    <details>
      <summary>${r(`settings.technical`)}</summary>
      <dl class="facts">
        ${d(r(`settings.head`),s&&r.number(s.head))}
        ${d(r(`settings.appended`),s?.appended&&r.time(s.appended))}
        ${d(r(`settings.socket`),s&&(s.health.socket??r(`settings.no_socket`)))}
      </dl>
    </details>
    <${i} error=${l} onRetry=${u} />
  </section>`}function S({onKnown:e}){let{say:t}=a();return n`<section class="card" aria-label="Twitch">
    <h2>Twitch</h2>
    <${m} onKnown=${e} />
    <details><summary>${t(`twitch.events`)}</summary><${C} /></details>
  </section>`}function C(){let{client:e,say:r}=a(),{value:o,error:s,reload:l}=c(async()=>{let t=(await e.get(`/statistics`,{query:{from:/* @__PURE__ */ new Date(Date.now()-6048e5),by:`day`}})).flatMap(({sources:e})=>Object.entries(e));return f(t.filter(([e])=>e.startsWith(`twitch/`)),r)},`twitch ${r.lang}`,y),u=[r(`settings.kind`),{label:r(`twitch.count`),className:`amount`}];return n`${o?.length===0&&n`<p>${r(`twitch.none`)}</p>`}
    ${o?.length>0&&n`<${t} label="Twitch" columns=${u}>
      ${o.map(([e,t])=>n`<tr key=${e}>
          <td>${e}</td><td class="amount">${r.number(t)}</td>
        </tr>`)}
    <//>`}
    <p class="quiet">${r(`twitch.check`)} <code>twitch check</code></p>
    <${i} error=${s} onRetry=${l} />`}function w(){let{client:e,say:r,signOut:o}=a(),{value:u,error:f,reload:p}=c(()=>e.get(`/tokens`),`tokens`),[m,h]=d(null),[g,_]=d(null),v=async({name:t})=>{let{token:n}=await e.post(`/tokens`,{name:t});h(n),p()},y=t=>e.delete(`/tokens/${t}`).then(p,_),b=[`name`,`scope`,`created`,`used`].map(e=>r(`tokens.${e}`)),x={label:n`<span class="unseen">${r(`tokens.revoke`)}</span>`},S=(e,t)=>n`<td data-label=${b[e]}>${t}</td>`,C=({token_id:e,name:t,scope:i,created_at:a,used_at:o})=>n`<tr key=${e}>
    <td dir="auto"><strong>${t}</strong></td>
    ${S(1,r(`scope.${i}`))}${S(2,r.time(a))}${S(3,o?r.ago(o):r(`tokens.never`))}
    <td class="amount"><${l} label=${r(`tokens.revoke`)} question=${r(`tokens.sure`)}
      note=${`${t}: ${r(`tokens.note`)}`}
      description=${r(`tokens.revoke_of`,{name:t})} act=${()=>y(e)} /></td>
  </tr>`;return n`<section class="card tokens">
    <h2>${r(`tokens.title`)}</h2>
    ${!o&&n`<p class="quiet">${r(`tokens.unchecked`)}</p>`}
    ${u?.length>0&&n`<${t} label=${r(`tokens.title`)} columns=${[...b,x]}>${u.map(C)}<//>`}
    ${u?.length===0&&n`<p class="quiet">${r(`tokens.empty`)}</p>`}
    <${s} submit=${r(`tokens.make`)} isMain=${!1} send=${v}
      fields=${[{name:`name`,label:r(`tokens.label`),required:!0,maxlength:100}]} />
    ${m&&n`<p role="status">${r(`tokens.made`)} <code>${m}</code></p>`}
    <${i} error=${g??f} onRetry=${f&&p} />
  </section>`}export{b as View};