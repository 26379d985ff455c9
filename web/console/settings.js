// The settings: the connection, tokens, Twitch, language and theme.

import { base } from "../shared/page.js";
import { Confirmed, Field, Form, Table } from "./forms.js";
import { useLoaded } from "./loading.js";
import { Problem, html, useConsole, useState } from "./parts.js";
import { Twitch } from "./twitch.js";
import { PrivacySettings } from "./privacy-settings.js";

const REFRESH = 30_000;
const DAY = 86_400_000;

export function View() {
  const { say, theme, chooseTheme, setLang } = useConsole();
  const themes = ["", "light", "dark"].map((value) => ({ value, label: say(`theme.${value || "auto"}`) }));
  return html`<h1>${say("nav.settings")}</h1>
    <div class="column">
      <section class="card">
        <h2>${say("settings.page")}</h2>
        <div class="bar">
          <${Field} label=${say("settings.language")} value=${say.lang} onChange=${(event) => setLang(event.currentTarget.value)}
            options=${[{ value: "en", label: "English" }, { value: "de", label: "Deutsch" }]} />
          <${Field} label=${say("settings.theme")} value=${theme} options=${themes} onChange=${(event) => chooseTheme(event.currentTarget.value)} />
        </div>
      </section>
      <${TwitchCard} />
      <${Connection} />
      <${Tokens} />
      <${PrivacySettings} />
      <section class="card">
        <h2>${say("settings.developers")}</h2>
        <p><a href=${`${base}/docs/`}>${say("settings.docs")}</a></p>
      </section>
    </div>`;
}

function Connection() {
  const { client, say, connected } = useConsole();
  const { value, error, reload } = useLoaded(async () => {
    const [health, feed, events] = await Promise.all([client.get("/health"), client.feed(null), client.page("/events?limit=1")]);
    const last = feed.head > 0 ? (await client.feed(feed.head - 1).catch(() => ({ entries: [] }))).entries[0] : null;
    return { health, head: feed.head, appended: last?.time, event: events.records[0]?.created_at };
  }, "health", REFRESH);
  const row = (name, shown) => html`<tr><th scope="row">${name}</th><td>${shown ?? "–"}</td></tr>`;
  return html`<section class="card">
    <h2>${say("settings.connection")}</h2>
    <table>
      <tbody>
        ${row(say("settings.service"), base)}
        ${row(say("settings.state"), say(connected ? "connected" : "reconnecting"))}
        ${row(say("settings.head"), value && say.number(value.head))}
        ${row(say("settings.appended"), value?.appended && say.time(value.appended))}
        ${row(say("settings.last_event"), value?.event && say.time(value.event))}
        ${row(say("settings.socket"), value && (value.health.socket ?? say("settings.no_socket")))}
      </tbody>
    </table>
    <${Problem} error=${error} onRetry=${reload} />
  </section>`;
}

/** The connection to Twitch, and the events that it has sent. */
function TwitchCard() {
  const { say } = useConsole();
  return html`<section class="card" aria-label="Twitch">
    <h2>Twitch</h2>
    <${Twitch} />
    <details><summary>${say("twitch.events")}</summary><${TwitchEvents} /></details>
  </section>`;
}

/** The number of events of each type. Only Twitch knows a deployment's subscriptions, so a command reports their state. */
function TwitchEvents() {
  const { client, say } = useConsole();
  const { value, error, reload } = useLoaded(async () => {
    const days = await client.get("/statistics", { query: { from: new Date(Date.now() - 7 * DAY), by: "day" } });
    const counts = new Map();
    for (const { sources } of days) {
      for (const [source, count] of Object.entries(sources)) if (source.startsWith("twitch/")) counts.set(source, (counts.get(source) ?? 0) + count);
    }
    return [...counts].sort(([one], [other]) => one.localeCompare(other));
  }, "twitch", REFRESH);
  return html`${value?.length === 0 && html`<p>${say("twitch.none")}</p>`}
    ${value?.length > 0 &&
    html`<${Table} label="Twitch" columns=${[say("twitch.type"), { label: say("twitch.count"), className: "amount" }]}>
      ${value.map(([source, count]) => html`<tr key=${source}><td><code>${source.slice("twitch/".length)}</code></td><td class="amount">${say.number(count)}</td></tr>`)}
    <//>`}
    <p class="quiet">${say("twitch.check")} <code>twitch check</code></p>
    <${Problem} error=${error} onRetry=${reload} />`;
}

function Tokens() {
  const { client, say } = useConsole();
  const { value: tokens, error, reload } = useLoaded(() => client.get("/tokens"), "tokens");
  const [created, setCreated] = useState(null);
  const [failure, setFailure] = useState(null);
  const create = async ({ name }) => {
    const { token } = await client.post("/tokens", { name });
    setCreated(token);
    reload();
  };
  const revoke = (id) => client.delete(`/tokens/${id}`).then(reload, setFailure);
  return html`<section class="card">
    <h2>${say("tokens.title")}</h2>
    <${Table} label=${say("tokens.title")} columns=${[say("tokens.name"), say("tokens.scope"), say("tokens.created"), say("tokens.used"), say("tokens.revoke")]}>
      ${(tokens ?? []).map(
        (token) => html`<tr key=${token.token_id}>
          <td dir="auto">${token.name}</td><td>${token.scope}</td><td>${say.date(token.created_at)}</td><td>${token.used_at ? say.ago(token.used_at) : "–"}</td>
          <td><${Confirmed} label=${say("tokens.revoke")} question=${say("tokens.sure")} description=${say("tokens.revoke_of", { name: token.name })} act=${() => revoke(token.token_id)} /></td>
        </tr>`,
      )}
    <//>
    ${tokens?.length === 0 && html`<p class="quiet">${say("tokens.empty")}</p>`}
    <${Form} submit=${say("tokens.make")} isMain=${false} send=${create} fields=${[{ name: "name", label: say("tokens.label"), required: true, maxlength: 100 }]} />
    ${created && html`<p role="status">${say("tokens.made")} <code>${created}</code></p>`}
    <${Problem} error=${failure ?? error} onRetry=${error && reload} />
  </section>`;
}
