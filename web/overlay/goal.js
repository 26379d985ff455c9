// The value of a goal: a sum of the statistics since a time, or since the stream began.

const HOUR = 3_600_000;
// A response has at most 1,000 buckets.
const MAX_BUCKETS = 900;
/** @type {Record<string, (bucket: any) => number>} */
const VALUES = {
  subs: ({ events }) => events.subscriber,
  bits: ({ bits }) => bits,
  follows: ({ sources }) => sources["twitch/channel.follow"] ?? 0,
};

/** @typedef {import("../shared/client/index.js").Client} Client */

/**
 * Returns the begin of the current stream, or of the last one. Undefined if there was none.
 *
 * @param {Client} client
 * @returns {Promise<string | undefined>}
 */
export async function streamStart(client) {
  const { records } = await client.page("/events", { query: { source: "twitch/stream.online", limit: 1 } });
  return /** @type {any} */ (records[0])?.occurred_at;
}

/**
 * Returns the current value of a goal of the settings.
 *
 * @param {Client} client
 * @param {import("./settings.js").Settings["goal"]} goal
 * @returns {Promise<number>}
 */
export async function goalValue(client, goal) {
  const from = goal.since ?? (await streamStart(client)) ?? new Date(Date.now() - 24 * HOUR).toISOString();
  const hours = (Date.now() - Date.parse(from)) / HOUR;
  const by = hours < MAX_BUCKETS ? "hour" : hours < MAX_BUCKETS * 24 ? "day" : "month";
  /** @type {any[]} */
  const buckets = await client.get("/statistics", { query: { from, by } });
  return buckets.reduce((sum, bucket) => sum + VALUES[goal.of](bucket), goal.start);
}
