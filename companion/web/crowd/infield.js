// Cheers on the table page: they rise in the infield, behind the board there, and never over the
// lane; where a course has no infield, in the column next to it. A device can do without.
import { $, calm, hat, html, picture, word } from "../common/draw.js";
import { recall, remember } from "../common/remember.js";
import { roomIn } from "../course/geometry.js";
import { cheerSign } from "./signs.js";

const MOST = 12; // at once
const RISES = 2_800; // ms, as crowd.css has it
const WIDE = 62; // px that one needs
const KEY = "cheers";

const air = html("div.cheers", { "aria-hidden": "true" });
const button = html("button.round.quiet", { "data-action": "cheers", onclick: turn }, cheerSign("heart", 28));
let next = 0;
let quiet = recall(KEY) === "off";
name();

function name() {
  const label = word(quiet ? "cheers" : "no cheers");
  Object.assign(button, { title: label, ariaLabel: label, ariaPressed: String(quiet) });
}

function turn() {
  quiet = !quiet;
  remember(KEY, quiet ? "off" : "on");
  if (quiet) air.replaceChildren();
  name();
}

/**
 * Let these rise.
 * @param {Cheer[]} cheers
 * @param {import("../course/track.js").Track} track
 */
export function rise(cheers, track) {
  const from = place(track);
  if (quiet || calm() || document.hidden || !from.length) return;
  for (const cheer of cheers.slice(0, MOST - air.childElementCount)) {
    const { sign, seat, piece } = cheer;
    const whom = piece !== null ? picture(track.animal, piece, 36) : seat !== null && hat(seat, 26);
    const el = html("span", cheerSign(sign, 44), whom);
    const [left, bottom] = from[next % from.length];
    Object.assign(el.style, { left: `${left}px`, bottom: `${bottom}px` });
    next += 1;
    air.append(el);
    setTimeout(() => el.remove(), RISES);
  }
}

/**
 * Put the air and the button where they cover nothing; return the start, in px from left and bottom.
 * @param {import("../course/track.js").Track} track
 */
function place(track) {
  const infield = field(track);
  const inside = infield ? spots(infield) : [];
  const free = inside.length ? infield : null; // a board may leave no room in it
  const boxes = free ? [$("#course"), $(".page")] : [$("#side"), $(".tools")];
  [air, button].forEach((el, i) => {
    if (el.parentElement !== boxes[i]) boxes[i].prepend(el);
  });
  const { x, y, w, h: high, r } = free ?? beside();
  const at = { left: x, top: y, width: w, height: high, "border-radius": r, "--high": high };
  for (const [property, px] of Object.entries(at)) air.style.setProperty(property, `${px}px`);
  return free ? inside : [0, 1, 2].map(i => [w - (i + 1) * WIDE, 0]);
}

/** The story, or what else the column ends with. */
function beside() {
  const story = $("#more .story");
  const el = story.hidden ? $("#more .foot") : story;
  return { x: el.offsetLeft, y: el.offsetTop, w: el.offsetWidth, h: el.offsetHeight, r: 0 };
}

/**
 * The infield as far as nothing of the lane hangs over it; null if that is too little.
 * @param {import("../course/track.js").Track} track
 */
function field({ course: c }) {
  const { infield } = c ?? {};
  if (!c || !infield) return null;
  const over = (infield.h - roomIn(infield, c.lane, 0, infield.h).h) / 2;
  const [w, high] = [infield.w - 2 * over, infield.h - 2 * over];
  const from = Math.max(0, c.asides - over);
  if (high < 120 || w - 2 * from < 2 * WIDE) return null;
  return { x: infield.x + over, y: infield.y + over, w, h: high, r: Math.max(0, infield.r - over), from };
}

/**
 * Where cheers are seen in the infield: below the board, and on both sides as low as the bend allows.
 * @param {{ x: number, y: number, w: number, h: number, r: number, from: number }} air
 */
function spots({ x, y, w, h: high, r, from }) {
  const board = $("#board");
  const inInfield = !board.hidden && board.parentElement === $("#course");
  const [wide, low] = inInfield ? [board.offsetWidth / 2, board.offsetHeight / 2] : [0, 0];
  const [left, right] = [board.offsetLeft - x - wide, board.offsetLeft - x + wide];
  const below = !inInfield || y + high - board.offsetTop - low >= 44;
  /** @param {number} at */
  const bend = at => {
    const into = Math.max(0, r - Math.min(at + WIDE / 2, w - at - WIDE / 2));
    return r - Math.sqrt(Math.max(0, r ** 2 - into ** 2));
  };
  /** @type {[number, number][]} */
  const out = [];
  const count = Math.floor((w - from) / WIDE);
  const apart = (w - from - WIDE) / (count - 1);
  for (let i = 0; i < count; i++) {
    const at = from + i * apart;
    const clear = inInfield && (at + WIDE - 12 <= left || at + 4 >= right);
    if (clear || (below && bend(at) < 6)) out.push([at, bend(at)]);
  }
  return out.map((_, i) => out[(i * 5) % out.length]).filter((one, i, all) => all.indexOf(one) === i);
}
