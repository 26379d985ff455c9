// Tests of the list of events behind the console's Activity.

import assert from "node:assert/strict";
import test from "node:test";

import { Timeline } from "../../web/console/activity/timeline.js";

const START = Date.parse("2026-11-22T20:00:00Z");
const event = (id, type = "cheer") => ({ event_id: id, event_type: type, occurred_at: new Date(START + id * 1_000).toISOString() });

/** Serves lists like the service: newest first, in pages, optionally before a time. `limits` collects their limits. */
const served = (lists, limits = []) => async (path, limit) => {
  limits.push(limit);
  const [name, query] = path.split("?");
  const parameters = new URLSearchParams(query);
  const before = parameters.get("occurred_before");
  const all = lists[name].filter(({ occurred_at: at }) => !before || Date.parse(at) < Date.parse(before)).sort((one, other) => other.event_id - one.event_id);
  const from = Number(parameters.get("from") ?? 0);
  parameters.set("from", String(from + limit));
  return { records: all.slice(from, from + limit), next: from + limit < all.length ? `${name}?${parameters}` : null };
};
const ids = (timeline) => timeline.chunks.flatMap(({ events }) => events.map(({ event_id: id }) => id));
const numbers = (count) => Array.from({ length: count }, (_, at) => at + 1);

test("several lists are one, newest first, without losses and duplicates", async () => {
  const lists = { odd: numbers(300).filter((id) => id % 2).map((id) => event(id)), raids: numbers(300).filter((id) => id % 10 === 0).map((id) => event(id, "raid")) };
  const timeline = new Timeline({ paths: ["odd?", "raids?"], page: served(lists), matches: () => true });
  while (!timeline.isComplete) await timeline.more();
  const expected = [...lists.odd, ...lists.raids].map(({ event_id: id }) => id).sort((one, other) => other - one);
  assert.deepEqual(ids(timeline), expected);
});

test("new, late, changed and deleted events are in their places", async () => {
  const timeline = new Timeline({ paths: ["all?"], page: served({ all: numbers(200).map((id) => event(id * 2)) }), matches: ({ event_type: type }) => type === "cheer" });
  await timeline.more();
  assert.equal(timeline.add(event(999)), true);
  assert.equal(timeline.add(event(999)), false, "once");
  assert.equal(timeline.add(event(399)), true);
  assert.equal(timeline.add(event(3)), false, "it arrives with its page");
  assert.equal(timeline.add(event(1_000, "raid")), false);
  timeline.change("events/400", () => null);
  timeline.change("events/398", (before) => ({ ...before, message: "edited" }));
  assert.deepEqual(ids(timeline).slice(0, 3), [999, 399, 398]);
  assert.equal(timeline.chunks.flatMap(({ events }) => events).find(({ event_id: id }) => id === 398).message, "edited");
});

test("released events are loaded again", async () => {
  const all = numbers(2_300).map((id) => event(id));
  const timeline = new Timeline({ paths: ["all?"], page: served({ all: all.slice(0, 100) }), matches: () => true });
  while (!timeline.isComplete) await timeline.more();
  all.slice(100).forEach((one) => timeline.add(one));
  const other = new Timeline({ paths: ["all?"], page: served({ all }), matches: () => true });
  while (!other.isComplete) await other.more();
  other.trim();
  assert.ok(other.size <= 1_000 && !other.isComplete);
  while (!other.isComplete) await other.more();
  assert.deepEqual(ids(other), ids(timeline));
});

test("a rare match is searched for in large pages", async () => {
  const limits = [];
  const page = served({ all: numbers(2_000).map((id) => event(id)) }, limits);
  const timeline = new Timeline({ paths: ["all?"], page, matches: ({ event_id: id }) => id === 1 });
  while (!timeline.isComplete) await timeline.more();
  assert.deepEqual(ids(timeline), [1]);
  assert.deepEqual(limits, [50, 50, 500, 500, 500, 500]);
});
