// Who sits where, on the host's page: the code to join with, which seats a phone holds, renaming a seat,
// freeing one, handing one over.
import { $, face, h, maybe, render, word } from "../common/draw.js";
import { getJson, press, send } from "../common/send.js";

const box = $("#seating");
/** @type {{ code: string } | null} */
let join = null;

/**
 * The name of a seat: written over, it is another one for the whole game.
 * @param {SeatView} s
 */
function nameOf(s) {
  const field = h("input", {
    type: "text",
    value: s.name,
    maxlength: 40,
    enterkeyhint: "done",
    "aria-label": word("name", { n: s.seat + 1 }),
  });
  const back = () => {
    field.value = s.name;
  };
  field.addEventListener("change", async () => {
    if (!field.value.trim()) return back();
    const { ok } = await send(`api/seats/${s.seat}`, { name: field.value }, { method: "PATCH" });
    if (!ok) back();
  });
  field.addEventListener("keydown", event => {
    if (event.key === "Escape") back();
    if (["Escape", "Enter"].includes(event.key)) field.blur();
  });
  return field;
}

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
        type: "button",
        "data-action": yes ? "hand-over" : "keep-seat",
        onclick: e => press(e.currentTarget, "api/hand-over", { seat: s.seat, number: s.asks, grant: yes }),
      },
      word(yes ? "hand over" : "no hand over"),
    );
  return h(
    "div",
    { class: "wish", role: "status" },
    h("p", {}, word("asks", { n: s.asks })),
    answer(true),
    answer(false),
  );
}

/** @param {View} view */
function draw(view) {
  box.hidden = !view.match || view.match.finished;
  /** @type {HTMLInputElement | null} */
  const writing = maybe("input:focus", box);
  if (box.hidden || (writing && writing.value !== writing.defaultValue)) return;
  $("#seating-code").textContent = join?.code ?? "";
  render($("#seating-list"), [view.seats, view.match?.faces], () =>
    view.seats.map(s =>
      h(
        "li",
        { "data-seat": s.seat },
        face(view.match?.faces[s.seat], s.seat, 40),
        nameOf(s),
        h("span", { class: "soft" }, word(s.bot ? "bot" : s.joined ? "phone" : "no phone")),
        s.joined &&
          h(
            "button",
            {
              type: "button",
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
