// The host page: whether a first game is explained, the one that runs and the next one; and the way to its
// rules.
import { $ } from "../common/draw.js";
import { press } from "../common/send.js";

const now = $("#explaining");
const form = $("#form");
now?.addEventListener("change", event => press(event.target, "/api/explain", { on: event.target.checked }));

function offer() {
  const box = form.elements.explain;
  const name = form.elements.game.value;
  box.checked = !!JSON.parse(box.dataset.explained)[name];
  $("#to-rules a").href = `/rules/${name}`;
}
if (form) {
  form.addEventListener("change", event => {
    if (event.target.name === "game") offer();
  });
  offer();
}

document.addEventListener("view", ({ detail: view }) => {
  if (!now) return;
  now.hidden = !view.match || view.match.finished || view.explaining === null;
  $("input", now).checked = !!view.explaining;
});
