// The analytics: the channel's figures for a period by day, compared with the previous period. The days follow the
// service's time zone, like its statistics.

import { Setting, saveCsv } from "../forms.js";
import { GapsIn } from "../activity/gaps.js";
import { later } from "../later.js";
import { useLoaded } from "../../shared/loading.js";
import { TYPES } from "../../shared/kinds.js";
import { ZONE } from "../../shared/units.js";
import { Empty, Problem, Skeleton, html, useConsole } from "../../shared/parts.js";

const Charts = later(() => import("./charts.js").then(({ Charts }) => Charts), html`<${Skeleton} rows=${2} shape="plots" />`);

const DAY = 86_400_000;
const PERIODS = [7, 30, 90];
const LONGEST = 90;
// Ten times as much suggests a different channel, not a change.
const MAX_CHANGE = 10;
// From fewer than these, one more would be a large change.
const MIN_COMPARED = 10;
// Statistics are at most two minutes behind.
const REFRESH = 120_000;

/** @param {any} counts */
const sum = (counts) => Object.values(counts).reduce((total, count) => total + count, 0);
/** @param {any[]} days @param {any} value */
const total = (days, value) => days.reduce((all, day) => all + value(day), 0);

/** A period's figures: each one's name, and its value in a bucket. */
const FIGURES = {
  events: (/** @type {any} */ { events }) => sum(events),
  subs: (/** @type {any} */ { events }) => events.subscriber,
  bits: (/** @type {any} */ { bits }) => bits,
  raids: (/** @type {any} */ { events }) => events.raid,
  raiders: (/** @type {any} */ { raid_viewers: viewers }) => viewers,
  messages: (/** @type {any} */ { events }) => events.plain,
};

const EARLIEST = "2010-01-01";
/** Returns a time's local day, as an input has it. @param {Date} time */
const isoDay = (time) => time.toLocaleDateString("sv");

/**
 * Returns the interval that the parameters select: the last days, or a range of days.
 *
 * @param {URLSearchParams} parameters
 */
function intervalOf(parameters) {
  const [from, to] = ["from", "to"].map((name) => Date.parse(`${parameters.get(name)}T00:00:00`));
  if (from < to + DAY) {
    return { days: Math.round((to - from) / DAY) + 1, from: new Date(from), to: new Date(to + DAY), isLast: false };
  }
  const days = PERIODS.find((length) => String(length) === parameters.get("days")) ?? 30;
  const now = new Date();
  return { days, from: new Date(now.getTime() - (days - 1) * DAY), to: now, isLast: true };
}

/** @param {any} client @param {{days: any, from: any, to: any, isLast: any}} record */
async function statistics(client, { days, from, to, isLast }) {
  const query = (/** @type {any} */ begin, /** @type {any} */ end) => ({ from: begin, to: end, by: "day" });
  const before = new Date(from.getTime() - days * DAY);
  const [current, previous, oldest] = await Promise.all([
    client.request("GET", "/statistics", { query: query(from, isLast ? undefined : to) }),
    // The service rounds to whole days, so this ends where the period begins.
    client.get("/statistics", { query: query(before, new Date(from.getTime() - DAY + 1)) }),
    client.page("/events", { query: { order: "asc", limit: 1 } }),
  ]);
  // Figures of a shorter time would look like growth.
  const isCovered = Date.parse(oldest.records[0]?.occurred_at) < before.getTime() + DAY;
  const { data, headers } = current;
  return { days: data, before: isCovered ? previous : [], zone: headers.get("time-zone") ?? "UTC", asOf: headers.get("as-of") };
}

