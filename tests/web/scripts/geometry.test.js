import assert from "node:assert/strict";
import { test } from "node:test";
import { course, groundOf } from "../../../companion/web/course/course.js";
import { loop, roomIn } from "../../../companion/web/course/geometry.js";
import { stretch } from "../../../companion/web/course/straight.js";

const BOXES = [
  [1000, 560],
  [740, 800],
  [360, 220],
];
const SPACES = [1, 5, 22, 37, 60, 61, 100, 400, 1000];

const apart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
const inside = (p, width, height) => p.x >= -0.5 && p.x <= width + 0.5 && p.y >= -0.5 && p.y <= height + 0.5;

for (const spaces of SPACES) {
  test(`a loop of ${spaces} spaces lies within its box, space beside space, and is closed`, () => {
    for (const [width, height] of BOXES) {
      const c = loop(spaces, width, height);
      assert.equal(c.list.length, spaces);
      for (const space of c.list) {
        assert.ok(inside(c.at(space), width, height), `space ${space} of ${width} × ${height}`);
        assert.ok(apart(c.at(space), c.at(space + 1)) <= c.cell + 1e-6, `from ${space} to the next one`);
      }
      assert.ok(apart(c.at(0), c.at(spaces)) < 1e-6);
    }
  });

  test(`a course of ${spaces} spaces lies within its box, the gate before the first one`, () => {
    for (const [width, height] of BOXES) {
      const c = course(spaces, 4, width, height, 5);
      assert.deepEqual([c.first, c.last, c.finish], [1, spaces + 4, spaces]);
      for (const space of c.list) assert.ok(inside(c.at(space), width, height), `space ${space}`);
      for (let i = 0; i < 5; i++) assert.ok(c.stall(i).x < c.gate, `horse ${i} waits behind the gate`);
    }
  });
}

test("any number means a space of a loop, and the nearest one of a course", () => {
  const round = loop(22, 1000, 560);
  assert.deepEqual([-1, 0, 21, 22, 45].map(round.fits), [21, 0, 21, 0, 1]);
  const straight = course(20, 3, 1000, 560);
  assert.deepEqual([-1, 0, 1, 23, 40].map(straight.fits), [1, 1, 1, 23, 23]);
});

test("the race runs clockwise: the offset to the runner's left is outside", () => {
  const c = loop(22, 1000, 560);
  const middle = { x: 500, y: 280 };
  for (const space of c.list) assert.ok(apart(c.at(space, 20), middle) > apart(c.at(space), middle));
});

test("a point on a space is nearest to it", () => {
  for (const c of [loop(22, 1000, 560), loop(100, 740, 800), course(30, 4, 1000, 560)]) {
    for (const space of c.list) {
      const { x, y } = c.at(space);
      const near = c.nearest(x, y);
      assert.equal(near.space, space);
      assert.ok(near.distance < 1e-9);
    }
  }
});

test("a way along the course begins and ends where it should, and the outline of a space is closed", () => {
  const c = loop(22, 1000, 560);
  const { x, y } = c.at(3, 10);
  assert.ok(c.along(3, 5, 10).startsWith(`M${x.toFixed(1)} ${y.toFixed(1)}L`));
  assert.match(c.outline(7), /^M[-\d. L]+Z$/);
});

test("a large loop winds, and keeps a strip free for pieces that leave the track", () => {
  const plain = loop(100, 1000, 560);
  const strip = loop(100, 1000, 560, true);
  const top = c => Math.min(...c.list.map(space => c.at(space).y));
  assert.equal(plain.infield, null);
  assert.ok(top(strip) - top(plain) > 25);
});

test("pieces that left the track stand apart, inside its infield", () => {
  const c = loop(22, 1000, 560, true);
  const places = [0, 1, 2].map(i => c.aside(i, 3));
  for (const p of places) assert.ok(p.x > c.infield.x && p.x < c.infield.x + c.asides);
  assert.ok(places[1].y - places[0].y >= c.aside(0, 3).size * 0.8);
});

test("the box in the infield does not reach into its round corners, nor over what is kept free", () => {
  const field = { x: 100, y: 50, w: 600, h: 300, r: 150 };
  const room = roomIn(field, 80, 560, 280);
  assert.ok(room.w <= 560 && room.h <= 280);
  const corner = { x: room.x - room.w / 2, y: room.y - room.h / 2 };
  assert.ok(apart(corner, { x: field.x + field.r, y: field.y + field.r }) <= field.r);
  const beside = roomIn(field, 80, 560, 100, 200);
  assert.ok(beside.x - beside.w / 2 >= field.x + 200 - 1e-9);
});

test("a stretch of a loop counts down before the start, and says the numbers that people say", () => {
  const c = stretch({ kind: "loop", spaces: 22, stretch: [-2, 3] }, 600, 90);
  assert.deepEqual(c.list, [-2, -1, 0, 1, 2, 3]);
  assert.deepEqual(c.list.map(c.called), [20, 21, 0, 1, 2, 3]);
  assert.equal(c.stall, null);
  const xs = c.list.map(space => c.at(space).x);
  for (const [i, x] of xs.entries()) assert.ok(Math.abs(x - (50 + 100 * i)) < 1e-6);
});

test("a stretch of a course begins with its gate", () => {
  const c = stretch({ kind: "course", spaces: 20, stretch: [0, 4] }, 500, 90);
  assert.deepEqual(c.list, [1, 2, 3, 4]);
  assert.ok(c.stall(0).x < c.gate && c.gate < c.at(1).x);
});

test("what a space is: the last obstacle by nature is the moor, behind the line one runs out", () => {
  const board = { spaces: 10, natural: [3, 7], sand: [5] };
  const kinds = [1, 3, 5, 7, 10, 11].map(space => groundOf(board, space));
  assert.deepEqual(kinds, ["grass", "river", "sand", "moor", "grass", "run"]);
  assert.equal(groundOf({ spaces: 10, natural: [3] }, 3), "river");
});
