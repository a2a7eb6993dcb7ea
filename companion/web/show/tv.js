// A screen in the bar: the course, the sentence, who is ahead, what happened last. Nothing to press.
import { $, calm, word } from "../common/draw.js";
import { Director, keyOf } from "../finish/director.js";
import "../finish/style.js";
import { live } from "../common/live.js";
import { sharing } from "../common/shared.js";
import { Parts } from "./parts.js";

const FIRST = 5;
const parts = new Parts({ large: 1, first: FIRST });
/** @type {View | null} */
let latest = null;
/** @type {import("../finish/finish.js").Finish | null} */
let finish = null;
const director = new Director(() => show(), {
  result: word("the result"),
  quiet: () => calm() || document.hidden,
});

addEventListener("resize", () => parts.lay());

function show() {
  if (!latest) return;
  const view = director.staged(latest);
  for (const id of ["stand", "ticker"]) $(`#${id}`).hidden = !view.match;
  $("#course").classList.toggle("alone", !view.match);
  parts.show(view);
  if (view.over && !finish) load();
  if (view.over) finish?.show(view, { plays: director.ended === keyOf(view) });
  else finish?.hide();
}

async function load() {
  const part = await import("../finish/finish.js");
  await part.styled;
  finish ??= new part.Finish($("#finish"), { touched: false });
  show();
}

live(
  view => {
    latest = view;
    show();
  },
  "page",
  sharing,
);

const awake = () => {
  if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {}); // its battery is nearly empty
};
document.addEventListener("visibilitychange", awake);
awake();
if (!navigator.wakeLock) import("../common/awake.js").then(video => video.play());
