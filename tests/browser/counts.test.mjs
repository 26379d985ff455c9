// Tests of the figures of a stream.

import assert from "node:assert/strict";
import { test } from "node:test";
import { changesFigures, loadBoard, loadGoal } from "../../web/overlay/figures.js";
import { Counter } from "../../web/shared/counts.js";

const BEGIN = Date.parse("2026-11-20T20:00:00Z");
const at = (minutes) => new Date(BEGIN + minutes * 60_000).toISOString();
const cheer = (id, minutes, amount) => ({ event_id: id, event_type: "cheer", amount, occurred_at: at(minutes) });

/** A client whose lists have these events. */
const listing = (events) => ({
  async *list(path) {
    const types = new URL(path, "http://service.test").searchParams.get("event_type")?.split(",") ?? [];
    yield* events.filter((event) => types.includes(event.event_type));
  },
});

test("an event that is listed and reported counts once", async () => {
  const counter = new Counter(BEGIN, null);
  counter.add(cheer(1, 1, 100));
  await counter.list(listing([cheer(1, 1, 100), cheer(2, 2, 50)]));
  counter.add(cheer(2, 2, 50));
  assert.equal(counter.figuresTo(Infinity).bits, 150);
  assert.equal(counter.apply({ type: "event.deleted", subject: "events/2" }), true);
  assert.equal(counter.figuresTo(Infinity).bits, 100);
});

test("events before the begin and after the end do not count", async () => {
  const counter = new Counter(BEGIN, BEGIN + 10 * 60_000);
  await counter.list(listing([cheer(1, -1, 1), cheer(2, 0, 10), cheer(3, 10, 100), cheer(4, 11, 1_000)]));
  assert.equal(counter.figuresTo(Infinity).bits, 110);
  assert.equal(counter.figuresTo(BEGIN + 60_000).bits, 10);
});

test("a gift counts its subs as gifts, and each recipient as a sub", () => {
  const counter = new Counter(BEGIN, null);
  const details = { giver: { user_name: "Ann" }, total: 50, tier: 1 };
  const gift = { event_type: "plain", reference: "g", occurred_at: at(1), details };
  assert.equal(counter.add({ ...gift, event_id: 1 }), true);
  counter.add({ ...gift, event_id: 2, event_type: "subscriber", details: { ...details, recipient: { user_name: "Bea" } } });
  assert.equal(counter.add({ event_id: 3, event_type: "plain", source: "twitch/channel.chat.message", occurred_at: at(1) }), false);
  const { gifts, subs } = counter.figuresTo(Infinity);
  assert.deepEqual({ gifts, subs }, { gifts: 50, subs: 1 });
});

test("a goal and a board ask the service, from any moment", async () => {
  const queries = [];
  const client = {
    async get(path, { query }) {
      queries.push([path, query]);
      return path === "/totals" ? { bits: 1_010, subscriptions: 3, follows: 7 } : [];
    },
    page: async () => ({ records: [] }),
  };
  const goal = { start: 5, since: at(30), target: 1, title: "" };
  const values = await Promise.all(["bits", "subs", "follows"].map((of) => loadGoal(client, { ...goal, of })));
  assert.deepEqual(values, [1_015, 8, 12]);
  assert.deepEqual(queries[0], ["/totals", { from: at(30) }]);
  queries.length = 0;
  await loadBoard(client, { board: "bits", from: BEGIN, to: BEGIN + 60_000, limit: 2 });
  await loadBoard(client, { board: "messages", from: BEGIN, limit: 2 });
  await loadBoard(client, { board: "bits", limit: 2 });
  assert.deepEqual(queries, [
    ["/leaderboards/bits", { from: at(0), exact: true, to: at(1), limit: 2 }],
    ["/leaderboards/messages", { from: at(0), limit: 2 }],
    ["/leaderboards/bits", { limit: 2 }],
  ]);
});

test("chat messages do not load figures again", () => {
  const entry = (data) => ({ type: "event.created", data });
  assert.equal(changesFigures(entry({ event_type: "plain", source: "twitch/channel.chat.message" })), false);
  assert.equal(changesFigures(entry({ event_type: "plain", source: "twitch/channel.follow" })), true);
  assert.equal(changesFigures(entry(cheer(1, 1, 5))), true);
  assert.equal(changesFigures({ type: "event.deleted" }), true);
  assert.equal(changesFigures({ type: "alert.tested", data: {} }), false);
});
