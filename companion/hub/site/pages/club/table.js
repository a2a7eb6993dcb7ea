// A table for people elsewhere: what its own screens show, and a bar when it is gone.
import { fit, panelList } from "../common/boards.js";
import { $, word } from "../common/draw.js";
import { Parts } from "../show/parts.js";
import { follow } from "./follow.js";
import { time } from "./times.js";

const LOOK = 5_000; // how often it is asked whether the table is here
const first = $("script[data-first]");
const at = `tables/${encodeURIComponent(first.dataset.table ?? "")}`;
const parts = new Parts();
/** @type {View | null} */
let shown = null;
/**
 * The report is loaded with the first game that is over.
 * @type {Promise<typeof import("../common/luck-late.js")> | null}
 */
let late = null;

/** @param {View | null} view */
function show(view) {
  if (!view) return;
  // a stream and a question may cross: nothing older paints over
  if (shown && view.match?.id === shown.match?.id && view.seq < shown.seq) return;
  shown = view;
  hide(view);
  $("#game").textContent = view.match?.title ?? "";
  $("#course").classList.toggle("over", view.over);
  $("#course").classList.toggle("long", (view.course?.spaces ?? 0) > 60);
  parts.show(view);
  panelList(view, view.match ? view.panels : [], $("#panels"));
  fit($("#panels"));
  luck(view);
}

/** @param {View} view */
function hide(view) {
  for (const id of ["course", "stand", "story"]) $(`#${id}`).hidden = !view.match;
  $("#odds").hidden = !view.odds?.rows.length || view.over;
  if (!view.story.length) $("#story").hidden = true;
  $("#panels").hidden = !view.match || !view.panels.length;
}

/** @param {View} view */
async function luck(view) {
  const report = view.luck && (await (late ??= import("../common/luck-late.js")));
  await report?.styled;
  $("#luck").hidden = !report;
  $("main").classList.toggle("lucky", !!report);
  if (report) report.show($("#luck"), view, { replays: false });
}

/** @param {Summary} table */
function showPresence(table) {
  $("#gone").hidden = table.here;
  $("#gone").textContent = table.here ? "" : word("gone", { when: time(table.heard) });
}

async function fetchPresence() {
  if (document.hidden) return;
  const answer = await fetch(`${at}.json`, { cache: "no-cache" }).catch(() => null);
  if (answer?.ok) showPresence(await answer.json());
}

addEventListener("resize", () => parts.lay());
for (const id of ["course", "stand", "odds", "story"]) $(`#${id}`).hidden = true;
showPresence(JSON.parse($("script[data-summary]").textContent ?? ""));
show(JSON.parse(first.textContent ?? ""));
const language = document.documentElement.lang;
follow(`live/${at}/${language}`, `${at}/page.json?language=${language}`, show);
setInterval(fetchPresence, LOOK);
