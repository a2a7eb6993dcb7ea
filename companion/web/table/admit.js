// A screen that isn't the table yet: the number that the host lets in, the PIN, or just watching.
import { mayHold } from "../common/cookies.js";
import { $ } from "../common/draw.js";
import { recall, remember } from "../common/remember.js";
import { send } from "../common/send.js";
import { fresh } from "../common/unlock.js";

const POLL_MS = 3_000; // under what the companion takes for a screen that left
const PAUSE_MS = 20_000; // after a refusal
const KEY = "just-watch";
const SMALLEST_TABLE = 500; // px

const stage = $("#stage");
const how = $("#admit-how");
const shown = $("#admit-number");
const again = $("[data-action=ask-again]");
const join = $("[data-action=be-table]");
const door = $("#door");
/** @type {number | null} */
let number = null;
let timer = 0;
let asking = false;

/** @param {number} ms */
function later(ms) {
  clearTimeout(timer);
  timer = setTimeout(ask, ms);
}

/** Ask the host to let this screen in, or stay in line. */
async function ask() {
  if (asking || document.hidden || !stage.classList.contains("asking")) return;
  asking = true;
  const { ok, status, data } = await send("api/screens", { number }, { quiet: true });
  asking = false;
  if (!ok) {
    if (status) say(null, data.reason ?? "");
    later(status ? PAUSE_MS : POLL_MS);
    return;
  }
  const { state, number: now } = /** @type {ScreenState} */ (/** @type {unknown} */ (data));
  if (state === "table") return location.reload();
  again.hidden = state !== "declined";
  const isFirst = state === "waiting" && !$("#start").hidden; // the code of the host's page is on it
  say(now, (how.dataset[isFirst ? "first" : state] ?? "").replace("{n}", String(now)));
  if (state === "waiting") later(POLL_MS);
}

/**
 * @param {number | null} now
 * @param {string} text
 */
function say(now, text) {
  number = now;
  shown.hidden = now === null;
  shown.textContent = now === null ? "" : String(now);
  if (how.textContent !== text) how.textContent = text;
}

/** @param {boolean} on */
function show(on) {
  remember(KEY, on ? null : "yes", "sessionStorage");
  stage.classList.toggle("asking", on);
  join.hidden = on;
  if (on && mayHold()) ask();
}

$("[data-action=just-watch]").addEventListener("click", () => show(false));
join.addEventListener("click", () => show(true));
again.addEventListener("click", ask);
document.addEventListener("visibilitychange", ask);

const unlock = $("[data-action=unlock]");
unlock.addEventListener("click", async () => {
  const form = await fresh($("form", door));
  door.hidden = false;
  $("input", form).focus();
});
function shut() {
  door.hidden = true;
  unlock.focus();
}
door.addEventListener("keydown", event => {
  if (event.key === "Escape") shut();
});
$("[data-action=close-door]").addEventListener("click", shut);

// a guest's phone that opens this page by its address wants to watch: it asks only if its owner says so
const isPhone = Math.min(innerWidth, innerHeight) < SMALLEST_TABLE;
show(recall(KEY, "sessionStorage") !== "yes" && !isPhone);
