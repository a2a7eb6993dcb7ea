import assert from "node:assert/strict";
import { test } from "node:test";
import { tagOf } from "../../../companion/web/common/dates.js";

test("dates are those of the device's country, and English ones without a country are British", () => {
  assert.equal(tagOf("en", ["en-US", "en"]), "en-US");
  assert.equal(tagOf("en", ["de-CH", "en-GB"]), "en-GB");
  assert.equal(tagOf("en", ["en", "de-DE"]), "en-GB");
  assert.equal(tagOf("de", ["en-US", "de-CH"]), "de-CH");
  assert.equal(tagOf("fr", ["en-US"]), "fr");
});
