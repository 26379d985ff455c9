// The past streams, as a table. A row leads to the stream's summary.

import { Counter } from "../../shared/counts.js";
import { Table, rowLink } from "../forms.js";
import { changeFrom } from "../figure.js";
import { later } from "../later.js";
import { useLoaded } from "../../shared/loading.js";
import { Empty, Problem, Skeleton, html, useConsole, useRef } from "../../shared/parts.js";
import { withStyles } from "../styles.js";
import { lengthOf } from "./length.js";
import { COMPARED, COUNTING, MAX_PEOPLE, peopleOf, useStreams, usualOf } from "./streams.js";
import { useTitle } from "../title.js";

/** @typedef {import("./streams.js").Past} Past */

const MAX_STREAMS = 1_000;
// Among fewer streams than this, one large stream decides the percentage.
const MIN_COMPARED = 10;
/** The number of streams that are shown at first, and that each click adds. */
const FEW = 12;
const FIGURES = ["subs", "bits", "raids", "people"];
const UPDATE = "twitch/channel.update";
const iso = (/** @type {number} */ time) => new Date(time).toISOString();

/** Loads the newest changes of title and category before a time. @param {any} client @param {number} to @param {number} limit */
const updatesOf = async (client, to, limit) =>
  (await client.page("/events", { query: { source: UPDATE, occurred_before: iso(to), limit } })).records;

/** Returns the title and category that a stream had at its end. @param {any[]} updates @param {Past} stream */
function titleOf(updates, { to }) {
  const update = updates.find(({ occurred_at: time }) => Date.parse(time) <= to);
  return { title: update?.details.title, category: update?.details.category_name };
}

/** Returns the day of a stream, with its year unless it is the current one. @param {any} say @param {number} from */
function dayOf(say, from) {
  const year = new Date(from).getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  return new Intl.DateTimeFormat(say.lang, { weekday: "short", day: "numeric", month: "short", year }).format(from);
}

/**
 * Loads the figures of streams, newest first, and their titles.
 *
 * @param {any} client
 * @param {Past[]} streams
 */
async function figuresOf(client, streams) {
  const counter = new Counter(streams[streams.length - 1].from, streams[0].to);
  const [updates, people] = await Promise.all([
    updatesOf(client, streams[0].to, 1_000),
    Promise.all(streams.map((stream) => peopleOf(client, stream))),
    counter.list(client),
  ]);
  return streams.map((stream, index) =>
    ({ ...stream, ...counter.figuresIn(stream.from, stream.to), people: people[index], ...titleOf(updates, stream) }));
}

/**
 * A figure, and by how much it differs from the streams before, if it is at least a tenth.
 *
 * @param {{name: string, value: number, usual: number | null}} props
 */
function Cell({ name, value, usual }) {
  const { say } = useConsole();
  // The stream's page also compares with the rounded mean.
  const mean = usual === null ? value : Math.round(usual);
  const change = changeFrom(value, mean);
  const sign = change === 0 ? "" : change > 0 ? "▲" : "▼";
  const trend = html`<span class=${`trend ${change > 0 ? "good" : "quiet"}`}
    title=${sign && say("compare.usual", { value: say.compact(mean) })}>${sign}
    ${sign && mean >= MIN_COMPARED && html`<small>${say.percent(change / mean)}</small>`}</span>`;
  // Viewers are counted after the events.
  return html`<td class="amount" data-label=${say(`figure.${name}`)}>${name === "people" && value === 0 ? "–" : say.compact(value)}${
    name === "people" && value === MAX_PEOPLE && "+"}
    ${trend}
  </td>`;
}

