// Screens that ask to be the table, on the host's page: the one with this number is let in, or not.
import { $, h, patch, word } from "../common/draw.js";
import { getJson, press } from "../common/send.js";

const box = $("#screens");
let asked = "";

/** @param {number} number */
function question(number) {
  /** @param {boolean} grant */
  const answer = grant =>
    h(
      grant ? "button.go" : "button",
      {
        "data-action": grant ? "let-in" : "keep-out",
        onclick: e => press(e.currentTarget, "api/screens/answer", { number, grant }),
      },
      word(grant ? "let in" : "keep out", { n: number }),
    );
  return h(
    "li",
    { key: number, "data-screen": number },
    h("p", word("screen asks", { n: number })),
    h("div.acts", answer(true), answer(false)),
  );
}

/** @param {View} view */
async function draw(view) {
  // numbers are for hosts alone: the view that everybody gets says only how many there are
  const now = `${view.screens} ${view.seq}`;
  if (now === asked && !view.screens) return;
  asked = now;
  /** @type {{ numbers: number[] } | null} */
  const waiting = view.screens ? await getJson("api/screens") : { numbers: [] };
  if (asked !== now || !waiting) return;
  box.hidden = !waiting.numbers.length;
  patch($("ul", box), waiting.numbers.map(question));
}

if (box) document.addEventListener("view", event => draw(event.detail));
