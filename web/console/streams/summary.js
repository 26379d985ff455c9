// The summary of a past stream, also as a text to copy: its figures, its hours, the best viewers, and all events.

import { loadBoard } from "../../overlay/figures.js";
import { MAIN_KINDS, kindOf, pathsOf } from "../../shared/kinds.js";
import { Counter, FIGURES } from "../../shared/counts.js";
import { Picture } from "../activity/actions.js";
import { Rows } from "../activity/events.js";
import { useTimeline } from "../activity/follow.js";
import { Plot, typesOf } from "../analytics/plot.js";
import { Copy } from "../copy.js";
import { useLoaded } from "../../shared/loading.js";
import { More, Problem, Skeleton, html, useConsole, useMemo, useState } from "../../shared/parts.js";
import { Figure } from "../figure.js";
import { lengthOf } from "./length.js";
import { COMPARED, COUNTING, peopleOf, useUsual, usualOf } from "./streams.js";
import { ZONE, points } from "../../shared/units.js";

/** @typedef {import("./streams.js").Past} Past */

const PLACES = 5;
/** The number of lines of a part, unless all are requested. */
const MAX_LINES = 6;
/** The number of letters that are shown. */
const MAX_LETTERS = 6;
const iso = (/** @type {number} */ time) => new Date(time).toISOString();

/** Returns all records of a list. @param {any} client @param {string} path @param {object} query @returns {Promise<any[]>} */
async function allOf(client, path, query) {
  const records = [];
  for await (const record of client.list(path, { query: { limit: 1_000, ...query } })) records.push(record);
  return records;
}

/** Loads what happened in the first of some streams. @param {any} client @param {Past[]} streams */
async function load(client, streams) {
  const [{ from, to }] = streams;
  const counter = new Counter(from, to);
  const created = { created_after: iso(from - 1), created_before: iso(to + 1) };
  const [people, chatters, cheerers, letters, purchases] = await Promise.all([
    Promise.all(streams.slice(0, COMPARED + 1).map((stream) => peopleOf(client, stream))),
    loadBoard(client, { board: "messages", from, to, limit: PLACES }),
    loadBoard(client, { board: "bits", from, to, limit: PLACES }),
    allOf(client, "/documents", created),
    allOf(client, "/purchases", created),
    counter.list(client),
  ]);
  const [now, ...before] = people;
  const usual = before.length > 0 ? usualOf(before) : undefined;
  return { counter, people: { now, usual }, chatters, cheerers, letters, purchases };
}

/**
 * A line about a viewer, or only a text.
 *
 * @typedef {{place?: number, user?: {user_id: string, name: string}, text?: string, letters?: any[]}} Line
 */

const placeOf = (/** @type {Line} */ { place }) => (place ? `${place}. ` : "");
const textOf = (/** @type {Line} */ line) => placeOf(line) + [line.user?.name, line.text].filter(Boolean).join(" · ");

/**
 * Returns the parts of a summary: a title, and its lines.
 *
 * @param {any} say
 * @param {Awaited<ReturnType<typeof load>>} summary
 * @returns {[string, Line[]][]}
 */
function partsOf(say, { counter, chatters, cheerers, letters, purchases }) {
  const { events } = counter;
  const userOf = (/** @type {any} */ { user_id, user_name: name }) => ({ user_id, name });
  const place = (/** @type {string} */ unit) => (/** @type {any} */ { value, user }, /** @type {number} */ index) =>
    ({ place: index + 1, user, text: say(unit, { many: value }) });
  const isNew = (/** @type {any} */ event) => event.event_type === "subscriber" && (event.subscribed_length ?? 1) <= 1;
  /** @type {Map<string, {many: number, price: number}>} */
  const sold = new Map();
  for (const { name, quantity, price } of purchases.filter(({ status }) => status !== "refunded")) {
    const before = sold.get(name) ?? { many: 0, price: 0 };
    sold.set(name, { many: before.many + quantity, price: before.price + price });
  }
  return [
    ["summary.new", [...new Map(events.filter(isNew).map((event) => [event.user_id, { user: userOf(event) }])).values()]],
    ["summary.chatters", chatters.map(place("summary.messages"))],
    ["summary.cheerers", cheerers.map(place("summary.bits"))],
    ["summary.raids", events.filter((event) => kindOf(event) === "raid")
      .map((event) => ({ user: userOf(event), text: say("summary.viewers", { many: event.viewer_count ?? 0 }) }))],
    ["summary.letters", letters.length > 0 ? [{ text: say("summary.many_letters", { many: letters.length }), letters }] : []],
    ["summary.sold", [...sold].map(([name, { many, price }]) =>
      ({ text: `${say("purchase.many", { many, name })} · ${points(price, say)}` }))],
  ];
}

