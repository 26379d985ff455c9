// The figures of a viewer's entire history.

// Statistics are by year, so that one request has all of them.
const BEGIN = "2010-01-01T00:00:00Z";

/**
 * Returns the figures of a viewer, and the time of the first event.
 *
 * @param {any} client
 * @param {string} id
 */
export async function historyOf(client, id) {
  const query = { order: "asc", limit: 1 };
  const [figures, { records }] = await Promise.all([
    figuresOf(client, id), client.page(`/users/${id}/events`, { query }),
  ]);
  return { ...figures, first: records[0]?.occurred_at ?? null };
}

/**
 * Returns the time at which a viewer was first seen. An import stores a viewer later than the first event.
 *
 * @param {{created_at: string}} user
 * @param {any} history
 */
export const sinceOf = ({ created_at: created }, history) =>
  (Date.parse(history?.first) < Date.parse(created) ? history.first : created);

/**
 * Returns the sums of a viewer's statistics, the last subscription, and the time of the last event.
 *
 * @param {any} client
 * @param {string} id
 */
export async function figuresOf(client, id) {
  const [years, subs, events] = await Promise.all([
    client.get(`/users/${id}/statistics`, { query: { from: BEGIN, by: "year" } }),
    client.page(`/users/${id}/events`, { query: { event_type: "subscriber", limit: 1 } }),
    client.page(`/users/${id}/events`, { query: { limit: 1 } }),
  ]);
  const total = (/** @type {any} */ value) =>
    years.reduce((/** @type {any} */ sum, /** @type {any} */ year) => sum + value(year), 0);
  return {
    bits: total((/** @type {any} */ { bits }) => bits),
    messages: total((/** @type {any} */ { events }) => events.plain),
    raiders: total((/** @type {any} */ { raid_viewers: viewers }) => viewers),
    sub: subs.records[0] ?? null,
    seen: events.records[0]?.occurred_at ?? null,
  };
}
