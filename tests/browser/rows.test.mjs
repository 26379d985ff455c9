// Tests of the pets' rows.

import assert from "node:assert/strict";
import test from "node:test";
import { Rows, layoutFor } from "../../web/overlay/rows.js";

test("pets_that_come_from_both_sides_have_slots_in_their_order", () => {
  const rows = new Rows();
  rows.layout = { size: 1, room: 3, rows: 2 };
  assert.equal(rows.space, 6);
  const numbers = [["a", false], ["b", true], ["c", false], ["d", true]].map(([pet, isFromLeft]) => rows.add(pet, isFromLeft));
  assert.deepEqual(numbers, [0, 0, 0, 1]);
  assert.deepEqual(rows.neighbours("a"), ["b", "a", "c"]);
  assert.deepEqual(["b", "a"].map((pet) => rows.slot(pet).begin), [0, 2 / 7]);
  assert.equal(rows.slot("d").begin, 1 / 7, "between the slots of the first row");
  rows.remove("b");
  rows.layout = { size: 1, room: 3, rows: 1 };
  assert.deepEqual([rows.slot("a"), rows.slot("c")], [{ begin: 0, width: 0.5 }, { begin: 0.5, width: 0.5 }]);
  assert.equal(rows.add("e", true), 0);
});

test("more_pets_are_smaller_and_thirty_have_room_in_the_proposed_source", () => {
  const layouts = [9, 18, 30].map((many) => layoutFor(many, 1_920, 320));
  assert.deepEqual(layouts, [{ size: 1, room: 9, rows: 1 }, { size: 1, room: 9, rows: 2 }, { size: 0.8, room: 11, rows: 3 }]);
  assert.deepEqual(layoutFor(30, 960, 160), { size: 0.8, room: 5, rows: 1 }, "with twice the scale");
});
