// The figures of goals and boards, without the delay of the statistics: these count whole hours that they include, and
// the events since are counted one by one. An interval that is not longer than a long stream needs no statistics.

import { Counter } from "../shared/counts.js";

/** @typedef {import("../shared/client/index.js").Client} Client */
/**
 * Figures that follow the feed. `apply` returns true if they must be loaded again.
 *
 * @typedef {{value: any, apply: (entry: import("../shared/client/types.js").Entry) => boolean | void}} Figures
 */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
// The longest interval whose events are all listed.
const MAX_LISTED = 2 * DAY;
// An event of an hour may arrive after its end.
const MAX_DELAY = HOUR / 6;
// A response has at most 1,000 buckets.
const MAX_BUCKETS = 900;

/** The part of a bucket that a goal counts. @type {Record<string, (bucket: any) => number>} */
const GOALS = {
  subs: ({ events }) => events.subscriber,
  bits: ({ bits }) => bits,
  follows: ({ sources }) => sources["twitch/channel.follow"] ?? 0,
};

/** The increment of a board by an event. All messages are too many to be listed. @type {Record<string, (event: any) => number>} */
const BOARDS = {
  bits: ({ amount }) => amount ?? 0,
  subscriptions: ({ event_type: type }) => Number(type === "subscriber"),
  raid_viewers: ({ viewer_count: viewers }) => viewers ?? 0,
};

const iso = (/** @type {number} */ time) => new Date(time).toISOString();

/**
 * Returns the begin of the current stream, or of the last one, in milliseconds since 1970. Undefined if there was none.
 *
 * @param {Client} client
 * @returns {Promise<number | undefined>}
 */
export async function streamStart(client) {
  const { records } = await client.page("/events", { query: { source: "twitch/stream.online", limit: 1 } });
  return records[0] && Date.parse(records[0].occurred_at);
}

/**
 * Splits an interval until now at the end of the last hour that the statistics include.
 *
 * @param {Client} client
 * @param {number} from
 * @returns {Promise<{end: number | null, counter: Counter}>} The end is null if the counter has all events.
 */
async function split(client, from) {
  let end = null;
  if (Date.now() - from > MAX_LISTED) {
    const query = { from: iso(Date.now() - 2 * HOUR), by: "hour" };
    const { data: hours, headers } = await client.request("GET", "/statistics", { query });
    const included = Date.parse(headers.get("as-of") ?? "") - MAX_DELAY;
    const ends = hours.map((/** @type {any} */ { to }) => Date.parse(to));
    end = ends.filter((/** @type {number} */ time) => time <= included).at(-1) ?? Date.parse(hours[0].from);
  }
  const counter = new Counter(end ?? from, null);
  await counter.list(client);
  return { end, counter };
}

/**
 * Loads the value of a goal of the settings.
 *
 * @param {Client} client
 * @param {import("./settings.js").Settings["goal"]} goal
 * @returns {Promise<Figures>}
 */
export async function loadGoal(client, { of, start, since }) {
  const from = since ? Date.parse(since) : ((await streamStart(client)) ?? Date.now() - DAY);
  const { end, counter } = await split(client, from);
  let base = start;
  if (end !== null) {
    const hours = (end - from) / HOUR;
    const by = hours < MAX_BUCKETS ? "hour" : hours < MAX_BUCKETS * 24 ? "day" : "month";
    const to = iso(end);
    const buckets = await client.get("/statistics", { query: { from: iso(from), to, by } });
    // The last day or month goes on, so its hours are counted.
    const last = by === "hour" ? null : buckets.pop();
    if (last) buckets.push(...(await client.get("/statistics", { query: { from: last.from, to, by: "hour" } })));
    base = buckets.reduce((/** @type {number} */ sum, /** @type {any} */ bucket) => sum + GOALS[of](bucket), start);
  }
  return {
    get value() {
      return base + counter.figuresTo(Infinity)[of];
    },
    apply: (entry) => void counter.apply(entry),
  };
}

/**
 * Loads the first places of a leaderboard.
 *
 * @param {Client} client
 * @param {{board: string, from: number | undefined, to?: number | null, limit: number}} options
 * @returns {Promise<Figures>}
 */
export async function loadBoard(client, { board, from, to = null, limit }) {
  const read = (/** @type {object} */ query) => client.get(`/leaderboards/${board}`, { query: /** @type {any} */ (query) });
  const first = from !== undefined && { from: iso(from) };
  // All time until an hour would be many periods, which may cost too much. The board of all time is one.
  if (!BOARDS[board] || from === undefined || to !== null) {
    const value = await read({ ...first, ...(to !== null && { to: iso(to) }), limit });
    return { value, apply: () => false };
  }
  const { end, counter } = await split(client, from);
  // Others than the first may have become so since.
  const places = end === null ? [] : await read({ ...first, to: iso(end), limit: 2 * limit + 20 });
  return {
    get value() {
      return placesOf(counter.events, board, limit, places);
    },
    apply: (entry) => void counter.apply(entry),
  };
}

/**
 * Returns the first places of a board after some events. Equal values share a rank.
 *
 * @param {any[]} events
 * @param {string} board One of those that are counted by their events.
 * @param {number} limit
 * @param {any[]} places Those before the events.
 */
export function placesOf(events, board, limit, places = []) {
  const users = new Map(places.map(({ user, value }) => [user.user_id, { user, value }]));
  for (const event of events) {
    const { user } = event;
    if (!user) continue;
    users.set(user.user_id, { user, value: (users.get(user.user_id)?.value ?? 0) + BOARDS[board](event) });
  }
  const order = (/** @type {any} */ one, /** @type {any} */ other) =>
    other.value - one.value || one.user.user_id - other.user.user_id;
  const all = [...users.values()].filter(({ value }) => value > 0).sort(order);
  const ranked = all.map((place) => ({ rank: 1 + all.findIndex(({ value }) => value === place.value), ...place }));
  return ranked.slice(0, limit);
}
