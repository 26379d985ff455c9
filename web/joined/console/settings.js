
import{O as e}from"./first.js";import{_ as t,f as n,o as r}from"./forms.js";import{O as i,h as a,t as o,x as s}from"./common.js";import{t as c}from"./stop.js";const l=r(e=>e.withTexts(Promise.all([import(`./twitch-settings.js`),import(`./forms.js`),import(`./sources.js`),import(`./twitch.js`),import(`./rows.js`)]).then(([module])=>module),`twitch`).then(({TwitchSettings:e})=>e)),u=r(()=>Promise.all([import(`./tokens.js`),import(`./forms.js`)]).then(([module])=>module).then(({Tokens:e})=>e)),d=r(e=>e.withTexts(Promise.all([import(`./privacy-settings.js`),import(`./forms.js`),import(`./privacy.js`),import(`./viewers.js`)]).then(([module])=>module),`privacy`).then(({PrivacySettings:e})=>e));function f(){let{say:e}=s(),n={general:e(`settings.general`),twitch:`Twitch`,tokens:e(`tokens.title`),privacy:e(`settings.privacy`)};return i`<h1>${e(`nav.settings`)}</h1>
    <${t} label=${e(`nav.settings`)} names=${n}>
      ${e=>i`${e===`general`&&i`<${p} />`}
        ${e===`twitch`&&i`<${l} />`}
        ${e===`tokens`&&i`<${u} />`}
        ${e===`privacy`&&i`<${d} />`}`}
    <//>`}function p(){let{say:t,theme:r,chooseTheme:a,setLang:o,signOut:l}=s(),u=[``,`light`,`dark`].map(e=>({value:e,label:t(`theme.${e||`auto`}`)}));return i`<div class="column">
      <section class="card">
        <h2>${t(`settings.page`)}</h2>
        <div class="bar">
          <${n} label=${t(`settings.language`)} value=${t.lang}
            onChange=${e=>o(e.currentTarget.value)}
            options=${[{value:`en`,label:`English`},{value:`de`,label:`Deutsch`}]} />
          <${n} label=${t(`settings.theme`)} value=${r} options=${u}
            onChange=${e=>a(e.currentTarget.value)} />
          ${l&&i`<button onClick=${l}>${t(`token.sign_out`)}</button>`}
        </div>
      </section>
      <section class="card">
        <h2>${t(`stop.key`)}</h2>
        <p><${c} className="" /></p>
      </section>
      <${m} />
      <section class="card">
        <h2>${t(`settings.archive`)}</h2>
        <p>${t(`settings.archive_what`)} <a href="#/data?tab=archive">${t(`settings.open_archive`)}</a></p>
      </section>
      <section class="card">
        <h2>${t(`settings.developers`)}</h2>
        <p>${t(`settings.data`)} <a href="#/data">${t(`settings.open_data`)}</a></p>
        <p><a href=${`${e}/docs/`}>${t(`settings.docs`)}</a></p>
      </section>
    </div>`}function m(){let{client:t,say:n,status:r}=s(),{value:c,error:l,reload:u}=o(async()=>{let e=[t.get(`/health`),t.feed(null),t.page(`/events?limit=1`)],[n,r,i]=await Promise.all(e),a=r.head>0?(await t.feed(r.head-1).catch(()=>({entries:[]}))).entries[0]:null;return{health:n,head:r.head,appended:a?.time,event:i.records[0]?.created_at}},`health`,3e4),d=(e,t)=>i`<dt>${e}</dt><dd>${t??`–`}</dd>`;return i`<section class="card">
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
    <${a} error=${l} onRetry=${u} />
  </section>`}export{f as View};