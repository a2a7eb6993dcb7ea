// Who sits where, on the host's page: the code to join with, which seats a phone holds, renaming a seat,
// freeing one, handing one over.
import { $, face, h, patch, word } from "../common/draw.js";
import { getJson, press, send } from "../common/send.js";

const box = $("#seating");
/** @type {{ code: string } | null} */
let join = null;

/**
 * The name of a seat: written over, it is another one for the whole game.
 * @param {SeatView} s
 */
const nameOf = s =>
  h("input", {
    type: "text",
    value: s.name,
    maxlength: 40,
    enterkeyhint: "done",
    "aria-label": word("name", { n: s.seat + 1 }),
    onchange: async ({ currentTarget: field }) => {
      const name = field.value;
      const body = { name };
      const done = name.trim() && (await send(`api/seats/${s.seat}`, body, { method: "PATCH" })).ok;
      if (!done) field.value = s.name;
    },
    onkeydown: ({ currentTarget, key }) => {
      const field = /** @type {HTMLInputElement} */ (currentTarget);
      if (key === "Escape") field.value = s.name;
      if (["Escape", "Enter"].includes(key)) field.blur();
    },
  });

/**
 * A phone asks for this seat: the host compares the number that it shows.
 * @param {SeatView} s
 */
function wish(s) {
  /** @param {boolean} yes */
  const answer = yes =>
    h(
      "button",
      {
        "data-action": yes ? "hand-over" : "keep-seat",
        onclick: e => press(e.currentTarget, "api/hand-over", { seat: s.seat, number: s.asks, grant: yes }),
      },
      word(yes ? "hand over" : "no hand over"),
    );
  return h("div.wish", { role: "status" }, h("p", word("asks", { n: s.asks })), answer(true), answer(false));
}

/** @param {View} view */
function draw(view) {
  box.hidden = !view.match || view.match.finished;
  if (box.hidden) return;
  $("#seating-code").textContent = join?.code ?? "";
  if (join) $("#to-seat").setAttribute("href", `seat?code=${join.code}`);
  patch(
    $("#seating-list"),
    view.seats.map(s =>
      h(
        "li",
        { key: s.seat, "data-seat": s.seat },
        face(view.match?.faces[s.seat], s.seat, 40),
        nameOf(s),
        h("span.soft", word(s.bot ? "bot" : s.joined ? "phone" : "no phone")),
        s.joined &&
          h(
            "button",
            {
              "data-action": "free",
              "aria-label": word("free of", { name: s.name }),
              onclick: e => press(e.currentTarget, "api/free", { seat: s.seat }),
            },
            word("free"),
          ),
        s.asks !== null && wish(s),
      ),
    ),
  );
}

if (box) {
  document.addEventListener("view", async event => {
    join ??= await getJson("api/join");
    draw(event.detail);
  });
}
