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
// At least as long as a day on which the clocks change.
const LONG_DAY = DAY + 7_200_000;
const PERIODS = [7, 30, 90];
const LONGEST = 90;
// The service returns at most this many days.
const MAX_DAYS = 1_000;
// Ten times as much suggests a different channel, not a change.
const MAX_CHANGE = 10;
// From fewer than these, one more would be a large change.
const MIN_COMPARED = 10;
// Statistics are at most two minutes behind. Until then, events of an import are read again more often.
const [REFRESH, COUNTING] = [120_000, 15_000];

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
/** Returns a time's local day, as an input has it. @param {number} time */
const isoDay = (time) => new Date(time).toLocaleDateString("sv");
/** @param {string} day */
const startOf = (day) => Date.parse(`${day}T00:00Z`);

/** Returns the first day of the longest period with this last day. @param {string} last */
function firstOfLongest(last) {
  const first = new Date(startOf(last) - (MAX_DAYS - 1) * DAY).toISOString().slice(0, 10);
  return first > EARLIEST ? first : EARLIEST;
}

/**
 * Returns the period that the parameters select: the last days, or those from `first` to `last`.
 *
 * @param {URLSearchParams} parameters
 */
function periodOf(parameters) {
  const [first, last] = [parameters.get("from") ?? "", parameters.get("to") ?? ""];
  const chosen = Math.round((startOf(last) - startOf(first)) / DAY) + 1;
  if (chosen >= 1 && chosen <= MAX_DAYS) return { days: chosen, first, last, isLast: false };
  const days = PERIODS.find((length) => String(length) === parameters.get("days")) ?? 30;
  return { days, first: isoDay(Date.now() - (days - 1) * DAY), last: isoDay(Date.now()), isLast: true };
}

/** Returns noon of a day in a time zone, in milliseconds since 1970. @param {string} day @param {string} zone */
function noonOf(day, zone) {
  const noon = startOf(day) + DAY / 2;
  const there = new Date(noon).toLocaleString("sv", { timeZone: zone });
  return 2 * noon - Date.parse(`${there.replace(" ", "T")}Z`);
}

/**
 * Loads a period's days and those before it. The service rounds each interval to whole days of its time zone, and its end
 * must be later than its begin.
 *
 * @param {any} client
 * @param {{days: number, first: string, last: string, isLast: boolean}} period
 */
async function statistics(client, { days, first, last, isLast }) {
  const request = (/** @type {string} */ part, /** @type {number} */ from, /** @type {number | null} */ to, by = "day") =>
    client.request("GET", "/statistics", { query: { from: new Date(from), to: to ? new Date(to + 1) : undefined, by },
      keptAs: [part, isLast ? days : [first, last]] });
  const now = Date.now();
  const zoneOf = (/** @type {{headers: Headers}} */ { headers }) => headers.get("time-zone") ?? "UTC";
  // A chosen day is one of the service's time zone.
  const zone = isLast ? "" : zoneOf(await request("zone", now - DAY, null));
  const [begin, end] = isLast ? [now - (days - 1) * DAY, null] : [noonOf(first, zone), noonOf(last, zone)];
  const oldest = begin - days * DAY;
  const [current, previous, oldestEvents, hours] = await Promise.all([
    request("days", begin, end),
    request("before", oldest, begin - DAY),
    client.page("/events", { query: { order: "asc", limit: 1 } }),
    isLast ? request("hours", now - days * DAY - LONG_DAY, now - days * DAY, "hour") : null,
  ]);
  let before = previous.data;
  if (hours) {
    // Today is not over, so it is compared with as many hours.
    const { from: start } = before.pop();
    before.push(...hours.data.filter((/** @type {{from: string}} */ { from }) => Date.parse(from) >= Date.parse(start)));
  }
  // Figures of a shorter time would look like growth.
  if (!(Date.parse(oldestEvents.records[0]?.occurred_at) < oldest + DAY)) before = [];
  const { data } = current;
  const query = { occurred_after: data[0].from, occurred_before: data[data.length - 1].to, limit: 1 };
  const isCounted = total(data, FIGURES.events) > 0 || (await client.page("/events", { query })).records.length === 0;
  return { days: data, before, isUnused: oldestEvents.records.length === 0, isCounted, zone: zoneOf(current), asOf: current.headers.get("as-of") };
}

export function View() {
  const { client, say, parameters, setParameters } = useConsole();
  const period = periodOf(parameters);
  /** @type {Record<string, string>} */
  const shown = { from: period.first, to: period.last };
  const key = period.isLast ? String(period.days) : `${period.first} ${period.last}`;
  const { value, error, busy, reload } = useLoaded(() => statistics(client, period), key,
    (loaded) => (loaded.isCounted ? REFRESH : COUNTING));
  const days = value?.days ?? [];
  const isEmpty = total(days, FIGURES.events) === 0;
  const before = value?.before ?? [];
  const isComparable = total(before, FIGURES.events) > 0;
  const select = (/** @type {any} */ length) => setParameters({ days: String(length), from: null, to: null });
  const choose = (/** @type {string} */ name) => (/** @type {string} */ day) => {
    const [from, to] = Object.values({ ...shown, [name]: day }).sort();
    setParameters({ from: [from, firstOfLongest(to)].sort()[1], to, days: null });
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
        (length) => html`<button aria-pressed=${period.isLast && length === period.days}
          onClick=${() => select(length)}>
          ${say("analytics.last", { days: length })}
        </button>`,
      )}
      <div class="bar days">
        ${["from", "to"].map((name) => html`<${Setting} key=${name} label=${say(`analytics.${name}`)} type="date" required
          min=${name === "from" ? firstOfLongest(shown.to) : EARLIEST} max=${isoDay(Date.now())}
          value=${shown[name]} onCommit=${choose(name)} />`)}
      </div>
    </div>
    <p class="quiet" role="status">
      ${busy && !value && say("loading")}
      ${value && say("analytics.as_of", { time: value.asOf ? say.time(value.asOf) : "–" })}
      ${value && value.zone !== ZONE && ` · ${say("analytics.zone", { zone: value.zone })}`}
      ${value && !value.isUnused && ` · ${say(isComparable ? "analytics.compared" : "analytics.incomparable", { days: period.days })}`}
      ${isComparable && period.isLast && `, ${say("analytics.to_hour")}`}
      ${value && period.isLast && !isEmpty && ` · ${say("analytics.today")}`}
    </p>
    <${Problem} error=${error} onRetry=${reload} />
    <${GapsIn} from=${new Date(`${period.first}T00:00`)} to=${new Date(`${period.last}T23:59`)} />
    ${!value && !error && html`<${Skeleton} rows=${6} shape="cards" /><${Skeleton} rows=${2} shape="plots" />`}
    ${value && !value.isCounted && html`<${Empty}>${say("analytics.counting")}<//>`}
    ${value?.isCounted && isEmpty && html`<${Empty}>${say("analytics.empty")}${" "}
      ${value.isUnused || (period.isLast && period.days === LONGEST)
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
      <${Charts} days=${days} isLast=${period.isLast} id=${key} zone=${value.zone} />`}`;
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
