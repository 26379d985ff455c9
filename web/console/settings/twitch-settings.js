// The connection to Twitch, and the events that it has sent.

import { Table } from "../forms.js";
import { useLoaded } from "../../shared/loading.js";
import { Problem, html, useConsole } from "../../shared/parts.js";
import { countsByName } from "./sources.js";
import { Twitch } from "./twitch.js";

const REFRESH = 30_000;
const DAY = 86_400_000;

export function TwitchSettings() {
  const { say } = useConsole();
  return html`<section class="card" aria-label="Twitch">
    <${Twitch} />
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
    html`<${Table} label=${say("twitch.events")} columns=${columns}>
      ${value.map(
        (/** @type {any} */ [name, count]) => html`<tr key=${name}>
          <td>${name}</td><td class="amount">${say.number(count)}</td>
        </tr>`,
      )}
    <//>`}
    <p class="quiet">${say("twitch.check")} <code>twitch check</code></p>
    <${Problem} error=${error} onRetry=${reload} />`;
}
