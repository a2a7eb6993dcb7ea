// The note on the table page of what was just taken back, with the picture of the position it led to.
import { $, h, html, sign, word } from "../common/draw.js";
import { sketch } from "../course/sketch.js";
import { stylesheet } from "../common/stylesheet.js";

stylesheet(new URL("../course/sketch.css", import.meta.url));

const LONG = 9_000;
/** @type {HTMLElement | null} */
let note = null;
let timer = 0;

const away = () => {
  clearTimeout(timer);
  note?.remove();
  note = null;
};

/**
 * `answer`: what the undo answered. It goes by itself, or when it is closed, or with the next decision.
 * @param {Answer} answer
 */
export function takenBack(answer) {
  away();
  if (!answer.picture) return;
  const redo = $("[data-action=redo]");
  note = html(
    "aside.panel.takenback",
    { role: "status" },
    h("b", word("taken back", { then: answer.text })),
    h(
      "button.round.quiet",
      { "data-action": "close-note", "aria-label": word("close"), onclick: away },
      sign("close", 26),
    ),
    sketch(answer.picture, answer.picture.say ?? ""),
    h(
      "button",
      {
        "data-action": "put-back",
        onclick: () => {
          away();
          redo.click();
        },
      },
      sign("redo", 26),
      word("put back"),
    ),
  );
  note.dataset.seq = String(answer.seq);
  $("#stage").append(note);
  timer = setTimeout(away, LONG);
}

document.addEventListener("view", event => {
  if (note && event.detail.seq > Number(note.dataset.seq)) away();
});
