// The finish on the phone of a player: my place, my badge, my moment.
import { h, hat, parts, s, word } from "../common/draw.js";
export { styled } from "./style.js";
import { LASTS, places, rounded } from "./beats.js";

const CARD = 4_100; // ms that the table takes for the last move and the last card

/**
 * How long a phone keeps its player waiting, in ms: until the table has shown who is first.
 * @param {StandingView[]} standings
 */
export const held = standings => CARD + LASTS.curtain + (places(standings).length - 1) * LASTS.step;

export const rosette = () =>
  s(
    "svg.ic",
    { width: 22, height: 26, viewBox: "0 0 22 26", "aria-hidden": "true" },
    s("path", { d: "M6 14 4 25l7-4 7 4-2-11", fill: "none", stroke: "currentColor", "stroke-width": 2.5 }),
    s("circle", { cx: 11, cy: 9, r: 8, fill: "currentColor" }),
  );

/** What a phone says while the table shows the finish. */
export const waiting = () => [h("p.fin-line", word("look up"))];

/**
 * The finish of this seat.
 * @param {OwnSeat} own
 * @param {OwnFinish} finish
 */
export const ownFinish = (own, { place, of, headline, badge, moment }) => [
  headline && h("p.fin-news", parts(headline, { food: false })),
  h(
    "div.fin-mine",
    hat(own.seat, 84),
    place !== null &&
      h("b.fin-place", h("span", String(place)), h("small", word("of", { n: "", of }).trim())),
  ),
  own.meant && h("h1.fin-line", parts(own.meant.parts, { food: false })),
  badge && h("div.fin-badge", h("b", rosette(), h("span", badge.name)), h("p", badge.rule)),
  moment &&
    h(
      "div.fin-own",
      h("b", word("my moment")),
      h("span", moment.stage),
      h("p", parts(moment.parts, { food: false })),
      h("span.fin-points", word("chance moved", { from: rounded(moment.before), to: rounded(moment.after) })),
      h(
        "span.fin-bar",
        { "aria-hidden": "true" },
        h("i.was", { style: `width:${moment.before}%` }),
        h("i.is", { style: `--was:${moment.before / 100};--is:${moment.after / 100}` }),
      ),
    ),
  h("a.button", { href: "tonight" }, word("tonight")),
];
