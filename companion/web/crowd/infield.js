// Cheers on the table page: they rise in the infield, behind the board that lies there, and never over the
// lane; where a course has no infield, in the column beside it. A device can do without.
import { $, calm, h, hat, word } from "../common/draw.js";
import { roomIn } from "../course/geometry.js";
import { cheerSign } from "./signs.js";

const MOST = 12; // at once
const RISES = 2_800; // ms, as crowd.css has it
const WIDE = 62; // px that one needs
const KEY = "cheers";

const air = h("div", { class: "cheers", "aria-hidden": "true" });
const button = h(
  "button",
  { type: "button", class: "round quiet", "data-action": "cheers", onclick: turn },
  cheerSign("heart", 28),
);
let next = 0;
let quiet = false;
try {
  quiet = localStorage.getItem(KEY) === "off";
} catch {
  /* this device keeps nothing */
}
name();
$(".page").append(button);

function name() {
  const label = word(quiet ? "cheers" : "no cheers");
  Object.assign(button, { title: label, ariaLabel: label, ariaPressed: String(quiet) });
}

function turn() {
  quiet = !quiet;
  try {
    localStorage.setItem(KEY, quiet ? "off" : "on");
  } catch {
    /* this device keeps nothing */
  }
  if (quiet) air.replaceChildren();
  name();
}

/**
 * Let these rise.
 * @param {Cheer[]} cheers
 * @param {import("../course/track.js").Track} track
 */
export function rise(cheers, track) {
  if (quiet || calm() || document.hidden) return;
  const from = place(track);
  for (const cheer of cheers.slice(0, MOST - air.childElementCount)) {
    const el = h("span", {}, cheerSign(cheer.sign, 44), cheer.seat !== null && hat(cheer.seat, 26));
    el.style.left = `${from[next % from.length]}px`;
    next += 1;
    air.append(el);
    setTimeout(() => el.remove(), RISES);
  }
}

/**
 * Put the air where they rise; gives from where, in px from its left edge.
 * @param {import("../course/track.js").Track} track
 */
function place(track) {
  const side = $("#side");
  const free = field(track);
  const box = free ? $("#course") : side;
  if (air.parentElement !== box) box.append(air);
  const {
    x,
    y,
    w,
    h: high,
    r,
    from,
  } = free ?? {
    x: 0,
    y: 0,
    w: side.clientWidth,
    h: side.clientHeight,
    r: 0,
    from: side.clientWidth - 3 * WIDE,
  };
  const at = { left: x, top: y, width: w, height: high, "border-radius": r };
  for (const [property, px] of Object.entries(at)) air.style.setProperty(property, `${px}px`);
  const spots = Math.max(1, Math.floor((w - from - (free ? from : 0)) / WIDE));
  return Array.from({ length: spots }, (_, i) => from + ((i * 5) % spots) * WIDE);
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
  const r = Math.max(0, infield.r - over);
  const from = Math.max(r * 0.8, c.asides - over);
  if (high < 120 || w - 2 * from < WIDE) return null;
  return { x: infield.x + over, y: infield.y + over, w, h: high, r, from };
}
