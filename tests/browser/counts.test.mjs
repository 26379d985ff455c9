// Tests of the figures of a stream.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadBoard, loadGoal } from "../../web/overlay/figures.js";
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

test("a goal and a board count the statistics up to an hour and each event since once", async () => {
  const [hour, now] = [3_600_000, Date.now()];
  const thisHour = now - (now % hour);
  const user = (id) => ({ user_id: id, name: `Viewer ${id}` });
  const event = (id, time, amount, viewer = 1) =>
    ({ event_id: id, event_type: "cheer", amount, occurred_at: new Date(time).toISOString(), user: user(viewer) });
  // The second event is in the statistics of an hour that goes on. It is counted once.
  const events = [event(1, thisHour - 3 * hour, 1_000), event(2, now - 1_000, 10)];
  const sums = (from, to) => events.reduce((sum, { amount, occurred_at: at }) => sum + (Date.parse(at) >= from && Date.parse(at) < to ? amount : 0), 0);
  const queries = [];
  const client = {
    ...listing(events),
    async get(path, { query }) {
      queries.push([path, query]);
      const to = Date.parse(query.to ?? new Date(now).toISOString());
      if (path.startsWith("/leaderboards")) return [{ rank: 1, value: sums(0, to), user: user(1) }, { rank: 2, value: 900, user: user(2) }];
      const length = { hour, day: 24 * hour, month: 720 * hour }[query.by];
      const buckets = [];
      for (let begin = Math.floor(Date.parse(query.from) / length) * length; begin < to; begin += length) {
        const [first, last] = [begin, begin + length].map((time) => new Date(time).toISOString());
        buckets.push({ from: first, to: last, bits: sums(begin, begin + length) });
      }
      return buckets;
    },
    async request(_, path, options) {
      return { data: await this.get(path, options), headers: new Headers({ "as-of": new Date(now).toISOString() }) };
    },
  };
  for (const days of [3, 60, 2_000]) {
    const since = new Date(now - days * 24 * hour).toISOString();
    const goal = await loadGoal(client, { of: "bits", start: 5, since, target: 1, title: "" });
    assert.equal(goal.value, 1_015, `${days} days`);
    goal.apply({ type: "event.created", subject: "events/3", data: event(3, now, 100) });
    goal.apply({ type: "event.created", subject: "events/2", data: events[1] });
    assert.equal(goal.value, 1_115, `${days} days`);
  }
  const board = await loadBoard(client, { board: "bits", from: now - 60 * 24 * hour, limit: 2 });
  board.apply({ type: "event.created", subject: "events/3", data: event(3, now, 1_010, 2) });
  board.apply({ type: "event.created", subject: "events/4", data: event(4, now, 900, 3) });
  assert.deepEqual(board.value.map(({ rank, value, user: { user_id: id } }) => [rank, value, id]), [[1, 1_910, 2], [2, 1_010, 1]]);
  // All time is one period without an end: until an hour, it would be many, and may be refused.
  queries.length = 0;
  await loadBoard(client, { board: "bits", from: undefined, limit: 2 });
  assert.deepEqual(queries, [["/leaderboards/bits", { limit: 2 }]]);
  // A stream is counted without the statistics.
  queries.length = 0;
  const stream = await loadBoard(client, { board: "bits", from: now - hour, limit: 2 });
  assert.deepEqual([stream.value.map(({ value }) => value), queries], [[10], []]);
});
