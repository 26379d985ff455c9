// The gaps in the events: intervals without a connection to Twitch, which does not resend what happened in them.

import { html, useConsole } from "../../shared/parts.js";
import { useLoaded } from "../../shared/loading.js";

// A gap is known when the connection is back.
const REFRESH = 30_000;
const MAX_GAPS = 5;

/**
 * Calls `onGaps` with the gaps, newest first, now and after each refresh. Returns a function that stops.
 *
 * @param {any} client
 * @param {any} onGaps
 */
export function followGaps(client, onGaps) {
  let timer = /** @type {any} */ (null);
  let lastKey = "[]";
  const load = async () => {
    // Events do not need the connection, so its failures are only reported under Settings.
    const { gaps } = await client.get("/connections/twitch").catch(() => ({ gaps: null }));
    if (timer === undefined) return;
    // Rows are only rendered again if the gaps have changed.
    if (gaps && JSON.stringify(gaps) !== lastKey) onGaps(gaps);
    lastKey = gaps ? JSON.stringify(gaps) : lastKey;
    timer = setTimeout(load, REFRESH);
  };
  load();
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
}

/**
 * Returns the sentence about a gap. With `isDated`, or for a gap longer than a day, it contains dates.
 *
 * @param {{from: any, to: any}} record
 * @param {any} say
 * @param {any} isDated
 */
export function gapText({ from, to }, say, isDated) {
  const clock = (/** @type {string} */ time) =>
    new Intl.DateTimeFormat(say.lang, { timeStyle: "short" }).format(new Date(time));
  const isOneDay = say.date(from) === say.date(to);
  return say("gap",
    { from: isDated || !isOneDay ? say.time(from) : clock(from), to: isOneDay ? clock(to) : say.time(to) });
}

/**
 * The gaps between two events of a list. `above` is the newer one, and missing for the newest event.
 *
 * @param {{gaps: any[], above: any, below: any}} props
 */
export function Gaps({ gaps, above, below }) {
  const { say } = useConsole();
  const time = (/** @type {any} */ event) => Date.parse(event.occurred_at);
  const between = gaps.filter(({ from }) =>
    Date.parse(from) >= time(below) && (!above || Date.parse(from) < time(above)));
  return between.map((gap) => html`<div class="gap" role="listitem" key=${gap.from}>${gapText(gap, say, false)}</div>`);
}

/** The gaps in an interval, for a view of figures. @param {{from: any, to: any}} props */
export function GapsIn({ from, to }) {
  const { client, say } = useConsole();
  const { value } = useLoaded(() => client.get("/connections/twitch"), "gaps", REFRESH);
  const gaps = (value?.gaps ?? []).filter((/** @type {any} */ gap) =>
    Date.parse(gap.to) > from.getTime() && Date.parse(gap.from) < to.getTime());
  if (gaps.length === 0) return null;
  const list = (/** @type {any[]} */ some) =>
    html`<ul>${some.map((/** @type {any} */ gap) => html`<li key=${gap.from}>${gapText(gap, say, true)}</li>`)}</ul>`;
  return html`<section class="card gaps" aria-label=${say("gaps.title")}>
    <h2>${say("gaps.title")}</h2>
    <p class="quiet">${say("gaps.why")}</p>
    ${list(gaps.slice(0, MAX_GAPS))}
    ${gaps.length > MAX_GAPS &&
    html`<details><summary>${say("count_more", { many: gaps.length - MAX_GAPS })}</summary>
      ${list(gaps.slice(MAX_GAPS))}</details>`}
  </section>`;
}
