// The past streams, as a table, and one of them with its summary.

import { Counter } from "../../shared/counts.js";
import { Table } from "../forms.js";
import { useLoaded } from "../../shared/loading.js";
import { Empty, Problem, Skeleton, html, useConsole, useState } from "../../shared/parts.js";
import { clock } from "../overview/stream.js";
import { streamsOf } from "./streams.js";
import { Summary } from "./summary.js";

/** @typedef {import("./summary.js").Past} Past */

const MAX_STREAMS = 1_000;
/** The number of streams that are shown at first, and that each click adds. */
const FEW = 12;
/** The number of earlier streams that a stream is compared with. */
const COMPARED = 3;
const FIGURES = ["subs", "bits", "raids"];
const UPDATE = "twitch/channel.update";
// A leaderboard has at most this many viewers.
const MAX_VIEWERS = 1_000;
const iso = (/** @type {number} */ time) => new Date(time).toISOString();

/**
 * Loads the figures of streams, newest first, and the title and category that each had at its end.
 *
 * @param {any} client
 * @param {Past[]} streams
 */
async function figuresOf(client, streams) {
  const counter = new Counter(streams[streams.length - 1].from, streams[0].to);
  const before = { source: UPDATE, occurred_before: iso(streams[0].to), limit: 1_000 };
  const viewersOf = (/** @type {Past} */ { from, to }) =>
    client.get("/leaderboards/events", { query: { from: iso(from), to: iso(to), limit: MAX_VIEWERS } });
  const [updates, boards] = await Promise.all([
    client.page("/events", { query: before }),
    Promise.all(streams.map(viewersOf)),
    counter.list(client),
  ]);
  return streams.map(({ from, to }, index) => {
    const update = updates.records.find((/** @type {any} */ event) => Date.parse(event.occurred_at) <= to);
    const { title, category_name: category } = update?.details ?? {};
    return { from, to, ...counter.figuresIn(from, to), viewers: boards[index].length, title, category };
  });
}

/** A figure, and an arrow if it differs by a tenth from the streams before. @param {{value: number, usual: number | null}} props */
function Cell({ value, usual }) {
  const { say } = useConsole();
  const change = usual ? (value - usual) / usual : 0;
  const sign = Math.abs(change) < 0.1 ? "" : change > 0 ? "▲" : "▼";
  const arrow = html`<span class=${`trend ${change > 0 ? "good" : "quiet"}`}
    title=${sign && say("compare.usual", { value: say.compact(Math.round(usual ?? 0)) })}>${sign}</span>`;
  return html`<td class="amount">${say.compact(value)}
    ${arrow}
  </td>`;
}

/** @param {{streams: Past[]}} props */
function Streams({ streams }) {
  const { client, say } = useConsole();
  const [many, setMany] = useState(FEW);
  const shown = streams.slice(0, many);
  // The last rows are compared with streams that are not shown.
  const counted = streams.slice(0, many + COMPARED);
  const { value, error, reload } = useLoaded(() => figuresOf(client, counted), `${many} ${counted[0].from}`);
  const usualOf = (/** @type {number} */ index, /** @type {string} */ name) => {
    const before = (value ?? []).slice(index + 1, index + 1 + COMPARED);
    return before.length ? before.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one[name], 0) / before.length : null;
  };
  const amount = (/** @type {string} */ label) => ({ label, className: "amount" });
  const columns = [say("summary.stream"), say("summary.title"), amount(say("summary.length")),
    ...FIGURES.map((name) => amount(say(`figure.${name}`))), amount(say("summary.people"))];
  return html`<${Problem} error=${error} onRetry=${reload} />
    <section class="card streams">
      <${Table} label=${say("nav.streams")} columns=${columns}>
        ${shown.map(({ from, to }, index) => {
          const row = value?.[index];
          const cells = row
            ? [...FIGURES, "viewers"].map((name) => html`<${Cell} key=${name} value=${row[name]} usual=${usualOf(index, name)} />`)
            : [...FIGURES, "viewers"].map((name) => html`<td key=${name} class="amount quiet">…</td>`);
          return html`<tr key=${from}>
            <td><a class="name" href=${`#/streams/${from}`}>${say.time(from)}</a></td>
            <td class="title" dir="auto">${row ? (row.title ?? "–") : "…"} <span class="quiet">${row?.category}</span></td>
            <td class="amount">${clock(to - from, true)}</td>${cells}
          </tr>`;
        })}
      <//>
    </section>
    <p class="quiet">${say("summary.arrows")}</p>
    ${streams.length > many && html`<p><button onClick=${() => setMany(many + FEW)}>${say("more")}</button></p>`}`;
}

/** @param {{id: string}} props The identifier is the begin of the stream. */
export function View({ id }) {
  const { client, say } = useConsole();
  const { value, error, reload } = useLoaded(() => streamsOf(client, [], MAX_STREAMS), "streams of all time");
  const streams = value?.filter((/** @type {any} */ { to }) => to !== null);
  const index = streams?.findIndex((/** @type {Past} */ { from }) => String(from) === id) ?? -1;
  return html`${id && html`<p><a href="#/streams">${say("summary.all")}</a></p>`}
    <h1>${index < 0 ? say("nav.streams") : say.time(streams[index].from)}</h1>
    ${!streams && (error ? html`<${Problem} error=${error} onRetry=${reload} />` : html`<${Skeleton} rows=${6} />`)}
    ${streams?.length === 0 && html`<${Empty}>${say("summary.none")}<//>`}
    ${streams?.length > 0 && index < 0 && html`<${Streams} streams=${streams} />`}
    ${index >= 0 && html`<${Summary} key=${id} streams=${streams} index=${index} />`}`;
}
