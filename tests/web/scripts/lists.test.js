import assert from "node:assert/strict";
import { test } from "node:test";
import { Latest } from "../../../companion/web/common/latest.js";
import { placed, ranked, roundUp, spread } from "../../../companion/web/common/lists.js";

test("a thing is taken to another place, all others stay in order", () => {
  const list = ["a", "b", "c", "d"];
  assert.deepEqual(placed(list, 0, 2), ["b", "c", "a", "d"]);
  assert.deepEqual(placed(list, 3, 0), ["d", "a", "b", "c"]);
  for (let from = 0; from < 4; from++) {
    for (let to = 0; to < 4; to++) {
      const now = placed(list, from, to);
      assert.equal(now[to], list[from]);
      assert.deepEqual(placed(now, to, from), list);
    }
  }
  assert.deepEqual(list, ["a", "b", "c", "d"]);
});

test("what is liked comes first, of the rest each stays where it was; two of a name stay together", () => {
  const now = ranked(["red", "blue", "red", "pink", "green"], ["green", "red"]);
  assert.deepEqual(
    now.map(({ name, i }) => [name, i]),
    [
      ["green", 4],
      ["red", 0],
      ["red", 2],
      ["blue", 1],
      ["pink", 3],
    ],
  );
});

/** A promise with the hand that fulfils it. */
const later = () => Promise.withResolvers();

test("an older answer never replaces a newer one", async () => {
  const latest = new Latest();
  const [first, second] = [later(), later()];
  const answers = [latest.of(first.promise), latest.of(second.promise)];
  second.resolve("new");
  first.resolve("old");
  assert.deepEqual(await Promise.all(answers), [null, "new"]);
});

test("what was forgotten counts no more, what is asked after that does", async () => {
  const latest = new Latest();
  const first = latest.of(Promise.resolve("old"));
  latest.forget();
  assert.equal(await first, null);
  assert.equal(await latest.of(Promise.resolve("new")), "new");
});

test("what stands at the end of lines is spread, in order, within its room", () => {
  const ends = [{ y: 50 }, { y: 12 }, { y: 51 }, { y: 90 }, { y: 89 }];
  const ys = spread(ends, 10, 12, 90).map(end => end.y);
  for (const [i, y] of ys.entries()) {
    assert.ok(y >= 12 && y <= 90);
    if (i) assert.ok(y - ys[i - 1] >= 10);
  }
  assert.deepEqual(
    ends.map(end => end.y),
    [50, 12, 51, 90, 89],
  );
  assert.deepEqual(spread([], 10, 0, 10), []);
});

test("a round figure that is not under the highest", () => {
  assert.deepEqual([100, 101, 200, 201, 501, 1000].map(roundUp), [100, 200, 200, 500, 1000, 1000]);
});
