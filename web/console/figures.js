// The figures of a viewer's entire history.

// Statistics are by year, so that one request has all of them.
const BEGIN = "2010-01-01T00:00:00Z";

/** Returns the sums of a viewer's statistics, the last subscription, and the time of the last event. */
export async function figuresOf(client, id) {
  const [years, subs, events] = await Promise.all([
    client.get(`/users/${id}/statistics`, { query: { from: BEGIN, by: "year" } }),
    client.page(`/users/${id}/events`, { query: { event_type: "subscriber", limit: 1 } }),
    client.page(`/users/${id}/events`, { query: { limit: 1 } }),
  ]);
  const total = (value) => years.reduce((sum, year) => sum + value(year), 0);
  return {
    bits: total(({ bits }) => bits),
    messages: total(({ events }) => events.plain),
    raiders: total(({ raid_viewers: viewers }) => viewers),
    sub: subs.records[0] ?? null,
    seen: events.records[0]?.occurred_at ?? null,
  };
}
