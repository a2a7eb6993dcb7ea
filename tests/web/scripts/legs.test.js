import assert from "node:assert/strict";
import { test } from "node:test";
import { course } from "../../../companion/web/course/course.js";
import { loop } from "../../../companion/web/course/geometry.js";
import { legs } from "../../../companion/web/course/legs.js";

const ROUND = loop(22, 1000, 560);
const BOARD = course(20, 3, 1000, 560);
const NONE = new Set();
const ends = way => way.map(leg => [leg.from, leg.to]);

test("a piece goes step by step", () => {
  assert.deepEqual(ends(legs(ROUND, 20, 1, NONE)), [
    [20, 21],
    [21, 22],
    [22, 23],
  ]);
});

test("it hops over a run of taken spaces at once", () => {
  const way = legs(ROUND, 3, 7, new Set([4, 5]));
  assert.deepEqual(ends(way), [
    [3, 6],
    [6, 7],
  ]);
  assert.deepEqual(
    way.map(leg => leg.hop),
    [true, false],
  );
  assert.ok(way[0].time > way[1].time);
});

test("it goes the shorter way round", () => {
  assert.deepEqual(ends(legs(ROUND, 2, 0, NONE)), [
    [2, 1],
    [1, 0],
  ]);
});

test("it goes onward however far that is, if all between is taken or the companion says so", () => {
  const most = Array.from({ length: 19 }, (_, i) => i + 1);
  assert.deepEqual(ends(legs(ROUND, 0, 20, new Set(most))), [[0, 20]]);
  assert.equal(legs(ROUND, 0, 20, NONE, { over: most }).length, 20);
  assert.equal(legs(ROUND, 0, 20, NONE, { over: [21] }).length, 2);
});

test("a course has two ends: from the gate onward, and back", () => {
  assert.deepEqual(ends(legs(BOARD, 0, 2, NONE)), [
    [0, 1],
    [1, 2],
  ]);
  assert.deepEqual(ends(legs(BOARD, 2, 0, new Set([1]))), [[2, 0]]);
});

test("no one waits longer than three seconds", () => {
  const way = legs(loop(1000, 1000, 560), 0, 400, NONE);
  const time = way.reduce((sum, leg) => sum + leg.time, 0);
  assert.ok(Math.abs(time - 3_000) < 1e-6);
});

test("where it stands already there is no way", () => {
  assert.deepEqual(legs(ROUND, 5, 5, NONE), []);
});
