import assert from "node:assert/strict";
import { test } from "node:test";
import { isFrom, optionsOf } from "../../../companion/web/host/editions.js";

const options = Object.entries({
  spaces: 22,
  food: 55,
  cards_per_colour: 7,
  rounds: 3,
  food_on_track: false,
}).map(([name, usual]) => ({ name, default: usual }));
const old = { name: "2000", options: {}, usual: {} };
const newer = { name: "2009", options: { spaces: 27, food: 35, cards_per_colour: 8 }, usual: { rounds: 1 } };
const pigs = { name: "galloping-pigs", options, editions: [old, newer] };

test("a box sets all that any box sets, and nothing else", () => {
  const shop = { spaces: 27, food: 35, cards_per_colour: 8, rounds: 1 };
  assert.deepEqual(optionsOf(pigs, newer), shop);
  assert.deepEqual(optionsOf(pigs, old), { spaces: 22, food: 55, cards_per_colour: 7, rounds: 3 });
});

test("a game was played from the box that it has the material of, whatever its rounds were", () => {
  assert.ok(isFrom(pigs, old, {}));
  assert.ok(isFrom(pigs, old, { rounds: 1, food_on_track: true }));
  assert.ok(isFrom(pigs, newer, { ...newer.options, rounds: 3 }));
  assert.ok(!isFrom(pigs, newer, {}));
  assert.ok(!isFrom(pigs, old, { spaces: 27 }));
  assert.ok(!isFrom(pigs, newer, { spaces: 27 }));
});
