// The figures of a viewer's entire history.

import { SOURCES } from "./kinds.js";

/** The sources of plain events that are not viewers' messages. */
const OTHERS = [SOURCES.follow, SOURCES.redemption, SOURCES.gift].flat();
// Statistics are by year, so one request returns all of them.
const BEGIN = "2010-01-01T00:00:00Z";

/**
 * Returns the time when a viewer was first seen. An import stores the viewer later than the first event.
 *
 * @param {{created_at: string}} user
 * @param {any} history
 */
export const sinceOf = ({ created_at: created }, history) =>
  (Date.parse(history?.first) < Date.parse(created) ? history.first : created);

/** Returns the number of a viewer's messages in a bucket. @param {any} bucket */
export const messagesOf = ({ events, sources }) =>
  OTHERS.reduce((many, source) => many - (sources[source] ?? 0), events.plain);

/**
 * Returns true if statistics have counted what a viewer did when it was stored. Before, their zeros mean nothing.
 *
 * @param {Headers} headers Of the statistics, or of a leaderboard.
 * @param {{created_at: string}} user
 */
export const areCounted = (headers, { created_at: created }) =>
  !(Date.parse(headers.get("as-of") ?? "") < Date.parse(created));

/**
 * Returns the totals of a viewer's statistics and their headers, the last subscription, and the times of the first and
 * last event.
 *
 * @param {any} client
 * @param {string} id
 */
export async function historyOf(client, id) {
  const events = (/** @type {object} */ query) => client.page(`/users/${id}/events`, { query: { limit: 1, ...query } });
  const [{ data: years, headers }, subs, last, first] = await Promise.all([
    client.request("GET", `/users/${id}/statistics`, { query: { from: BEGIN, by: "year" } }),
    events({ event_type: "subscriber" }),
    events({}),
    events({ order: "asc" }),
  ]);
  const total = (/** @type {any} */ value) =>
    years.reduce((/** @type {any} */ sum, /** @type {any} */ year) => sum + value(year), 0);
  return {
    headers,
    bits: total((/** @type {any} */ { bits }) => bits),
    messages: total(messagesOf),
    raiders: total((/** @type {any} */ { raid_viewers: viewers }) => viewers),
    sub: subs.records[0] ?? null,
    seen: last.records[0]?.occurred_at ?? null,
    first: first.records[0]?.occurred_at ?? null,
  };
}
