import assert from "node:assert/strict";
import { test } from "node:test";
import { character, GAP_MS, Typist } from "../../../companion/web/table/strokes.js";

/** @type {Record<string, [string, boolean]>} */
const SIGNS = {
  ";": ["Semicolon", false],
  ":": ["Semicolon", true],
  "?": ["Slash", true],
  "	": ["Tab", false],
};

/** @param {string} char */
function stroke(char) {
  const [code, shiftKey] = SIGNS[char] ?? [
    /[0-9]/.test(char) ? `Digit${char}` : `Key${char.toUpperCase()}`,
    false,
  ];
  return { key: char, code, shiftKey };
}

/**
 * @param {Typist} typist
 * @param {string} text
 * @param {number} at
 */
function type(typist, text, at, apart = 20) {
  [...text].forEach((char, n) => typist.key(stroke(char), at + n * apart));
  return at + text.length * apart;
}

test("a key is the character of a US keyboard, in any layout", () => {
  assert.equal(character({ key: "q", code: "KeyA", shiftKey: false }), "A");
  assert.equal(character({ key: "à", code: "Digit0", shiftKey: false }), "0");
  assert.equal(character({ key: "4", code: "Digit4", shiftKey: true }), "$");
  assert.equal(character({ key: "?", code: "Slash", shiftKey: true }), "?");
  assert.equal(character({ key: "Shift", code: "ShiftLeft", shiftKey: true }), "");
  assert.equal(character({ key: "f", code: "", shiftKey: false }), "F");
  assert.equal(character({ key: "F5", code: "F5", shiftKey: false }), "\ufffd");
});

test("keys up to 250 ms apart belong to one text, as do signs", () => {
  for (const apart of [5, 20, 250]) {
    const typist = new Typist();
    const end = type(typist, ";04:A1?", 1_000, apart);
    assert.equal(typist.enter(end), null, "four digits are no number");
    assert.equal(typist.enter(type(typist, ";04:A1:B2?", end, apart)), ";04:A1:B2?");
  }
  const slow = new Typist();
  assert.equal(slow.enter(type(slow, "04A1B2C3", 0, GAP_MS + 1)), null);
});

test("a reader that ends with Enter or Tab always does: other text is torn", () => {
  const typist = new Typist();
  type(typist, "04A1B2C3", 0);
  assert.equal(typist.quiet(), "04A1B2C3");
  typist.enter(type(typist, "04A1B2C3", 1_000));
  type(typist, "04A1B2C3", 2_000);
  assert.equal(typist.quiet(), "04A1B2C3…");
  const tabs = new Typist();
  type(tabs, "0077705923\t118\t", 0);
  assert.equal(tabs.quiet(), "0077705923\t118");
  type(tabs, "0077705923", 1_000);
  assert.equal(tabs.quiet(), "0077705923…");
});

test("what a person types by hand presses what it should", () => {
  const typist = new Typist();
  type(typist, "12", 0, 150);
  assert.equal(typist.isReader, false);
  typist.clear();
  type(typist, "12", 1_000, 10);
  assert.equal(typist.isReader, true);
});
