import assert from "node:assert/strict";
import { test } from "node:test";
import { commentary, moment } from "../../../companion/web/common/commentary.js";
import { capital, clauses, joined, plain } from "../../../companion/web/common/sentence.js";

const PIG = { piece: "red", text: "the red pig" };

test("a sentence without its marks", () => {
  assert.equal(plain(["Ada: move ", PIG, " to ", { space: 3, text: "3" }]), "Ada: move the red pig to 3");
  assert.equal(plain(null), "");
});

test("a sentence falls into its clauses, and is one again", () => {
  const list = ["one", ". ", "two ", PIG, ". ", "three"];
  assert.deepEqual(clauses(list), [["one"], ["two ", PIG], ["three"]]);
  assert.deepEqual(joined(clauses(list), " · "), ["one", " · ", "two ", PIG, " · ", "three"]);
  assert.deepEqual(clauses([]), [[]]);
});

test("a text or a sentence begins with a capital letter, the given one stays as it is", () => {
  assert.equal(capital("élan"), "Élan");
  assert.equal(capital(""), "");
  assert.deepEqual(capital(["ada ", PIG]), ["Ada ", PIG]);
  assert.deepEqual(capital([PIG, " wins"]), [{ piece: "red", text: "The red pig" }, " wins"]);
  assert.deepEqual(capital([]), []);
  assert.equal(PIG.text, "the red pig");
});

const view = (seq, more = {}) => ({
  seq,
  match: { id: 1, finished: false },
  story: [{ key: String(seq), parts: ["Ada played ", PIG, "."] }],
  alerts: [],
  standings: [{ lastCard: false }],
  moves: [],
  say: { parts: ["Ben, play a card"], then: [] },
  reward: null,
  roundEnd: null,
  ...more,
});

test("what is heard of a change: the weightiest", () => {
  const was = view(4);
  assert.equal(moment(was, view(5)), "ok");
  assert.equal(moment(was, view(5, { standings: [{ lastCard: true }] })), "last-card");
  assert.equal(moment(was, view(5, { roundEnd: { key: "5" } })), "round");
  assert.equal(moment(was, view(5, { roundEnd: { key: "5" }, reward: { key: "5", kind: "kept" } })), "kept");
  assert.equal(moment(was, view(5, { over: true })), "end");
});

test("a refusal is heard once, and that a card waits is none", () => {
  const refused = view(4, { alerts: [{ kind: "refused", text: "not now" }] });
  assert.equal(moment(view(4), refused), "wrong");
  assert.equal(moment(refused, refused), "");
  assert.equal(moment(view(4), view(4, { alerts: [{ kind: "held", text: "wait" }] })), "");
});

test("nothing is heard of another match, of the first picture, or of what is taken back", () => {
  assert.equal(moment(null, view(5)), "");
  assert.equal(moment(view(4), view(5, { match: { id: 2, finished: false } })), "");
  assert.equal(moment(view(5), view(6, { story: view(4).story })), "");
});

test("the voice says each comment once, also one that comes late, and none of another match", () => {
  const [first, second] = ["4", "5"].map(key => ({ key, text: `comment ${key}` }));
  assert.equal(commentary(view(4), view(5, { comment: second })), "comment 5");
  assert.equal(commentary(view(5, { comment: null }), view(5, { comment: second })), "comment 5");
  assert.equal(commentary(view(4, { comment: first }), view(5, { comment: second })), "comment 5");
  assert.equal(commentary(view(5, { comment: second }), view(5, { comment: second })), "");
  assert.equal(commentary(view(5, { comment: second }), view(6, { comment: null })), "");
  assert.equal(commentary(null, view(5, { comment: second })), "");
  assert.equal(commentary(view(4), view(5, { comment: second, match: { id: 2 } })), "");
});
