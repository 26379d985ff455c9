// The figures of goals and boards. The service counts them, up to now.

import { kindOf } from "../shared/kinds.js";

/** @typedef {import("../shared/client/index.js").Client} Client */

const DAY = 86_400_000;

/** What a goal counts, as a member of the totals. @type {Record<string, "subscriptions" | "bits" | "follows">} */
const TOTALS = { subs: "subscriptions", bits: "bits", follows: "follows" };

/** The boards that count each event at once, from any moment. The others only do so up to a past moment. */
const EXACT = ["bits", "subscriptions", "raid_viewers"];

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
 * Loads the value of a goal of the settings.
 *
 * @param {Client} client
 * @param {import("./settings.js").Settings["goal"]} goal
 * @returns {Promise<number>}
 */
export async function loadGoal(client, { of, start, since }) {
  const from = since ? Date.parse(since) : ((await streamStart(client)) ?? Date.now() - DAY);
  const totals = await client.get("/totals", { query: { from: iso(from) } });
  return start + totals[TOTALS[of]];
}

/**
 * Loads the first places of a leaderboard, of all time without `from`.
 *
 * @param {Client} client
 * @param {{board: string, from?: number, to?: number | null, limit: number}} options
 * @returns {Promise<any[]>}
 */
export async function loadBoard(client, { board, from, to, limit }) {
  const load = (/** @type {boolean} */ exact) => {
    const query = { ...(from !== undefined && { from: iso(from) }), ...(to && { to: iso(to) }), ...(exact && { exact }), limit };
    return client.get(`/leaderboards/${board}`, { query });
  };
  if (from === undefined || !(to || EXACT.includes(board))) return load(false);
  // With much chat, a board has only whole hours.
  return load(true).catch((error) => (error.status === 400 ? load(false) : Promise.reject(error)));
}

/**
 * Returns true if an entry of the feed may change a goal or a board. Chat messages are counted once a minute.
 *
 * @param {{type: string, data?: any}} entry
 */
export const changesFigures = ({ type, data }) => type.startsWith("event.") && (!data || kindOf(data) !== "plain");
