import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "../../../companion/web/tags/listfile.js";

/** @param {number[]} bytes */
const file = bytes => new Uint8Array(bytes).buffer;

/** @param {string} text */
const little = text => [...text].flatMap(char => [char.charCodeAt(0) & 255, char.charCodeAt(0) >> 8]);

/** @param {string} text */
const big = text => [...text].flatMap(char => [char.charCodeAt(0) >> 8, char.charCodeAt(0) & 255]);

test("a list is the same text in every encoding that a spreadsheet stores it in", () => {
  const text = "UID;Bemerkung ü";
  const plain = [...new TextEncoder().encode(text)];
  const encoded = {
    "utf-8": plain,
    "utf-8 with a mark": [0xef, 0xbb, 0xbf, ...plain],
    "utf-16 with a mark": [0xff, 0xfe, ...little(text)],
    "utf-16, the other order, with a mark": [0xfe, 0xff, ...big(text)],
    "utf-16": little(text),
    "utf-16, the other order": big(text),
    windows: [...text].map(char => char.charCodeAt(0)),
  };
  for (const [name, bytes] of Object.entries(encoded)) assert.equal(textOf(file(bytes)), text, name);
  assert.equal(textOf(file([])), "");
});
