// Tests of the rows of pets.

import assert from "node:assert/strict";
import test from "node:test";
import { Rows } from "../../web/overlay/rows.js";

test("pets_that_come_from_both_sides_have_slots_in_their_order", () => {
  const rows = new Rows();
  rows.room = 3;
  assert.equal(rows.space, 6);
  const numbers = [["a", false], ["b", true], ["c", false], ["d", true]].map(([pet, isFromLeft]) => rows.add(pet, isFromLeft));
  assert.deepEqual(numbers, [0, 0, 0, 1]);
  assert.deepEqual(rows.neighbours("a"), ["b", "a", "c"]);
  assert.deepEqual(["b", "a"].map((pet) => rows.slot(pet).begin), [0, 1 / 3]);
  rows.remove("b");
  assert.deepEqual([rows.slot("a"), rows.slot("c")], [{ begin: 0, width: 0.5 }, { begin: 0.5, width: 0.5 }]);
  assert.equal(rows.add("e", true), 0);
});
