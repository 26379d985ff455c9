// The settings: language and theme, Twitch, the connection, tokens.

import { base } from "../../shared/page.js";
import { Confirmed, Field, Form, Table } from "../forms.js";
import { useLoaded } from "../../shared/loading.js";
import { Problem, html, useConsole, useState } from "../../shared/parts.js";
import { countsByName } from "./sources.js";
import { StopKey } from "../stop/stop-key.js";
import { Twitch } from "./twitch.js";
import { PrivacySettings } from "./privacy-settings.js";

const REFRESH = 30_000;
const DAY = 86_400_000;

export function View() {
  const { say, theme, chooseTheme, setLang, signOut } = useConsole();
  // The sections below the connection to Twitch appear when its height is known.
  const [isKnown, setKnown] = useState(false);
  const themes = ["", "light", "dark"].map((value) => ({ value, label: say(`theme.${value || "auto"}`) }));
  return html`<h1>${say("nav.settings")}</h1>
    <div class="column">
      <section class="card">
        <h2>${say("settings.page")}</h2>
        <div class="bar">
          <${Field} label=${say("settings.language")} value=${say.lang}
            onChange=${(event) => setLang(event.currentTarget.value)}
            options=${[{ value: "en", label: "English" }, { value: "de", label: "Deutsch" }]} />
          <${Field} label=${say("settings.theme")} value=${theme} options=${themes}
            onChange=${(event) => chooseTheme(event.currentTarget.value)} />
          ${signOut && html`<button onClick=${signOut}>${say("token.sign_out")}</button>`}
        </div>
        <p class="bar spread key"><span>${say("stop.key")}</span><${StopKey} /></p>
      </section>
      <${TwitchCard} onKnown=${() => setKnown(true)} />
      ${isKnown && html`<${Connection} />
        <${Tokens} />
        <${PrivacySettings} />
        <section class="card">
          <h2>${say("nav.data")}</h2>
          <p>${say("settings.data")} <a href="#/data">${say("settings.open_data")}</a></p>
        </section>
        <section class="card">
          <h2>${say("settings.developers")}</h2>
          <p><a href=${`${base}/docs/`}>${say("settings.docs")}</a></p>
        </section>`}
    </div>`;
}

function Connection() {
  const { client, say, status } = useConsole();
  const { value, error, reload } = useLoaded(async () => {
    const requests = [client.get("/health"), client.feed(null), client.page("/events?limit=1")];
    const [health, feed, events] = await Promise.all(requests);
    const last = feed.head > 0 ? (await client.feed(feed.head - 1).catch(() => ({ entries: [] }))).entries[0] : null;
    return { health, head: feed.head, appended: last?.time, event: events.records[0]?.created_at };
  }, "health", REFRESH);
  const fact = (/** @type {string} */ name, /** @type {any} */ shown) =>
    html`<dt>${name}</dt><dd>${shown ?? "–"}</dd>`;
  return html`<section class="card">
    <h2>${say("settings.connection")}</h2>
    <dl class="facts">
      ${fact(say("settings.state"), say(status))}
      ${fact(say("settings.last_event"), value?.event && say.time(value.event))}
      ${fact(say("settings.address"), base)}
    </dl>
    <details>
      <summary>${say("settings.technical")}</summary>
      <dl class="facts">
        ${fact(say("settings.head"), value && say.number(value.head))}
        ${fact(say("settings.appended"), value?.appended && say.time(value.appended))}
        ${fact(say("settings.socket"), value && (value.health.socket ?? say("settings.no_socket")))}
      </dl>
    </details>
    <${Problem} error=${error} onRetry=${reload} />
  </section>`;
}

/** The connection to Twitch, and the events that it has sent. @param {{onKnown: () => void}} props */
function TwitchCard({ onKnown }) {
  const { say } = useConsole();
  return html`<section class="card" aria-label="Twitch">
    <h2>Twitch</h2>
    <${Twitch} onKnown=${onKnown} />
    <details><summary>${say("twitch.events")}</summary><${TwitchEvents} /></details>
  </section>`;
}

/** The number of events per kind. Only Twitch knows a deployment's subscriptions, so a command reports on them. */
function TwitchEvents() {
  const { client, say } = useConsole();
  const { value, error, reload } = useLoaded(async () => {
    const days = await client.get("/statistics", { query: { from: new Date(Date.now() - 7 * DAY), by: "day" } });
    const counts = days.flatMap((/** @type {any} */ { sources }) => Object.entries(sources));
    return countsByName(counts.filter((/** @type {any} */ [source]) => source.startsWith("twitch/")), say);
  }, `twitch ${say.lang}`, REFRESH);
  const columns = [say("settings.kind"), { label: say("twitch.count"), className: "amount" }];
  return html`${value?.length === 0 && html`<p>${say("twitch.none")}</p>`}
    ${value?.length > 0 &&
    html`<${Table} label="Twitch" columns=${columns}>
      ${value.map(
        (/** @type {any} */ [name, count]) => html`<tr key=${name}>
          <td>${name}</td><td class="amount">${say.number(count)}</td>
        </tr>`,
      )}
    <//>`}
    <p class="quiet">${say("twitch.check")} <code>twitch check</code></p>
    <${Problem} error=${error} onRetry=${reload} />`;
}

function Tokens() {
  const { client, say, signOut: hasToken } = useConsole();
  const { value: tokens, error, reload } = useLoaded(() => client.get("/tokens"), "tokens");
  const [created, setCreated] = useState(null);
  const [failure, setFailure] = useState(null);
  const create = async (/** @type {any} */ { name }) => {
    const { token } = await client.post("/tokens", { name });
    setCreated(token);
    reload();
  };
  const revoke = (/** @type {string} */ id) => client.delete(`/tokens/${id}`).then(reload, setFailure);
  const columns = ["name", "scope", "created", "used"].map((name) => say(`tokens.${name}`));
  const unseen = { label: html`<span class="unseen">${say("tokens.revoke")}</span>` };
  const cell = (/** @type {number} */ index, /** @type {any} */ value) =>
    html`<td data-label=${columns[index]}>${value}</td>`;
  const row = (/** @type {any} */ { token_id: id, name, scope, created_at: created, used_at: used }) =>
    html`<tr key=${id}>
    <td dir="auto"><strong>${name}</strong></td>
    ${cell(1, say(`scope.${scope}`))}${cell(2, say.time(created))}${cell(3, used ? say.ago(used) : say("tokens.never"))}
    <td class="amount"><${Confirmed} className="quiet bad" label=${say("tokens.revoke")} question=${say("tokens.sure")}
      note=${`${name}: ${say("tokens.note")}`}
      description=${say("tokens.revoke_of", { name })} act=${() => revoke(id)} /></td>
  </tr>`;
  return html`<section class="card tokens">
    <h2>${say("tokens.title")}</h2>
    ${!hasToken && html`<p class="quiet">${say("tokens.unchecked")}</p>`}
    ${tokens?.length > 0 &&
    html`<${Table} label=${say("tokens.title")} columns=${[...columns, unseen]}>${tokens.map(row)}<//>`}
    ${tokens?.length === 0 && html`<p class="quiet">${say("tokens.empty")}</p>`}
    <${Form} submit=${say("tokens.make")} isMain=${false} send=${create}
      fields=${[{ name: "name", label: say("tokens.label"), required: true, maxlength: 100 }]} />
    ${created && html`<p role="status">${say("tokens.made")} <code>${created}</code></p>`}
    <${Problem} error=${failure ?? error} onRetry=${error && reload} />
  </section>`;
}
