// Tests of the scroll position in the address.

import assert from "node:assert/strict";
import test from "node:test";
import { keepPosition } from "../../web/console/position.js";

/** A page that is scrolled to 6,000, with its listeners and the positions that were written. */
function page(context) {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const listeners = {};
  Object.assign(globalThis, {
    location: { hash: "#/activity?y=6000" },
    history: {},
    document: { documentElement: { style: {} } },
    scrollY: 6_000,
    scrollTo() {},
    ResizeObserver: class { observe() {} },
    addEventListener: (type, listener) => (listeners[type] = listener),
  });
  const written = [];
  keepPosition(() => 0, (y) => written.push([location.hash, y]));
  return { listeners, written };
}

test("a position is written before a click leads to another view", (context) => {
  const { listeners, written } = page(context);
  context.mock.timers.tick(300);
  globalThis.scrollY = 7_000;
  listeners.scroll();
  listeners.click();
  location.hash = "#/viewers";
  listeners.hashchange();
  context.mock.timers.tick(300);
  assert.deepEqual(written, [["#/activity?y=6000", 6_000], ["#/activity?y=6000", 7_000]]);
});

test("a position is never written to the address of another view", (context) => {
  const { listeners, written } = page(context);
  // A filter belongs to the same view.
  location.hash = "#/activity?search=a";
  context.mock.timers.tick(300);
  listeners.scroll();
  // A click has changed the address, and the browser has not reported it yet.
  location.hash = "#/viewers";
  context.mock.timers.tick(300);
  assert.deepEqual(written, [["#/activity?search=a", 6_000]]);
});