export function View() {
  const { client, say, parameters, setParameters } = useConsole();
  const interval = intervalOf(parameters);
  /** The first and the last day, as in the URL. @type {Record<string, string>} */
  const shown = interval.isLast
    ? { from: isoDay(interval.from), to: isoDay(interval.to) }
    : { from: parameters.get("from") ?? "", to: parameters.get("to") ?? "" };
  const key = interval.isLast ? String(interval.days) : `${interval.from} ${interval.to}`;
  const { value, error, busy, reload } = useLoaded(() => statistics(client, interval), key, REFRESH);
  const days = value?.days ?? [];
  const isEmpty = total(days, FIGURES.events) === 0;
  const before = value?.before ?? [];
  const isComparable = total(before, FIGURES.events) > 0;
  const select = (/** @type {any} */ length) => setParameters({ days: String(length), from: null, to: null });
  const choose = (/** @type {string} */ name) => (/** @type {string} */ day) => {
    const [from, to] = Object.values({ ...shown, [name]: day }).sort();
    setParameters({ from, to, days: null });
  };
  const save = () => {
    const names = ["from", "to", "events", ...TYPES, "bits", "raid_viewers", "viewers"];
    const value = (/** @type {any} */ day, /** @type {string} */ name) =>
      (TYPES.includes(name) ? day.events[name] : day[name]);
    const row = (/** @type {any} */ day) =>
      names.map((name) => (name === "events" ? sum(day.events) : value(day, name)));
    saveCsv("statistics.csv", [names, ...days.map(row)]);
  };
  return html`<div class="bar spread">
      <h1>${say("nav.analytics")}</h1>
      <button onClick=${save} disabled=${days.length === 0}>${say("export")}</button>
    </div>
    <div class="bar" role="group" aria-label=${say("analytics.period")}>
      ${PERIODS.map(
        (length) => html`<button aria-pressed=${interval.isLast && length === interval.days}
          onClick=${() => select(length)}>
          ${say("analytics.last", { days: length })}
        </button>`,
      )}
      <div class="bar days">
        ${["from", "to"].map((name) => html`<${Setting} key=${name} label=${say(`analytics.${name}`)} type="date" required
          min=${EARLIEST} max=${isoDay(new Date())} value=${shown[name]} onCommit=${choose(name)} />`)}
      </div>
    </div>
    <p class="quiet" role="status">
      ${busy && !value && say("loading")}
      ${value && say("analytics.as_of", { time: value.asOf ? say.time(value.asOf) : "–" })}
      ${value && value.zone !== ZONE && ` · ${say("analytics.zone", { zone: value.zone })}`}
      ${value && ` · ${say(isComparable ? "analytics.compared" : "analytics.incomparable", { days: interval.days })}`}
      ${value && interval.isLast && !isEmpty && ` · ${say("analytics.today")}`}
    </p>
    <${Problem} error=${error} onRetry=${reload} />
    <${GapsIn} from=${interval.from} to=${interval.to} />
    ${!value && !error && html`<${Skeleton} rows=${6} shape="cards" /><${Skeleton} rows=${2} shape="plots" />`}
    ${value && isEmpty && html`<${Empty}>${say("analytics.empty")}${" "}
      ${interval.isLast && interval.days === LONGEST
        ? html`<a class="button" href="#/overview">${say("activity.setup")}</a>`
        : html`<button class="main" onClick=${() => select(LONGEST)}>
            ${say("analytics.show_last", { days: LONGEST })}</button>`}
    <//>`}
    ${value && !isEmpty &&
    html`<div class="figures">
        ${Object.entries(FIGURES).map(([name, valueOf]) => html`<${Change} key=${name} label=${say(`figure.${name}`)}
          now=${total(days, valueOf)}
          before=${isComparable ? total(before, valueOf) : null} days=${days.length} />`)}
      </div>
      <${Charts} days=${days} interval=${interval} id=${key} zone=${value.zone} />`}`;
}

/** `before` is null if there is nothing to compare with. @param {{label: string, now: number, before: number | null, days: number}} props */
function Change({ label, now, before, days }) {
  const { say } = useConsole();
  const change = before ? (now - before) / before : null;
  const daily = now / days;
  const isVisible = change !== null && Number(before) >= MIN_COMPARED && change < MAX_CHANGE && say.percent(change) !== say.percent(0);
  return html`<div class="card figure">
    <span class="quiet">${label}</span><strong class="big">${say.compact(now)}</strong>
    ${change !== null && html`<span class="change">
      ${isVisible &&
      html`<span class=${change < 0 ? "quiet" : "good"}>
        ${change < 0 ? "▼" : "▲"} ${say.percent(change)}</span>`}
      <span class="quiet">${say("analytics.before", { value: say.compact(before ?? 0) })}</span>
    </span>`}
    ${before === null && html`<span class="quiet">
      ${say("analytics.per_day", { value: say.compact(daily < 100 ? Math.round(10 * daily) / 10 : Math.round(daily)) })}</span>`}
  </div>`;
}
