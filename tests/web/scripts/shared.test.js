import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as passed } from "node:timers/promises";
import { sharing } from "../../../companion/web/common/shared.js";

let channels = 0;

/** A browser: its pages, each with whether it has the stream and what it has heard. */
function browser() {
  const name = `test ${(channels += 1)}`;
  /** @type {Page[]} */
  const pages = [];
  class Page {
    constructor() {
      this.streams = false;
      this.since = 0;
      /** @type {string[]} */
      this.heard = [];
      this.shared = sharing(name, {
        lead: () => (this.streams = true),
        stop: () => (this.streams = false),
        hear: (type, data) => this.heard.push(`${type} ${data}`),
        broken: since => (this.since = since ?? this.since),
        last: () => ({ type: "page", data: "newest" }),
      });
      assert.ok(this.shared);
      this.shared.join();
      pages.push(this);
    }
  }
  return { pages, open: () => new Page(), streams: () => pages.filter(page => page.streams).length };
}

/** @param {() => boolean} condition */
async function until(condition) {
  for (let tries = 0; !condition(); tries += 1) {
    assert.ok(tries < 1_000, "in vain");
    await passed(5);
  }
}

test("seven pages that open at once share one stream, and each hears its events", async () => {
  const { pages, open, streams } = browser();
  for (let n = 0; n < 7; n += 1) open();
  await until(() => streams() === 1);
  const leader = pages.find(page => page.streams);
  leader?.shared?.tell("page", "a view");
  await until(() => pages.every(page => page === leader || page.heard.includes("page a view")));
  for (const page of pages) page.shared?.leave();
});

test("a page that opens later gets the newest view from the one that has the stream", async () => {
  const { open, streams } = browser();
  const first = open();
  await passed(5);
  const second = open();
  assert.equal(second.streams, true, "a page alone does not wait for another");
  await until(() => streams() === 1);
  assert.equal(first.streams, true);
  await until(() => second.heard.includes("page newest"));
  for (const page of [first, second]) page.shared?.leave();
});

test("when the page that has the stream is closed, one of the others opens it", async () => {
  const { pages, open, streams } = browser();
  for (let n = 0; n < 4; n += 1) open();
  await until(() => streams() === 1);
  const leader = pages.find(page => page.streams);
  leader?.shared?.leave();
  if (leader) leader.streams = false;
  await until(() => streams() === 1);
  await passed(250);
  assert.equal(streams(), 1);
  for (const page of pages) page.shared?.leave();
});

test("when it gives no sign any more, another one opens it", async context => {
  const { open, streams } = browser();
  const first = open();
  await passed(5);
  const second = open();
  await until(() => streams() === 1);
  second.shared?.tick();
  assert.equal(second.streams, false);
  const now = Date.now();
  context.mock.method(Date, "now", () => now + 3_001);
  second.shared?.tick();
  assert.equal(second.streams, true);
  for (const page of [first, second]) page.shared?.leave();
});

test("a broken connection is said on every page, as soon as on its own", async () => {
  const { open, streams } = browser();
  const first = open();
  await passed(5);
  const second = open();
  await until(() => streams() === 1);
  first.since = 1234;
  first.shared?.tick();
  await until(() => second.since === 1234);
  for (const page of [first, second]) page.shared?.leave();
});
