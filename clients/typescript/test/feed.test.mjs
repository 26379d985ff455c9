// Tests of the feed client against a scripted service, where pushes are lost, late or duplicated, and responses are 503
// or never arrive.

import assert from "node:assert/strict";
import test from "node:test";

import { follow } from "../src/feed.js";

/** Creates a simulated clock that does not wait. */
function clock() {
  const due = [];
  let now = 0;
  return {
    schedule: (run, delay) => due.push({ at: now + delay, run }),
    async run(until) {
      await new Promise(setImmediate);
      while (due.length > 0) {
        due.sort((one, other) => one.at - other.at);
        if (due[0].at > until) break;
        const { at, run } = due.shift();
        now = at;
        run();
        // Let pending promises settle.
        await new Promise(setImmediate);
      }
      now = until;
      await new Promise(setImmediate);
    },
  };
}

/** Creates a feed of at most `capacity` events, with random failures. */
function service(capacity, { failing = 0.1, pageOf = 100 } = {}) {
  const entries = [];
  return {
    entries,
    add: () => entries.length < capacity && entries.push({ id: String(entries.length + 1).padStart(16, "0") }),
    read: async (after) => {
      if (Math.random() < failing) throw { status: 503 };
      const head = entries.length;
      return { entries: after === null ? [] : entries.slice(after, after + pageOf), head };
    },
  };
}

test("every event is delivered once and in order despite faulty pushes and responses", async () => {
  const { schedule, run } = clock();
  const count = 2_000;
  const feed = service(count);
  const seen = [];
  const client = follow({ read: feed.read, after: 0, onEntry: (entry) => seen.push(Number(entry.id)), interval: 1_000, schedule });
  for (let number = 0; number < count; number += 1) {
    feed.add();
    const head = feed.entries.length;
    const random = Math.random();
    if (random > 0.1) client.push(head);
    if (random > 0.8) client.push(head);
    if (random < 0.2) schedule(() => client.push(head), 3_000);
    await run(number * 50);
  }
  await run(count * 50 + 120_000);
  assert.deepEqual(seen, Array.from({ length: count }, (_, index) => index + 1));
});

test("polling alone delivers every event", async () => {
  const { schedule, run } = clock();
  const feed = service(500, { failing: 0.3, pageOf: 7 });
  const seen = [];
  follow({ read: feed.read, after: 0, onEntry: (entry) => seen.push(Number(entry.id)), interval: 1_000, schedule });
  for (let number = 0; number < 500; number += 1) feed.add();
  await run(1_800_000);
  assert.equal(seen.length, 500);
});

test("a client without `after` starts at the head, without earlier events", async () => {
  const { schedule, run } = clock();
  const feed = service(20, { failing: 0 });
  for (let number = 0; number < 10; number += 1) feed.add();
  const seen = [];
  let started = null;
  follow({ read: feed.read, after: null, onStart: (head) => (started = head), onEntry: (entry) => seen.push(Number(entry.id)), schedule });
  await run(10);
  for (let number = 0; number < 10; number += 1) feed.add();
  await run(5_000);
  assert.equal(started, 10);
  assert.deepEqual(seen, [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
});

test("expired entries are reported as missed, and the client continues at the head", async () => {
  const { schedule, run } = clock();
  const states = [];
  const seen = [];
  let hasExpired = true;
  const read = async (after) => {
    if (after !== null && hasExpired) throw { status: 410 };
    hasExpired = false;
    return { entries: after === 50 ? [{ id: "0000000000000051" }] : [], head: after === 50 ? 51 : 50 };
  };
  follow({ read, after: 3, onEntry: (entry) => seen.push(entry.id), onState: (state) => states.push(state), schedule });
  await run(20_000);
  assert.ok(states.some((state) => state.missed));
  assert.deepEqual(seen, ["0000000000000051"]);
});

test("a client ahead of a restored service continues at its head", async () => {
  const { schedule, run } = clock();
  const seen = [];
  const read = async (after) => {
    if (after !== null && after > 7) throw { status: 400 };
    return { entries: after === 5 ? [{ id: "0000000000000006" }, { id: "0000000000000007" }] : [], head: after === null ? 5 : 7 };
  };
  follow({ read, after: 1_000, onEntry: (entry) => seen.push(Number(entry.id)), schedule });
  await run(20_000);
  assert.deepEqual(seen, [6, 7]);
});

test("retries never end, and their delays are at most 30 seconds", async () => {
  const delays = [];
  const reported = [];
  const read = () => Promise.reject({});
  await new Promise((resolve) => {
    const schedule = (run, delay) => {
      delays.push(delay);
      if (delays.length < 40) setImmediate(run);
      else resolve();
    };
    follow({ read, after: 0, onEntry: () => {}, onState: ({ retryIn }) => reported.push(retryIn), schedule });
  });
  assert.ok(delays.every((delay) => delay >= 500 && delay <= 30_000), String(delays));
  assert.ok(Math.max(...delays) > 14_000);
  assert.deepEqual(reported, delays);
});
