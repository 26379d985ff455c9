
import{O as e}from"./first.js";import{l as t,m as n,r}from"./forms.js";import{A as i,S as a,h as o,t as s}from"./common.js";import{t as c}from"./stop.js";const l=r(e=>e.withTexts(Promise.all([import(`./twitch-settings.js`),import(`./sources.js`),import(`./twitch.js`),import(`./rows.js`)]).then(([module])=>module),`twitch`).then(({TwitchSettings:e})=>e)),u=r(()=>import(`./tokens.js`).then(({Tokens:e})=>e)),d=r(e=>e.withTexts(Promise.all([import(`./privacy-settings.js`),import(`./privacy.js`),import(`./viewers.js`)]).then(([module])=>module),`privacy`).then(({PrivacySettings:e})=>e));function f(){let{say:e}=a(),t={general:e(`settings.general`),twitch:`Twitch`,tokens:e(`tokens.title`),privacy:e(`settings.privacy`)};return i`<h1>${e(`nav.settings`)}</h1>
    <${n} label=${e(`nav.settings`)} names=${t}>
      ${e=>i`${e===`general`&&i`<${p} />`}
        ${e===`twitch`&&i`<${l} />`}
        ${e===`tokens`&&i`<${u} />`}
        ${e===`privacy`&&i`<${d} />`}`}
    <//>`}function p(){let{say:n,theme:r,chooseTheme:o,setLang:s,signOut:l}=a(),u=[``,`light`,`dark`].map(e=>({value:e,label:n(`theme.${e||`auto`}`)}));return i`<div class="column">
      <section class="card">
        <h2>${n(`settings.page`)}</h2>
        <div class="bar">
          <${t} label=${n(`settings.language`)} value=${n.lang}
            onChange=${e=>s(e.currentTarget.value)}
            options=${[{value:`en`,label:`English`},{value:`de`,label:`Deutsch`}]} />
          <${t} label=${n(`settings.theme`)} value=${r} options=${u}
            onChange=${e=>o(e.currentTarget.value)} />
          ${l&&i`<button onClick=${l}>${n(`token.sign_out`)}</button>`}
        </div>
      </section>
      <section class="card">
        <h2>${n(`stop.key`)}</h2>
        <p><${c} className="" /></p>
      </section>
      <${m} />
      <section class="card">
        <h2>${n(`settings.archive`)}</h2>
        <p>${n(`settings.archive_what`)} <a href="#/data?tab=archive">${n(`settings.open_archive`)}</a></p>
      </section>
      <section class="card">
        <h2>${n(`settings.developers`)}</h2>
        <p>${n(`settings.data`)} <a href="#/data">${n(`settings.open_data`)}</a></p>
        <p><a href=${`${e}/docs/`}>${n(`settings.docs`)}</a></p>
      </section>
    </div>`}function m(){let{client:t,say:n,status:r}=a(),{value:c,error:l,reload:u}=s(async()=>{let e=[t.get(`/health`),t.feed(null),t.page(`/events?limit=1`)],[n,r,i]=await Promise.all(e),a=r.head>0?(await t.feed(r.head-1).catch(()=>({entries:[]}))).entries[0]:null;return{health:n,head:r.head,appended:a?.time,event:i.records[0]?.created_at}},`health`,3e4),d=(e,t)=>i`<dt>${e}</dt><dd>${t??`–`}</dd>`;return i`<section class="card">
    <h2>${n(`settings.connection`)}</h2>
    <dl class="facts">
      ${d(n(`settings.state`),n(r))}
      ${d(n(`settings.last_event`),c?.event&&n.time(c.event))}
      ${d(n(`settings.address`),e)}
    </dl>
    <details>
      <summary>${n(`settings.technical`)}</summary>
      <dl class="facts">
        ${d(n(`settings.head`),c&&n.number(c.head))}
        ${d(n(`settings.appended`),c?.appended&&n.time(c.appended))}
        ${d(n(`settings.socket`),c&&(c.health.socket??n(`settings.no_socket`)))}
      </dl>
    </details>
    <${o} error=${l} onRetry=${u} />
  </section>`}export{f as View};