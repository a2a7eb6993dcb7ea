// The host page: whether a first game is explained, the one that runs and the next one; and the way to its
// rules.
import { $, maybe, touched } from "../common/draw.js";
import { press } from "../common/send.js";

/** @type {HTMLElement | null} */
const now = maybe("#explaining");
/** @type {HTMLFormElement | null} */
const form = maybe("#form");

now?.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement) press(target, "api/explain", { on: target.checked });
});

/** @param {HTMLFormElement} of */
function offer(of) {
  /** @type {HTMLInputElement} */
  const box = $("[name=explain]", of);
  const game = String(new FormData(of).get("game"));
  box.checked = !!JSON.parse(box.dataset.explained ?? "{}")[game];
  /** @type {HTMLAnchorElement} */
  const rules = $("#to-rules a");
  rules.href = `rules/${game}`;
}
if (form) {
  form.addEventListener("change", event => {
    if (touched(event, "[name=game]")) offer(form);
  });
  offer(form);
}

document.addEventListener("view", ({ detail: view }) => {
  if (!now) return;
  now.hidden = !view.match || view.match.finished || view.explaining === null;
  /** @type {HTMLInputElement} */
  const box = $("input", now);
  box.checked = !!view.explaining;
});
