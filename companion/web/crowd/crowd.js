// What those who watch do on the watch page: pick a favourite, cheer, see who tips best.
import { panelTable } from "../common/boards.js";
import { $, h, hat, maybe, render, word } from "../common/draw.js";
import { getJson, press } from "../common/send.js";
import { NAMES, cheerSign } from "./signs.js";

const box = $("#crowd");
const below = $("#tipsters");
/** @type {CrowdView | null} */
let known = null;
let asked = "";

/**
 * Show what can be done in this view, asking the companion for what only this device may know.
 * @param {View} view
 */
export async function show(view) {
  box.hidden = !view.crowd;
  if (!view.crowd) below.hidden = true;
  // what a favourite pays follows the odds until the first card
  const odds = view.crowd === "open" && view.odds?.rows.map(row => [row.seat, row.p]);
  const now = JSON.stringify([view.match?.id, view.crowd, view.match?.seats, odds]);
  if (!view.crowd || now === asked) return;
  asked = now;
  /** @type {CrowdView | null} */
  const found = await getJson("api/crowd");
  if (now !== asked) return;
  if (found) draw(found);
  else asked = "";
}

/** @param {CrowdView} now */
function draw(now) {
  known = now;
  const over = now.state === "over";
  const table = now.tipsters ? panelTable(now.tipsters) : null;
  render(box, now, () => [
    h(
      "div",
      { class: "panel crowd" },
      now.state === "open" ? picking(now) : picked(now),
      over ? null : cheering(),
    ),
    over ? table : null,
  ]);
  below.hidden = over || !table;
  // whoever writes a name is not interrupted
  if (!maybe("input", below)?.matches(":focus")) {
    render(below, now, () => [over ? null : table, now.mine && !over ? naming(now) : null]);
  }
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

/** @param {CrowdView} now */
const picking = now => [
  h("h2", { id: "crowd-title" }, word("who wins")),
  h("p", { class: "soft" }, word("stake", { n: now.stake })),
  h(
    "div",
    { class: "favourites" },
    now.favourites.map(one => {
      const mine = one.seat === now.mine?.seat;
      return h(
        "button",
        {
          type: "button",
          "data-action": "favourite",
          "data-card": one.seat,
          "aria-pressed": String(mine),
          onclick: e => put(e, "api/favourite", { match: now.match, seat: one.seat }),
        },
        hat(one.seat, 40),
        h("b", { title: one.name }, one.name),
        h("span", {}, word("pays", { n: (mine && now.mine ? now.mine : one).pays })),
      );
    }),
  ),
];

/** @param {CrowdView} now */
const picked = now => {
  const { mine, gain } = now;
  return [
    h(
      "h2",
      { id: "crowd-title", class: mine && now.state === "over" ? null : "sr" },
      word(mine ? "favourite" : "cheer"),
    ),
    mine &&
      h(
        "p",
        { class: "mine" },
        hat(mine.seat, 40),
        h("b", {}, mine.name),
        h(
          "span",
          { class: gain === null ? "" : gain > 0 ? "gain" : "loss" },
          gain === null
            ? word("pays", { n: mine.pays })
            : word(gain > 0 ? "won" : "lost", { n: Math.abs(gain) }),
        ),
      ),
  ];
};

const cheering = () =>
  h(
    "div",
    { class: "cheering", role: "group", "aria-label": word("cheer") },
    NAMES.map(name =>
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          "data-cheer": name,
          "aria-label": word(`sign ${name}`),
          onclick: cheer,
        },
        cheerSign(name, 40),
      ),
    ),
  );

/** @param {Listened<MouseEvent>} event */
async function cheer({ currentTarget: button }) {
  const body = { sign: button.dataset.cheer, seat: known?.mine?.seat ?? null };
  const { ok } = await press(button, "api/cheer", body);
  if (!ok) return;
  button.classList.remove("sent");
  requestAnimationFrame(() => button.classList.add("sent"));
}

/** @param {CrowdView} now */
const naming = now =>
  h(
    "form",
    {
      class: "naming",
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