/** The events of a stream by hour, as the reader's clock shows them. @param {{stream: Past}} props */
function Hours({ stream: { from, to } }) {
  const { client, say } = useConsole();
  const query = { from: iso(from), to: iso(to), by: "hour" };
  const { value, error, reload } = useLoaded(() => client.get("/statistics", { query }), from);
  if (!value) return error ? html`<${Problem} error=${error} onRetry=${reload} />` : html`<${Skeleton} rows=${1} shape="plots" />`;
  const times = value.map((/** @type {any} */ hour) => Date.parse(hour.from));
  return html`<div class="summary-hours"><${Plot} title=${say("summary.hours_of")} times=${times} zone=${ZONE}
    series=${typesOf(value, say)} isHourly /></div>`;
}

/** What happened in a stream, newest first. @param {{stream: Past}} props */
function Timeline({ stream: { from, to } }) {
  const { say } = useConsole();
  const matches = useMemo(() => {
    const isInStream = (/** @type {any} */ event) => {
      const time = Date.parse(event.occurred_at);
      return MAIN_KINDS.has(kindOf(event)) && time >= from && time <= to;
    };
    return Object.assign(isInStream, { key: String(from) });
  }, [from]);
  // The limits are exclusive, in whole seconds.
  const limits = new URLSearchParams({ occurred_after: iso(from - 1_000), occurred_before: iso(to + 1_000) });
  const list = useTimeline({ paths: useMemo(() => pathsOf(MAIN_KINDS).map((path) => `${path}&${limits}`), [from]), matches });
  return html`<h2>${say("summary.events")}</h2>
    <${Rows} chunks=${list.chunks} newIds=${list.newIds} label=${say("summary.events")} />
    <${More} list=${list} />
    <div>${list.size === 0 && !list.busy && !list.error && html`<p class="quiet">${say("summary.quiet")}</p>`}</div>`;
}

/** A part of the summary. Most streams have few lines, and some have hundreds. @param {{title: string, lines: Line[]}} props */
function Part({ title, lines }) {
  const { say } = useConsole();
  const [isLong, setLong] = useState(false);
  const hidden = lines.length - MAX_LINES;
  return html`<section class="card">
    <h2>${say(title)}</h2>
    <ul>${lines.slice(0, isLong ? undefined : MAX_LINES).map((line) => html`<li class=${line.letters ? "" : "spread"}>
      <span dir="auto">${line.user ? html`${placeOf(line)}<a href=${`#/viewers/${line.user.user_id}`}>${line.user.name}</a>` : line.text}</span>${" "}
      ${line.user && line.text && html`<span class="amount">${line.text}</span>`}
      ${line.letters && html`<div class="thumbnails">${line.letters.slice(0, MAX_LETTERS).map((letter) => html`
        <a key=${letter.document_id} href=${`#/letters/${letter.document_id}`}>
          <${Picture} source=${letter} label=${`${say("overlay.document")}, ${say.clock(letter.created_at)}`} /></a>`)}</div>`}
    </li>`)}</ul>
    ${hidden > 0 && html`<button class="quiet" aria-expanded=${isLong} onClick=${() => setLong(!isLong)}>
      ${isLong ? say("less") : say("count_more", { many: hidden })}</button>`}
  </section>`;
}

/** Viewers are counted after the events. @param {Awaited<ReturnType<typeof load>>} summary */
const isCounting = ({ people, counter }) => people.now === 0 && counter.events.length > 0;

/** @param {{streams: Past[], index: number}} props */
export function Summary({ streams, index }) {
  const { client, say } = useConsole();
  const { from } = streams[index];
  const { value, error, reload } = useLoaded(() => load(client, streams.slice(index)), from,
    (summary) => (isCounting(summary) ? COUNTING : 0));
  const usual = useUsual(streams.slice(index))?.(Infinity);
  if (!value) return error ? html`<${Problem} error=${error} onRetry=${reload} />` : html`<${Skeleton} rows=${6} />`;
  const figures = value.counter.figuresTo(Infinity);
  const parts = partsOf(say, value).filter(([, lines]) => lines.length > 0);
  const counted = { ...figures, ...(!isCounting(value) && { people: value.people.now }) };
  const text = [
    say("summary.of", { time: say.time(from), length: lengthOf(streams[index], say) }),
    Object.entries(counted).map(([name, many]) => `${say(`figure.${name}`)} ${say.number(many)}`).join(" · "),
    ...parts.map(([title, lines]) => `${say(title)}: ${lines.map(textOf).join(", ")}`),
  ].join("\n");
  return html`<div class="bar summary-head">
      <p class="quiet">${say(usual ? "summary.compared" : "summary.first")}</p>
      <${Copy} text=${text} label=${say("summary.copy")} />
    </div>
    <div class="figures">
      ${FIGURES.map((name) => html`<${Figure} key=${name} name=${name} value=${figures[name]}
        usual=${usual?.[name]} isPast />`)}
      ${!isCounting(value) && html`<${Figure} name="people" value=${value.people.now} usual=${value.people.usual} isPast />`}
    </div>
    ${isCounting(value) ? html`<p class="quiet" role="status">${say("top.counting")}</p>` : html`<${Hours} stream=${streams[index]} />`}
    <div class="summary-parts">
      ${parts.map(([title, lines]) => html`<${Part} key=${title} title=${title} lines=${lines} />`)}
    </div>
    <${Timeline} stream=${streams[index]} />`;
}
