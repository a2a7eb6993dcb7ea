import assert from "node:assert/strict";
import { test } from "node:test";
import { whereOf } from "../../../companion/web/common/stack.js";

/** @param {string} stack */
const thrown = stack => Object.assign(new TypeError("red/3 is not a function"), { stack });

test("an error is placed by script and line, in the words of each kind of browser", () => {
  const chromium = "TypeError: red/3\n at tote (http://table.local/static/3f2a/common/odds.js:61:9)\n at y";
  const webkit = "tote@http://table.local/static/3f2a/common/odds.js:61:9\nshow@http://a/x.js:1:2";
  assert.equal(whereOf(thrown(chromium)), "common/odds.js:61");
  assert.equal(whereOf(thrown(webkit)), "common/odds.js:61");
  assert.equal(whereOf(thrown("at http://table.local/static/board.js?v=12:7:1")), "static/board.js:7");
});

test("nothing else of it is passed on", () => {
  assert.equal(whereOf(thrown("TypeError: Ada holds red/3")), "");
  assert.equal(whereOf("no error"), "");
  assert.equal(whereOf(Object.assign(new Error("x"), { stack: undefined })), "");
});