/** @param {{streams: Past[]}} props */
function Streams({ streams }) {
  const { client, say, parameters, setParameters } = useConsole();
  // In the address, for the way back.
  const many = Number(parameters.get("many")) || FEW;
  const shown = streams.slice(0, many);
  // The last rows are compared with streams that are not shown.
  const counted = streams.slice(0, many + COMPARED);
  const { value, error, reload } = useLoaded(() => figuresOf(client, counted), `${many} ${counted[0].from}`,
    (rows) => (rows.some((/** @type {any} */ { people }) => people === 0) ? COUNTING : 0));
  // Rows keep their figures while those of more streams are loaded.
  const rows = useRef(new Map());
  for (const row of value ?? []) rows.current.set(row.from, row);
  const usual = (/** @type {number} */ index, /** @type {string} */ name) => {
    const before = streams.slice(index + 1, index + 1 + COMPARED).map(({ from }) => rows.current.get(from));
    return before.length > 0 && before.every(Boolean) ? usualOf(before.map((one) => one[name])) : null;
  };
  const problem = html`<${Problem} error=${error} onRetry=${reload} />`;
  const hasRows = rows.current.size > 0;
  const amount = (/** @type {string} */ label) => ({ label, className: "amount" });
  const columns = [say("summary.stream"), say("summary.title"), amount(say("summary.length")),
    ...FIGURES.map((name) => amount(say(`figure.${name}`)))];
  return html`${!hasRows && problem}
    <p class="quiet">${say("summary.arrows")}</p>
    <section class="card streams">
      <${Table} label=${say("nav.streams")} columns=${columns}>
        ${shown.map(({ from, to }, index) => {
          const row = rows.current.get(from);
          if (!row && error && hasRows) return null;
          const cells = row
            ? FIGURES.map((name) => html`<${Cell} key=${name} name=${name} value=${row[name]} usual=${usual(index, name)} />`)
            : FIGURES.map((name) => html`<td key=${name} class="amount quiet" data-label=${say(`figure.${name}`)}>…</td>`);
          return html`<tr key=${from} ...${rowLink(`#/streams/${from}`)}>
            <td><a class="name" href=${`#/streams/${from}`}>${dayOf(say, from)}</a> <span class="quiet">${say.clock(from)}</span></td>
            <td class="title" dir="auto">${row ? (row.title ?? "–") : "…"} <span class="quiet">${row?.category}</span></td>
            <td class="amount" data-label=${say("summary.length")}>${lengthOf({ from, to }, say)}</td>${cells}
          </tr>`;
        })}
      <//>
    </section>
    ${hasRows && problem}
    ${streams.length > many && html`<p><button onClick=${() => setParameters({ many: many + FEW }, true)}>${say("more")}</button></p>`}`;
}

/** A stream's time, length, title and category. @param {{stream: Past}} props */
function Heading({ stream }) {
  const { client, say } = useConsole();
  const { value } = useLoaded(async () => titleOf(await updatesOf(client, stream.to, 1), stream), stream.from);
  const title = value?.title ?? say.time(stream.from);
  useTitle(title);
  return html`<h1 dir="auto">${title}</h1>
    <p class="quiet">${[value?.title && say.time(stream.from), lengthOf(stream, say),
      value?.category].filter(Boolean).join(" · ")}</p>`;
}

const Summary = later((say) => {
  const module = withStyles(import("./summary.js"), "analytics/analytics.css");
  return say.withTexts(module, "streams", "stream", "errors").then((/** @type {any} */ { Summary }) => Summary);
});

/** @param {{id: string}} props The identifier is the begin of the stream. */
export function View({ id }) {
  const { say } = useConsole();
  const { value, error, reload } = useStreams(MAX_STREAMS, null);
  const streams = value?.filter((/** @type {any} */ { to }) => to !== null);
  const index = streams?.findIndex((/** @type {Past} */ { from }) => String(from) === id) ?? -1;
  return html`${index >= 0 && html`<p class="back"><a href="#/streams">${say("summary.all")}</a></p>`}
    ${index < 0 ? html`<h1>${say(id ? "summary.stream" : "nav.streams")}</h1>` : html`<${Heading} key=${id} stream=${streams[index]} />`}
    ${!streams && (error ? html`<${Problem} error=${error} onRetry=${reload} />` : html`<${Skeleton} rows=${6} />`)}
    ${id && streams && index < 0 && html`<${Problem} error=${{ status: 404 }} />`}
    ${streams?.length === 0 && html`<${Empty}>${say("summary.none")}<//>`}
    ${streams?.length > 0 && !id && html`<${Streams} streams=${streams} />`}
    ${index >= 0 && html`<${Summary} key=${id} streams=${streams} index=${index} />`}`;
}
