// What those who watch do on the watch page: pick a favourite, cheer, see who tips best.
import { panelTable } from "../common/boards.js";
import { $, h, hat, patch, picture, word } from "../common/draw.js";
import { getJson, press, tell } from "../common/send.js";
import { NAMES, cheerSign } from "./signs.js";

const box = $("#crowd");
const below = $("#tipsters");
/** @type {CrowdView | null} */
let known = null;
/** @type {string | null} */
let animal = null;
let requested = "";
let empty = false;

/**
 * Show what can be done in this view, asking the companion for what only this device may know.
 * @param {View} view
 */
export async function show(view) {
  box.hidden = !view.crowd || empty;
  if (!view.crowd) below.hidden = true;
  animal = view.match?.animal ?? null;
  // what a favourite pays follows the odds until the first card
  const odds = view.crowd === "open" && [view.seq, view.odds?.rows.map(row => [row.seat, row.p])];
  const now = JSON.stringify([view.match?.id, view.crowd, view.match?.seats, view.round?.race, odds]);
  if (!view.crowd || now === requested) return;
  requested = now;
  /** @type {CrowdView | null} */
  const crowd = await getJson("api/crowd");
  if (now !== requested) return;
  if (crowd) draw(crowd);
  else requested = "";
}

/** @param {CrowdView} now */
function draw(now) {
  known = now;
  const over = now.state === "over";
  const table = now.tipsters ? panelTable(now.tipsters) : null;
  const nothing = over && !now.mine; // without a pick there is nothing to look back on
  empty = nothing && !table;
  box.hidden = empty;
  patch(box, [
    nothing
      ? h("h2.sr", { id: "crowd-title" }, word("favourite"))
      : h("div.panel.crowd", now.state === "open" ? picking(now) : picked(now), over ? null : cheering()),
    over ? table : null,
  ]);
  below.hidden = over || !table;
  patch(below, [over ? null : table, now.mine && !over ? naming(now) : null]);
}

/**
 * What is sent back after each thing done is what there is to show.
 * @param {Event} event
 * @param {string} url
 * @param {object} body
 */
async function put(event, url, body) {
  const { ok, data } = await press(event.currentTarget, url, body, { method: "PUT" });
  if (ok) draw(/** @type {CrowdView} */ (data));
}

/** Whether nothing is known of the dogs yet. @param {CrowdView} now */
const alike = now => new Set(now.favourites.map(one => one.pays)).size === 1;

/** @param {CrowdView} now */
const picking = now => [
  ...before(now),
  h("h2", { id: "crowd-title" }, now.race ? word("who wins race", { race: now.race }) : word("who wins")),
  h("p.soft", word("stake", { n: now.stake })),
  now.race > 0 && alike(now) && h("p.soft", word("alike")),
  h(
    "div.favourites",
    now.favourites.map(one => {
      const { seat, piece } = one;
      const mine = now.mine !== null && seat === now.mine.seat && piece === now.mine.piece;
      return h(
        "button",
        {
          key: piece ?? seat,
          "data-action": "favourite",
          "data-card": piece ?? seat,
          "aria-pressed": String(mine),
          onclick: e => put(e, "api/favourite", { match: now.match, race: now.race, seat, piece }),
        },
        likeness(one, 40),
        h("b", { title: one.name }, one.name),
        h("span", word("pays", { n: (mine && now.mine ? now.mine : one).pays })),
      );
    }),
  ),
];

/**
 * The hat of a seat, or the piece.
 * @param {FavouriteView} one
 * @param {number} size
 */
const likeness = ({ seat, piece }, size) =>
  seat === null ? picture(animal, piece, size * 1.5) : hat(seat, size);

/** @param {FavouriteView} one @param {number | null} gain */
const outcome = (one, gain) =>
  h(
    "p.mine",
    likeness(one, 40),
    h("b", one.name),
    h(
      "span",
      { class: gain === null ? "" : gain > 0 ? "gain" : "loss" },
      gain === null ? word("pays", { n: one.pays }) : word(gain > 0 ? "won" : "lost", { n: Math.abs(gain) }),
    ),
  );

/**
 * What the favourite of the race before has brought.
 * @param {CrowdView} now
 */
const before = ({ last, last_gain: gain, race }) =>
  last && gain !== null ? [h("h2", word("favourite in race", { race: race - 1 })), outcome(last, gain)] : [];

/** @param {CrowdView} now */
const picked = now => {
  const { mine, gain } = now;
  return [
    h(
      "h2",
      { id: "crowd-title", class: mine && now.state === "over" ? null : "sr" },
      word(mine ? "favourite" : "cheer"),
    ),
    mine && outcome(mine, gain),
  ];
};

const cheering = () =>
  h(
    "div.cheering",
    { role: "group", "aria-label": word("cheer") },
    NAMES.map(name =>
      h(
        "button.quiet",
        { "data-cheer": name, "aria-label": word(`sign ${name}`), onclick: cheer },
        cheerSign(name, 40),
      ),
    ),
  );

/** @param {Listened<MouseEvent>} event */
async function cheer({ currentTarget: button }) {
  const { seat, piece } = known?.mine ?? { seat: null, piece: null };
  const body = { sign: button.dataset.cheer, seat, piece };
  const { ok, status, data } = await press(button, "api/cheer", body, { quiet: true });
  if (!ok) return tell(data.reason || word("offline"), status === 429 ? "told" : "refused");
  button.classList.remove("sent");
  requestAnimationFrame(() => button.classList.add("sent"));
}

/** @param {CrowdView} now */
const naming = now =>
  h(
    "form.naming",
    {
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        const name = /** @type {HTMLInputElement} */ ($("input", below));
        name.blur();
        put(event, "api/nickname", { name: name.value });
      },
    },
    h("label", { for: "nickname" }, word("nickname")),
    h("input", {
      id: "nickname",
      required: true,
      maxlength: 16,
      autocomplete: "nickname",
      value: now.nickname,
    }),
    h("button", { type: "submit" }, word("ok")),
  );
