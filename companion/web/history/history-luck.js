// Luck against choice of a past game at a glance: three bars a player, badges, the moments that decided it.
import { h, hat, parts, s, word } from "../common/draw.js";
import { luck } from "../common/odds.js";

/** @type {("luck" | "own" | "others")[]} */
const WHAT = ["luck", "own", "others"];
const LEAST = 10; // points that half a bar's length stands for, where there is little to tell

/**
 * The report; `replay(swing)` shows one of its moments again.
 * @param {PastGame & { luck: LuckReport }} past
 * @param {(swing: SwingView) => void} replay
 */
export const report = (past, replay) => [
  h("div", { class: "pbox report" }, h("h2", {}, past.luck.title), table(past), swings(past, replay)),
  h(
    "details",
    { class: "panel prose", "data-prose": "" },
    h("summary", {}, word("in words")),
    luck(past.luck),
  ),
];

/** @param {PastGame & { luck: LuckReport }} past */
function table({ luck: { parts: all }, seats, badges }) {
  const most = Math.max(LEAST, ...all.flatMap(of => WHAT.map(what => Math.abs(of[what] ?? 0))));
  return h(
    "table",
    {},
    h("caption", {}, word("bars")),
    all.map((of, seat) =>
      h(
        "tbody",
        { "data-parts": seat },
        h(
          "tr",
          {},
          h(
            "th",
            { scope: "rowgroup", colspan: 2 },
            h(
              "span",
              { class: "whose" },
              hat(seat, 34),
              h("b", {}, seats[seat]),
              h("span", { class: "fromto" }, word("from to", { from: of.start, to: of.end })),
            ),
          ),
        ),
        WHAT.map(what =>
          h(
            "tr",
            { "data-part": what },
            h("th", { scope: "row" }, word(what === "others" && seats.length === 2 ? "other" : what)),
            h("td", {}, h("span", { class: "measured" }, bar(of[what], most), number(of[what]))),
          ),
        ),
        badges[seat]?.length > 0 &&
          h("tr", {}, h("td", { colspan: 2 }, h("div", { class: "badges" }, badges[seat].map(badge)))),
      ),
    ),
  );
}

/**
 * To the right of the line what was brought, to the left, hatched, what it cost.
 * @param {number | null} points
 * @param {number} most
 */
const bar = (points, most) =>
  h(
    "span",
    { class: "fork", "aria-hidden": "true" },
    points &&
      h("i", {
        class: points > 0 ? "brought" : "cost",
        style: `width:${((50 * Math.abs(points)) / most).toFixed(1)}%`,
      }),
  );

/** @param {number | null} points */
const number = points =>
  points === null
    ? h("b", {}, h("span", { "aria-hidden": "true" }, "±0"), h("span", { class: "sr" }, word("unclear")))
    : h("b", {}, `${points < 0 ? "−" : "+"}${Math.abs(points)}`);

/** @param {BadgeView} of */
const badge = ({ name, rule }) =>
  h("details", { class: "badge" }, h("summary", {}, rosette(), name), h("p", {}, rule));

const rosette = () =>
  s(
    "svg",
    { class: "ic", width: 22, height: 26, viewBox: "0 0 22 26", "aria-hidden": "true" },
    s("path", { d: "M6 14 4 25l7-4 7 4-2-11", fill: "none", stroke: "currentColor", "stroke-width": 2.5 }),
    s("circle", { cx: 11, cy: 9, r: 8, fill: "currentColor" }),
  );

/**
 * @param {PastGame & { luck: LuckReport }} past
 * @param {(swing: SwingView) => void} replay
 */
function swings({ luck: { swings: all }, seats }, replay) {
  /**
   * @param {SwingView} swing
   * @param {number} seat
   */
  const chance = (swing, seat) =>
    h(
      "span",
      { class: "chance" },
      hat(seat, 30),
      h("b", {}, seats[seat]),
      ` ${word("from to", { from: swing.before[seat], to: swing.after[seat] })}`,
    );
  return (
    all.length > 0 && [
      h("h3", {}, word("swings")),
      h("p", { class: "fromto" }, word("replay")),
      h(
        "ol",
        { class: "swings" },
        all.map(swing =>
          h(
            "li",
            {},
            h(
              "button",
              { type: "button", "data-swing": swing.at, onclick: () => replay(swing) },
              h(
                "span",
                { class: "tx" },
                h("span", { class: "fromto" }, swing.stage),
                h("span", {}, parts(swing.parts, { food: false })),
                [swing.gainer, swing.loser].map(seat => chance(swing, seat)),
              ),
              s(
                "svg",
                { class: "ic", width: 26, height: 26, viewBox: "0 0 26 26", "aria-hidden": "true" },
                s("path", { d: "M6 3v20l17-10z", fill: "currentColor" }),
              ),
            ),
          ),
        ),
      ),
    ]
  );
}
