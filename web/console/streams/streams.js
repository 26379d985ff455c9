// The channel's streams, and hooks that count a stream's figures.

/** @import { Event } from "../activity/timeline.js" */

import { loadBoard } from "../../overlay/figures.js";
import { Counter, FIGURES } from "../../shared/counts.js";
import { useLoaded } from "../../shared/loading.js";
import { useConsole, useEffect, useMemo, useRef, useState } from "../../shared/parts.js";

const DAY = 86_400_000;
// The feed reports everything immediately. Lists are reloaded at this interval in case it was interrupted.
const REFRESH = 60_000;
// Until all viewers are counted, the figures are read again at this interval.
export const COUNTING = 30_000;
/** The number of earlier streams that a stream is compared with. */
export const COMPARED = 3;
const SOURCES = { start: "twitch/stream.online", end: "twitch/stream.offline" };

const isOfStream = ({ source } = /** @type {any} */ ({})) => source === SOURCES.start || source === SOURCES.end;

/**
 * @typedef {{from: number, to: number | null}} Stream Its start and end, in milliseconds since 1970. `to` is null while
 *   it is live.
 * @typedef {Stream & {to: number}} Past A stream that has ended.
 */

/**
 * Returns the last streams, newest first. `reported` has events that the lists may not include yet.
 *
 * @param {import("../../shared/client/client.js").Client} client
 * @param {Event[]} reported
 * @param {number} limit
 * @returns {Promise<Stream[]>}
 */
async function streamsOf(client, reported, limit) {
  const times = async (/** @type {string} */ source) => {
    const { records } = await client.page("/events", { query: { source, limit } });
    const all = [...records, ...reported.filter((event) => event.source === source)];
    const unique = new Set(all.map(({ occurred_at: at }) => Date.parse(at)));
    return [...unique].sort((one, other) => other - one).slice(0, limit);
  };
  const [starts, ends] = await Promise.all([times(SOURCES.start), times(SOURCES.end)]);
  return starts.map((from, index) => {
    const next = starts[index - 1] ?? null;
    const to = ends.find((end) => end > from && (next === null || end <= next)) ?? next;
    return { from, to };
  });
}

/** Returns the mean of a figure in earlier streams: the usual one. @param {number[]} values */
export const usualOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The viewers that are counted. A leaderboard has at most this many. */
export const MAX_PEOPLE = 1_000;

/** Returns how many viewers took part in a stream. @param {any} client @param {Past} stream @returns {Promise<number>} */
export const peopleOf = async (client, { from, to }) =>
  (await loadBoard(client, { board: "events", from, to, limit: MAX_PEOPLE })).length;

/** The last streams. @param {number} [limit] @param {number | null} [refresh] */
export function useStreams(limit = COMPARED + 1, refresh = REFRESH) {
  const { client, subscribe } = useConsole();
  const reported = useRef(/** @type {Event[]} */ ([]));
  const loaded = useLoaded(() => streamsOf(client, reported.current, limit), "streams", refresh);
  useEffect(() => subscribe((/** @type {any} */ { data }) => {
    if (!isOfStream(data)) return;
    reported.current.push(data);
    loaded.reload();
  }), []);
  return loaded;
}

/**
 * Counts the events since a stream began or, without one, of the last day. The numbers are always exact: they do not
 * wait for the statistics.
 *
 * @param {Stream | null | undefined} stream Undefined until known.
 */
export function useCounter(stream) {
  const { client, subscribe } = useConsole();
  const [dayStart] = useState(Date.now() - DAY);
  const from = stream === undefined ? null : (stream?.from ?? dayStart);
  const counter = useMemo(() => new Counter(from ?? 0, null), [from]);
  const [version, setVersion] = useState(0);
  const loaded = useLoaded(() => (from === null ? Promise.resolve(null) : counter.list(client)), String(from), REFRESH);
  useEffect(() => {
    // Many entries may arrive at once. One rendering shows them together.
    /** @type {number | null} */
    let timer = null;
    const unsubscribe = subscribe((/** @type {any} */ entry) => {
      if (!counter.apply(entry)) return;
      timer ??= setTimeout(() => {
        timer = null;
        setVersion((before) => before + 1);
      }, 50);
    });
    return () => {
      clearTimeout(timer ?? undefined);
      unsubscribe();
    };
  }, [counter]);
  // A listing also changes the counter.
  return { ...loaded, counter, version: `${version} ${loaded.busy}` };
}

/**
 * Returns a function that returns the earlier streams' usual figures after some milliseconds, or null without any. After
 * an infinite time, these are the figures of whole streams.
 *
 * @param {Stream[] | null} streams
 * @returns {((elapsed: number) => Record<string, number>) | null}
 */
export function useUsual(streams) {
  const { client } = useConsole();
  const before = (streams ?? []).slice(1, COMPARED + 1).filter(({ from, to }) => to !== null && to > from);
  const { value } = useLoaded(async () => {
    const counters = before.map(({ from, to }) => ({ from, counter: new Counter(from, to) }));
    await Promise.all(counters.map(({ counter }) => counter.list(client)));
    return counters;
  }, before.map(({ from }) => from).join(" "));
  if (!value || value.length === 0) return null;
  return (elapsed) => {
    /** @type {Record<string, number>[]} */
    const all = value.map((/** @type {any} */ { from, counter }) => counter.figuresTo(from + elapsed));
    return Object.fromEntries(FIGURES.map((name) => [name, usualOf(all.map((figures) => figures[name]))]));
  };
}
