// The figures for the rows in a list of viewers. Those that scroll into view together are requested together.

import { areCounted, messagesOf } from "../../shared/history.js";
import { useConsole, useEffect, useRef, useState } from "../../shared/parts.js";
import { MAX_SORTED } from "./boards.js";

// The maximum number of values for a filter, and of viewers for a request of the newest events.
const BATCH = 20;
const PAGE_SIZE = 100;
// Rows that scroll into view within this time are handled together, in milliseconds.
const PAUSE = 50;
// The time until viewers who were not counted yet are loaded again, in milliseconds.
const RECOUNT = 30_000;
/** The viewers whose figures could not be loaded, and why. @type {{error: any, users: any[]}} */
const NONE = { error: null, users: [] };
/** The figures that were loaded last, by viewer identifier. While the service is away, they are shown. @type {Map<number, any>} */
const last = new Map();
const BEGIN = "2010-01-01T00:00:00Z";
/** Each figure's leaderboard. */
const BOARDS = { bits: "bits", messages: "messages", balance: "wallet" };

/**
 * Loads a leaderboard. Returns a viewer's value on it, without one zero, or undefined if the leaderboard is full. Null
 * means that the viewer was not counted yet.
 *
 * @param {any} client
 * @param {string} board
 */
async function boardOf(client, board) {
  const { data: ranks, headers } = await client.request("GET", `/leaderboards/${board}`, { query: { limit: MAX_SORTED } });
  const values = new Map(ranks.map((/** @type {any} */ { user, value }) => [user.user_id, value]));
  return (/** @type {any} */ user) => {
    if (ranks.length >= MAX_SORTED) return values.get(user.user_id);
    return values.get(user.user_id) ?? (board === BOARDS.balance || areCounted(headers, user) ? 0 : null);
  };
}

/** Returns the figures by viewer identifier, a function that requests a viewer's figures, and why some could not be loaded. */
export function useRowFigures() {
  const { client, connected } = useConsole();
  const [figures, setFigures] = useState(new Map());
  const [failed, setFailed] = useState(NONE);
  const work = useRef({ waiting: /** @type {any[]} */ ([]), requested: new Set(), timer: 0, recounts: /** @type {number[]} */ ([]), boards: /** @type {any} */ (null) });
  useEffect(() => () => [work.current.timer, ...work.current.recounts].forEach(clearTimeout), []);
  const eventsOf = (/** @type {number[]} */ ids, /** @type {object} */ query) =>
    client.page("/events", { query: /** @type {any} */ ({ user_id: ids, ...query }) });

  /** Returns each viewer's newest event. An event beyond the others' page costs an extra request. */
  const newest = async (/** @type {number[]} */ ids, /** @type {object} */ query = {}) => {
    const { records, next } = await eventsOf(ids, { ...query, limit: PAGE_SIZE });
    const found = new Map([...records].reverse().map((/** @type {any} */ event) => [event.user_id, event]));
    const missing = next ? ids.filter((id) => !found.has(id)) : [];
    const others = await Promise.all(missing.map((id) => eventsOf([id], { ...query, limit: 1 })));
    for (const { records: [event] } of others) if (event) found.set(event.user_id, event);
    return found;
  };

  /** Adds the values that a full leaderboard omits. */
  const completed = async (/** @type {any} */ user, /** @type {any} */ row) => {
    if (row.balance === undefined) row.balance = (await client.get(`/users/${user.user_id}`)).wallet;
    if (row.bits !== undefined && row.messages !== undefined) return row;
    const query = { from: BEGIN, by: "year" };
    const years = await client.get(`/users/${user.user_id}/statistics`, { query });
    const sum = (/** @type {(year: any) => number} */ value) =>
      years.reduce((/** @type {number} */ total, /** @type {any} */ year) => total + value(year), 0);
    return { ...row, bits: sum(({ bits }) => bits), messages: sum(messagesOf) };
  };

  const load = async (/** @type {any[]} */ users) => {
    const { current } = work;
    current.boards ??= Promise.all(Object.values(BOARDS).map((board) => boardOf(client, board)));
    const ids = users.map(({ user_id: id }) => id);
    try {
      const [boards, pets, subs, events, { PetDrawing }] = await Promise.all([
        current.boards,
        client.page("/specimens", { query: { owner_id: ids, forgotten: false, limit: PAGE_SIZE } }),
        newest(ids, { event_type: "subscriber" }),
        newest(ids),
        // The first rows do not wait for it.
        import("../../shared/pet-drawing.js"),
      ]);
      const owned = new Map(pets.records.map((/** @type {any} */ pet) => [pet.owner_id, pet]));
      const rows = await Promise.all(users.map(async (user) => {
        const id = user.user_id;
        const values = Object.keys(BOARDS).map((name, index) => [name, boards[index](user)]);
        const more = { sub: subs.get(id) ?? null, seen: events.get(id)?.occurred_at ?? null, pet: owned.get(id) ?? null,
          PetDrawing };
        return [id, await completed(user, { ...Object.fromEntries(values), ...more })];
      }));
      for (const [id, row] of rows) last.set(id, row);
      setFigures((before) => new Map([...before, .../** @type {any} */ (rows)]));
      const uncounted = users.filter((_, index) => rows[index][1].bits === null || rows[index][1].messages === null);
      if (uncounted.length === 0) return;
      current.recounts.push(setTimeout(() => {
        current.boards = null;
        load(uncounted);
      }, RECOUNT));
    } catch (error) {
      current.boards = null;
      ids.forEach((id) => current.requested.delete(id));
      const isKnown = /** @type {any} */ (error).name === "ConnectionError" && ids.every((id) => last.has(id));
      if (isKnown) setFigures((before) => new Map([...last, ...before]));
      setFailed((before) => ({ error: isKnown ? before.error : error, users: [...before.users, ...users] }));
    }
  };

  const request = (/** @type {any} */ user) => {
    const { current } = work;
    if (current.requested.has(user.user_id)) return;
    current.requested.add(user.user_id);
    current.waiting.push(user);
    clearTimeout(current.timer);
    current.timer = setTimeout(() => {
      for (; current.waiting.length > 0;) load(current.waiting.splice(0, BATCH));
    }, PAUSE);
  };
  const retry = () => {
    setFailed(NONE);
    failed.users.forEach(request);
  };
  useEffect(() => {
    if (connected) retry();
  }, [connected]);
  return { figures, request, error: failed.error, retry };
}
