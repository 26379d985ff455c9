// The settings: language, theme and the state of the service, and tabs for Twitch, tokens and privacy.

import { base } from "../../shared/page.js";
import { Field, Tabs } from "../forms.js";
import { later } from "../later.js";
import { useLoaded } from "../../shared/loading.js";
import { Problem, html, useConsole } from "../../shared/parts.js";
import { StopKey } from "../stop/stop-key.js";

const REFRESH = 30_000;

const TwitchSettings = later((say) =>
  say.withTexts(import("./twitch-settings.js"), "twitch").then((/** @type {any} */ { TwitchSettings }) => TwitchSettings));
const Tokens = later(() => import("./tokens.js").then(({ Tokens }) => Tokens));
const PrivacySettings = later((say) =>
  say.withTexts(import("./privacy-settings.js"), "privacy").then((/** @type {any} */ { PrivacySettings }) => PrivacySettings));

export function View() {
  const { say } = useConsole();
  const names = { general: say("settings.general"), twitch: "Twitch", tokens: say("tokens.title"),
    privacy: say("settings.privacy") };
  return html`<h1>${say("nav.settings")}</h1>
    <${Tabs} label=${say("nav.settings")} names=${names}>
      ${(/** @type {string} */ tab) => html`${tab === "general" && html`<${General} />`}
        ${tab === "twitch" && html`<${TwitchSettings} />`}
        ${tab === "tokens" && html`<${Tokens} />`}
        ${tab === "privacy" && html`<${PrivacySettings} />`}`}
    <//>`;
}

function General() {
  const { say, theme, chooseTheme, setLang, signOut } = useConsole();
  const themes = ["", "light", "dark"].map((value) => ({ value, label: say(`theme.${value || "auto"}`) }));
  return html`<div class="column">
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
      </section>
      <section class="card">
        <h2>${say("stop.key")}</h2>
        <p><${StopKey} className="" /></p>
      </section>
      <${Connection} />
      <section class="card">
        <h2>${say("settings.archive")}</h2>
        <p>${say("settings.archive_what")} <a href="#/data?tab=archive">${say("settings.open_archive")}</a></p>
      </section>
      <section class="card">
        <h2>${say("settings.developers")}</h2>
        <p>${say("settings.data")} <a href="#/data">${say("settings.open_data")}</a></p>
        <p><a href=${`${base}/docs/`}>${say("settings.docs")}</a></p>
      </section>
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
