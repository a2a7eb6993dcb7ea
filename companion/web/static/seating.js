// Who sits where, on the host's page: the code to join with, which seats a phone holds, and how to free one.
import { $, h, hat, render, word } from "./draw.js";
import { press } from "./send.js";

const box = $("#seating");
let join = null;

async function ask() {
  const answer = await fetch("/api/join").catch(() => null);
  if (answer?.ok) join = await answer.json();
}

function draw(view) {
  box.hidden = !view.match || view.match.finished;
  if (box.hidden) return;
  $("#seating-code").textContent = join?.code ?? "";
  render($("#seating-list"), view.seats, () => view.seats.map(s => h("li", { "data-seat": s.seat },
    hat(s.seat, 40), h("b", {}, s.name), h("span", { class: "soft" }, word(s.bot ? "bot" : s.joined ? "phone" : "no phone")),
    s.joined && h("button", { type: "button", "data-action": "free", "aria-label": word("free of", { name: s.name }), onclick: e => press(e.currentTarget, "/api/free", { seat: s.seat }) }, word("free")))));
}

if (box) document.addEventListener("view", async event => {
  if (!join) await ask();
  draw(event.detail);
});
