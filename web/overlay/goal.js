// The value of a goal: a sum of the statistics since a time, or since the stream began.

const HOUR = 3_600_000;
// A response has at most 1,000 buckets.
const MAX_BUCKETS = 900;
const VALUES = { subs: ({ events }) => events.subscriber, bits: ({ bits }) => bits, follows: ({ sources }) => sources["twitch/channel.follow"] ?? 0 };

/** Returns the begin of the current stream, or of the last one. Undefined if there was none. */
export async function streamStart(client) {
  const { records } = await client.page("/events", { query: { source: "twitch/stream.online", limit: 1 } });
  return records[0]?.occurred_at;
}

/** Returns the current value of a goal of the settings. */
export async function goalValue(client, goal) {
  const from = goal.since ?? (await streamStart(client)) ?? new Date(Date.now() - 24 * HOUR).toISOString();
  const hours = (Date.now() - Date.parse(from)) / HOUR;
  const by = hours < MAX_BUCKETS ? "hour" : hours < MAX_BUCKETS * 24 ? "day" : "month";
  const buckets = await client.get("/statistics", { query: { from, by } });
  return goal.start + buckets.reduce((sum, bucket) => sum + VALUES[goal.of](bucket), 0);
}
