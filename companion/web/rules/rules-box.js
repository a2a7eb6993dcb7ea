// The rules over the table page: one press and they are gone; the page under them stays live.
import { $, h, html } from "../common/draw.js";
import "../tutorial/style.js";

/**
 * Open the rules of the game that the button names.
 * @param {HTMLElement} button
 */
export function open(button) {
  const close = () => {
    box.remove();
    button.focus();
  };
  const title = button.getAttribute("aria-label");
  const say = $("#say");
  const done = html("button.go", { "data-action": "close-rules", onclick: close }, button.dataset.back);
  const box = html(
    "div.rulesbox",
    {
      id: "rulesbox",
      role: "dialog",
      "aria-label": title,
      onkeydown: event => {
        if (event.key === "Escape") close();
      },
    },
    h("iframe", { title, src: `rules/${button.dataset.game}` }),
    done,
  );
  box.style.top = `${say.offsetTop + say.offsetHeight + 8}px`;
  $("#stage").append(box);
  done.focus();
}
