// Tests of the figures of a stream.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Counter } from "../../web/console/counts.js";

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
  assert.equal(counter.remove("events/2"), true);
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
