// A viewer's page: tabs for all the viewer's data. The first has an overview.

import { Rows } from "../activity/events.js";
import { historyOf, sinceOf } from "../../shared/history.js";
import { useTimeline } from "../activity/follow.js";
import { Tabs } from "../forms.js";
import { useLoaded } from "../../shared/loading.js";
import { Empty, More, Problem, Skeleton, html, useConsole, useEffect, useMemo, useState } from "../../shared/parts.js";
import { useTitle } from "../title.js";
import { isAnonymized } from "./privacy-words.js";
import { Privacy } from "./privacy.js";
import { Purchases } from "../store/purchases.js";
import { useBalance } from "./balance.js";
import { Items } from "./items.js";
import { LinkButton } from "./link.js";
import { Pet } from "./pet.js";
import { Showcase } from "./showcase.js";
import { Wallet } from "./wallet.js";

// The feed does not report transactions, items and pets, so they are reloaded at this interval, in milliseconds.
const REFRESH = 5_000;
const FIGURES_REFRESH = 30_000;
// A viewer's lists that are exported with the record.
const LISTS = ["events", "transactions", "purchases", "specimens", "inventory"];
const TABS = ["overview", "wallet", "purchases", "items", "pet", "privacy"];

/** Loads a viewer with the figures. Reloads both when the feed has news of the viewer. @param {string} id */
function useViewer(id) {
  const { client, subscribe } = useConsole();
  const viewer = useLoaded(() => client.get(`/users/${id}`), id, REFRESH);
  const { value: figures, reload } = useLoaded(() => historyOf(client, id), id, FIGURES_REFRESH);
  useEffect(() => subscribe((/** @type {any} */ { data }) =>
    data?.user_id === Number(id) && (viewer.reload(), reload())), [id]);
  return { ...viewer, figures };
}

/** @param {{id: string}} props */
export function Viewer({ id }) {
  const { say } = useConsole();
  const { value: user, figures, error, reload } = useViewer(id);
  if (user) return html`<${Page} id=${id} user=${user} figures=${figures} error=${error} reload=${reload} />`;
  if (!error) return html`<${Skeleton} rows=${6} />`;
  return html`<h1>${say("viewer.title")}</h1><${Problem} error=${error} onRetry=${reload} />`;
}

/** @param {{id: string, user: any, figures: any, error: any, reload: () => void}} props */
function Page({ id, user, figures, error, reload }) {
  const { client, say } = useConsole();
  useTitle(user.name);
  const balance = useBalance(user);
  const changes = balance.value;
  const [failure, setFailure] = useState(null);
  const isGone = isAnonymized(user);
  const save = () => exported(client, user).then(() => setFailure(null), setFailure);
  const names = Object.fromEntries(TABS.map((tab) => [tab, say(`viewer.${tab}`)]));
  const mark = isGone && html` <span class="mark-anonymized">${say("privacy.is_anonymized")}</span>`;
  return html`<p class="back"><a href="#/viewers">${say("viewer.all")}</a></p>
    <div class="bar spread">
      <div class="viewer-head">
        <h1 dir="auto">${user.name}${mark}</h1>
        <p class="quiet">${factsOf(user, figures, say).join(" · ")}</p>
      </div>
      <div class="bar">
        ${!isGone && html`<${LinkButton} user=${user} />`}
        <button onClick=${save}>${say("export")}</button>
      </div>
    </div>
    <${Problem} error=${failure ?? error} onRetry=${failure ? null : reload} />
    <${Problem} error=${balance.error} onRetry=${balance.reload} />
    <${Tabs} label=${say("viewer.title")} names=${names}>
      ${(tab) => html`${tab === "overview" && html`<${Showcase} user=${user} figures=${figures} changes=${changes} />
          <${Events} id=${id} />`}
        ${tab === "wallet" && html`<${Wallet} user=${user} changes=${changes} reload=${reload} />`}
        ${tab === "purchases" && html`<${ViewerPurchases} id=${id} />`}
        ${tab === "items" && html`<${Items} user=${user} reload=${reload} />`}
        ${tab === "pet" && html`<${Pet} user=${user} reload=${reload} />`}
        ${tab === "privacy" && html`<${Privacy} user=${user} isAnonymized=${isGone} reload=${reload} />`}`}
    <//>`;
}

/**
 * Returns the line below the name.
 *
 * @param {any} user
 * @param {any} figures
 * @param {any} say
 */
function factsOf(user, figures, say) {
  const { sub, seen } = figures ?? {};
  return [
    sub && say("viewer.sub", { tier: String(sub.tier), months: sub.subscribed_length }),
    say("viewer.since", { date: say.date(sinceOf(user, figures)) }),
    seen && say("viewer.seen", { ago: say.ago(seen) }),
  ].filter(Boolean);
}

/**
 * Saves a viewer with all lists as a file.
 *
 * @param {any} client
 * @param {any} user
 */
async function exported(client, user) {
  const id = user.user_id;
  /** @type {Record<string, any>} */
  const archive = { user };
  for (const list of LISTS) {
    archive[list] = [];
    for await (const record of client.list(`/users/${id}/${list}`, { query: { limit: 1_000 } })) archive[list].push(record);
  }
  const link = Object.assign(document.createElement("a"), { download: `viewer-${id}.json` });
  link.href = URL.createObjectURL(new Blob([JSON.stringify(archive, null, 2)], { type: "application/json" }));
  link.click();
  URL.revokeObjectURL(link.href);
}

/** @param {{id: string}} props */
function Events({ id }) {
  const { say } = useConsole();
  const matches = useMemo(() => Object.assign((/** @type {any} */ event) => event.user_id === Number(id), { key: id }),
    [id]);
  const list = useTimeline({ paths: useMemo(() => [`/users/${id}/events?`], [id]), matches });
  return html`<${Rows} chunks=${list.chunks} newIds=${list.newIds} label=${say("nav.activity")} />
    ${list.size === 0 && !list.busy && !list.error && html`<${Empty}>${say("viewer.no_events")}<//>`}
    <${More} list=${list} scrolls />`;
}

/** @param {{id: string}} props */
function ViewerPurchases({ id }) {
  const { say } = useConsole();
  const isOwn = (/** @type {any} */ { user_id: buyer }) => buyer === Number(id);
  return html`<${Purchases} path=${`/users/${id}/purchases?limit=20`} matches=${isOwn} label=${say("viewer.purchases")}>
    <${Empty}>${say("viewer.no_purchases")}<//>
  <//>`;
}
