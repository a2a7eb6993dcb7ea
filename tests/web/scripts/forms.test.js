import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOf, turned } from "../../../companion/web/host/board.js";
import {
  betOf,
  firstStake,
  handedIn,
  paid,
  paidWith,
  stepOf,
  total,
  wins,
  withDog,
} from "../../../companion/web/seat/slip.js";
import { fitted } from "../../../companion/web/table/stage.js";

const BOARD = { finish: 20, natural: [4, 9], sand: [6] };

test("a space that is tapped becomes sand, an obstacle, grass", () => {
  let board = BOARD;
  const kinds = [];
  for (let tap = 0; tap < 4; tap++) {
    kinds.push(kindOf(board, 5));
    board = turned(board, 5);
  }
  assert.deepEqual(kinds, ["grass", "sand", "natural", "grass"]);
  assert.deepEqual(turned(BOARD, 5).sand, [5, 6]);
  assert.deepEqual(turned(BOARD, 6), { finish: 20, natural: [4, 6, 9], sand: [] });
  assert.deepEqual(BOARD, { finish: 20, natural: [4, 9], sand: [6] });
});

const WIN = { kind: "win", title: "Win", means: "", dogs: 1 };
const DOUBLE = { kind: "double", title: "Double", means: "", dogs: 2 };
const SLIP = {
  step: 50,
  least: 120,
  most: 1000,
  kinds: [WIN, DOUBLE],
  dogs: [],
  pays: [
    { kind: "win", dogs: ["red"], odds: "2.5", ratio: [5, 2] },
    { kind: "double", dogs: ["red", "blue"], odds: "7", ratio: [7, 1] },
  ],
};

test("a pair pays the same in any order, and only a whole one pays", () => {
  assert.equal(paid(SLIP, DOUBLE, ["blue", "red"])?.odds, "7");
  assert.equal(paid(SLIP, DOUBLE, ["red"]), undefined);
  assert.equal(paidWith(SLIP, WIN, "red", ["blue"])?.odds, "2.5");
  assert.equal(paidWith(SLIP, DOUBLE, "blue", ["red"])?.odds, "7");
});

test("what is won is exact, and rounded down to whole dollars", () => {
  assert.equal(wins(SLIP.pays[0], 51), "127");
  assert.equal(
    wins({ kind: "win", dogs: [], odds: "", ratio: [1, 3] }, Number.MAX_SAFE_INTEGER),
    "3002399751580330",
  );
});

test("a bet begins with what is missing to the least, in whole steps", () => {
  assert.equal(firstStake(SLIP, {}), 150);
  assert.equal(firstStake(SLIP, { win: { dogs: ["red"], stake: 100 } }), 50);
  assert.equal(firstStake(SLIP, { win: { dogs: ["red"], stake: 900 } }), 50);
  assert.equal(stepOf(SLIP), 100);
  assert.equal(stepOf({ ...SLIP, step: 400 }), 400);
});

test("a dog is put on a bet and taken off; without dogs there is no stake", () => {
  const one = { win: withDog(SLIP, {}, WIN, "red") };
  assert.deepEqual(one.win, { dogs: ["red"], stake: 150 });
  assert.deepEqual(withDog(SLIP, one, WIN, "blue"), { dogs: ["blue"], stake: 150 });
  assert.deepEqual(withDog(SLIP, one, WIN, "red"), { dogs: [], stake: 0 });
  assert.deepEqual(betOf(one, DOUBLE), { dogs: [], stake: 0 });
  assert.equal(total(one), 150);
});

test("only whole bets are handed in, those without a stake are none", () => {
  assert.equal(handedIn(SLIP, {}), null);
  assert.equal(handedIn(SLIP, { double: { dogs: ["red"], stake: 50 } }), null);
  assert.deepEqual(handedIn(SLIP, { win: { dogs: ["red"], stake: 50 }, double: { dogs: [], stake: 0 } }), [
    { kind: "win", dogs: ["red"], stake: 50 },
  ]);
});

test("the stage keeps the shape of its window, turned by a quarter that of the window on its side", () => {
  for (const [w, h] of [
    [1280, 800],
    [1920, 1080],
    [800, 1280],
    [600, 400],
    [390, 844],
  ]) {
    for (const quarters of [0, 1, 2, 3]) {
      const { width, height, scale } = fitted(w, h, quarters);
      const shown = quarters % 2 ? [height * scale, width * scale] : [width * scale, height * scale];
      assert.ok(Math.abs(shown[0] - w) < 1e-6 && Math.abs(shown[1] - h) < 1e-6);
    }
  }
  assert.equal(fitted(1280, 800, 0).scale, 1);
  assert.equal(fitted(2560, 1600, 0).scale, 2);
  assert.ok(fitted(600, 400, 0).scale < 1);
});
