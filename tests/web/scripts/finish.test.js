import assert from "node:assert/strict";
import { test } from "node:test";
import {
  beats,
  decisive,
  lastOf,
  lineUp,
  LASTS,
  places,
  rounded,
} from "../../../companion/web/finish/beats.js";
import { Director } from "../../../companion/web/finish/director.js";

/** @param {...(number | null)} all */
const rows = (...all) =>
  all.map((place, seat) => ({ seat, name: "ABCDE"[seat], score: 9 - (place ?? 9), place }));

/** @param {StandingView[]} standings */
const names = standings => standings.map(row => row.name).join("");

test("the first stands between the second and the third, the others beside them", () => {
  assert.equal(names(lineUp(rows(4, 1, 3, 2, 5))), "DBCAE");
  assert.equal(names(lineUp(rows(2, 1))), "AB");
});

test("those who share a place stand together, and are shown together", () => {
  assert.equal(names(lineUp(rows(1, 3, 1, 4))), "BACD");
  assert.equal(names(lineUp(rows(1, 2, 2))), "BAC", "the first is in the middle");
  assert.deepEqual(places(rows(1, 3, 1, 4)), [1, 3]);
  assert.deepEqual(places(rows(1, 1, 1)), [1]);
});

test("a horse without a place is on no step, and stands beside the others", () => {
  assert.equal(names(lineUp(rows(null, 1, 2))), "CBA");
  assert.equal(names(lineUp(rows(null, 1, null, null, null))), "ACBDE");
  assert.deepEqual(places(rows(null, 1, 2)), [1, 2]);
});

test("third, second, first, the headline, the moment, the end: in about ten seconds", () => {
  const all = beats(rows(1, 2, 3, 4), true);
  assert.deepEqual(
    all.map(beat => (beat.name === "step" ? beat.place : beat.name)),
    ["curtain", 3, 2, 1, "headline", "moment", "end"],
  );
  const ms = all.reduce((sum, beat) => sum + beat.ms, 0);
  assert.ok(ms > 9_000 && ms < 10_500, `${ms} ms`);
  const shared = beats(rows(1, 1), false).map(beat => beat.ms);
  assert.deepEqual(shared, [LASTS.curtain, LASTS.winner, LASTS.headline, 0]);
});

test("the moment that decided the game is the one that moved a chance most", () => {
  const swing = (at, before, after) => ({ at, before, after });
  const all = [swing(1, [40, 60], [50, 50]), swing(2, [50, 50], [10, 90]), swing(3, [10, 90], [0, 100])];
  assert.equal(decisive(/** @type {any} */ (all))?.at, 2);
  assert.equal(decisive([]), null);
});

test("a chance is read to 5 %, and is certain only when it is", () => {
  assert.deepEqual([0, 1, 12, 38, 63, 99, 100].map(rounded), [0, 5, 10, 40, 65, 95, 100]);
});

const RESULT = "And the result …";
const say = text => ({ tone: "now", parts: [text], then: [], picture: null });
const reward = { key: "9", seat: 1, name: "B", kind: "lost", count: 2, parts: ["B gives 2 back"], lead: [] };
const playing = {
  seq: 8,
  match: { id: 1 },
  say: say("B, your last card!"),
  moves: [],
  over: false,
  reward: null,
  roundEnd: null,
  comment: null,
  odds: { rows: [] },
  standings: [
    { seat: 0, name: "A", place: 1, score: 9, kept: 9, now: false, lastCard: false },
    { seat: 1, name: "B", place: 2, score: 2, kept: 2, now: true, lastCard: true },
  ],
};
const over = {
  ...playing,
  seq: 9,
  say: { ...say("A wins"), tone: "end" },
  over: true,
  odds: null,
  luck: null,
  finale: { order: [{ piece: "red" }], last: true, say: null },
  reward,
  standings: playing.standings.map(row => ({ ...row, now: false, lastCard: false })),
};

/** @param {boolean} quiet */
function director(quiet = false) {
  const of = new Director(() => {}, { result: RESULT, quiet: () => quiet });
  const show = (view, at) => of.staged(/** @type {any} */ (view), at);
  return { of, show };
}

test("the end is shown after the last move, and after the last player's card", context => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { of, show } = director();
  show(playing, 0);
  const moving = show(over, 0);
  assert.equal(moving.over, false);
  assert.deepEqual(moving.say.parts, [RESULT]);
  assert.equal(moving.reward, null);
  assert.equal(
    moving.standings.some(row => row.lastCard || row.now),
    false,
  );
  const card = show(over, 2_000);
  assert.equal(card.over, false);
  assert.equal(card.reward, reward);
  assert.equal(show(over, 4_200), over);
  assert.equal(of.ended, "1:9");
});

test("a touch goes on; reduced motion, and a page that is opened later, show all at once", context => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const touched = director();
  touched.show(playing, 0);
  touched.show(over, 0);
  touched.of.skip();
  assert.equal(touched.show(over, 1), over);
  const calm = director(true);
  calm.show(playing, 0);
  assert.equal(calm.show(over, 0), over);
  assert.equal(calm.of.ended, "1:9", "what is shown at once is still the end of a game that was seen");
  const late = director();
  assert.equal(late.show(over, 0), over);
  assert.equal(late.of.ended, "");
});

test("a last card of a round has three seconds of headline; then the next player is asked", context => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { show } = director();
  const next = { ...playing, seq: 9, say: say("A, line up"), reward: { ...reward, lead: ["A leads by 7"] } };
  show(playing, 0);
  const moving = show(next, 0);
  assert.equal(moving.say, playing.say);
  assert.equal(moving.reward, null);
  const headline = show(next, 1_500);
  assert.deepEqual(headline.say.parts, ["B gives 2 back", ". ", "A leads by 7"]);
  assert.equal(show(next, 4_200), next);
  show(playing, 0);
  const task = show({ ...next, moves: [{ piece: "red" }] }, 0);
  assert.equal(task.say, next.say, "a piece to be moved comes first");
});

test("the next decision ends what is shown of the last one", context => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { show } = director();
  show(playing, 0);
  show({ ...playing, seq: 9, reward }, 0);
  const later = { ...playing, seq: 10 };
  assert.equal(show(later, 100), later);
});

test("who came last chooses the next game, if that is one person", () => {
  /**
   * @param {(number | null)[]} all
   * @param {number[]} [bots]
   */
  const last = (all, bots = []) =>
    lastOf(
      /** @type {View} */ (
        /** @type {unknown} */ ({
          standings: rows(...all),
          seats: all.map((_, seat) => ({ bot: bots.includes(seat) })),
        })
      ),
    );
  assert.equal(last([2, 1, 3]), "C");
  assert.equal(last([1, null, 2]), "B");
  assert.equal(last([1, 2, 2]), null);
  assert.equal(last([1, 2, 3], [2]), "B");
  assert.equal(last([1, 2], [1]), null);
});
