// Hold to look, on the table page: secrets of a seat that no phone holds are fetched while a player holds its
// button, and are gone from the page when it is let go.
import { $, h, hat, html, labelled, maybe, patch, s, touched, word } from "../common/draw.js";
import { hold } from "../common/hold.js";
import { codeOf, long } from "../common/panels.js";
import { getJson, send } from "../common/send.js";

const holds = $("#holds");
const held = $("#held");
/** @type {Map<string, HTMLElement>} */
const bars = new Map(); // each button is made once: it may be held while others come and go
let code = "";
/** @type {View | null} */
let view = null;
/** @type {number | null} */
let seat = null;
/** @type {number | null} */
let last = null;
/** @type {OwnSeat | null} */
let own = null;
let seen = 0;
/** @type {(() => void) | null} */
let fall = null;
/** @type {typeof import("../seat/hand.js") | null} */
let tools = null;
/** @type {import("../seat/hand.js").Choosing | null} */
let choosing = null; // fetched with the first secret: most games have none

/** Whose secrets can be held open: seats that owe a hidden decision and have no phone. */
const owing = () => (view?.match ? view.seats : []).filter(one => one.owes && !one.joined && !one.bot);

async function fetchSecrets() {
  const requested = seat;
  tools ??= await import("../seat/hand.js");
  choosing ??= new tools.Choosing(() => draw());
  const data = await getJson(`api/seat/page?seat=${requested}`);
  if (seat !== requested || (own && data?.seq < seen)) return; // let go, or a later view came meanwhile
  if (!data?.own) {
    fall?.();
    return;
  }
  own = data.own;
  seen = data.seq;
  draw();
}

function forget() {
  seat = null;
  own = null;
  held.hidden = true;
  patch(held);
}

function draw() {
  held.hidden = !own;
  if (!own || !tools || !choosing) {
    patch(held);
    return;
  }
  const { fact, sorted } = tools;
  const kit = choosing;
  const animal = view?.match?.animal ?? "pig";
  const ways = sorted([...(own.covered?.ways ?? []), ...own.open]);
  const known = own.covered?.known ?? [];
  const colour = own.piece ?? "";
  kit.keep(ways);
  const chosen = kit.chosen(ways);
  kit.animal = animal;
  kit.colour = colour;
  patch(
    held,
    h(
      "section.panel",
      { "aria-label": own.name },
      h(
        "header",
        hat(own.seat, 64),
        h("div", h("b", own.name), h("p", word("hold how", { name: own.name }))),
        h("button", { "data-action": "hide-held", "data-at": "hide", onclick: () => fall?.() }, word("hide")),
      ),
      ...ways.map(way => kit.draw(way)),
      ways.length > 0 && go(chosen),
      ...known.map(k => fact(k, colour, animal)),
    ),
  );
}

/**
 * The button that decides what is chosen.
 * @param {{ line: Line, text: string } | null} chosen
 */
const go = chosen =>
  h(
    "button.go",
    {
      "data-action": "decide-held",
      "data-at": "go",
      disabled: !chosen,
      onclick: () => chosen && decide(chosen),
    },
    chosen?.text ?? choosing?.missing([...(own?.covered?.ways ?? []), ...(own?.open ?? [])]) ?? "",
  );

/** @param {{ line: Line }} chosen */
async function decide(chosen) {
  const { ok } = await send("api/decide", { seq: seen, decision: chosen.line });
  if (!ok) return;
  choosing?.forget();
  fall?.();
}

/** @param {SeatView} one */
function button(one) {
  const words = html("b", { class: long(one.name) }, one.name);
  const bar = html(
    "button.hold",
    {
      "data-hold": one.seat,
      "aria-expanded": "false",
      "aria-controls": "held",
      "aria-label": word("hold of", { name: one.name }),
      title: one.name,
    },
    hat(one.seat, 44),
    words,
  );
  const drop = hold(bar, held, {
    open() {
      fall?.();
      fall = drop;
      seat = one.seat;
      if (last !== seat) choosing?.forget();
      last = seat;
      fetchSecrets();
    },
    stay() {
      words.textContent = word("hide");
    },
    shut() {
      words.textContent = one.name;
      fall = null;
      if (held.contains(document.activeElement)) bar.focus();
      forget();
    },
    enter() {
      maybe(".way button", held)?.focus();
    },
  });
  return bar;
}

const label = () =>
  h(
    "span.holdlabel",
    { "aria-hidden": "true" },
    s("svg.ic", { width: 40, height: 40 }, s("use", { href: "#ic-eye" })),
    h("span", word("hold")),
  );

/** @param {SeatView} one */
function barOf(one) {
  const key = JSON.stringify([one.seat, one.name]);
  const bar = bars.get(key) ?? button(one);
  bars.set(key, bar);
  return bar;
}

/**
 * The code to join with, as a picture and in letters, while a seat that needs a phone has none.
 * @param {View} now
 */
export function seatJoin(now) {
  if (!holds || !now.seatJoin || now.seats.every(one => one.joined || one.bot)) return null;
  return { qr: `${codeOf(now)}&to=seat`, text: code ? labelled(now.seatJoin, code) : now.seatJoin };
}

async function ask() {
  const known = await getJson("api/join");
  if (known) code = known.code;
  const join = view && seatJoin(view);
  if (join) $("[data-join-text]").textContent = join.text;
}

if (holds) {
  ask();
  document.addEventListener("view", event => {
    view = event.detail;
    const now = owing();
    if (seat !== null && !now.some(one => one.seat === seat)) fall?.();
    patch(holds, now.length ? [label(), ...now.map(barOf)] : []);
    holds.hidden = !now.length;
    holds.classList.toggle("many", now.length > 2);
    if (seat !== null) fetchSecrets();
  });
  /* the second finger of two is no click: it chooses all the same, while the first one holds */
  held.addEventListener("pointerup", event => {
    if (!event.isPrimary) touched(event, "button")?.click();
  });
}
