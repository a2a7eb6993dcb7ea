// Luck against choice at a glance: bars and badges a player, the moments that decided it; the prose folded.
import { h, hat, parts, s, word } from "./draw.js";
import { score } from "./panels.js";

/** @type {("luck" | "own" | "others")[]} */
const WHAT = ["luck", "own", "others"];
const LEAST = 10; // points that half a bar's length stands for, where there is little to tell

/**
 * What the report needs besides the numbers: players, names, the headline of the evening; `ended`: the
 * standings, where the report is in their place; `again`: the link that shows a moment again, if any.
 * @typedef {{
 *   seats: string[],
 *   badges: BadgeView[][],
 *   headline?: EveningReport["headline"],
 *   ended?: Ended,
 *   again?: (swing: SwingView) => Attributes,
 * }} Evening
 */

/**
 * The report; where the standings were, all of it in one box.
 * @param {LuckReport} luck
 * @param {Evening} of
 */
export function report(luck, of) {
  const title = h(of.headline ? "h3" : "h2", { class: "of" }, luck.title);
  /** @param {string} look @param {...Child} head */
  const inWords = (look, ...head) =>
    h(
      "details",
      { class: look, "data-prose": "" },
      h("summary", ...head, h("span", word("in words"))),
      prose(luck),
    );
  return [
    h(
      "section.pbox.report",
      { "aria-label": luck.title },
      of.headline && h("h2.evening", parts(of.headline)),
      of.ended ? inWords("prose", title) : title,
      table(luck, of),
      swings(luck, of),
    ),
    !of.ended && inWords("panel prose"),
  ];
}

/**
 * @param {LuckReport} luck
 * @param {Evening} of
 */
function table({ parts: all }, { seats, badges, ended }) {
  const most = Math.max(LEAST, ...all.flatMap(of => WHAT.map(what => Math.abs(of[what] ?? 0))));
  const rows = ended?.standings ?? all.map((_, seat) => ({ seat, place: null, score: 0 }));
  return h(
    "table",
    h("caption", { class: seenBy(!ended) || null }, word("bars")),
    ended &&
      h(
        "thead",
        { "aria-hidden": "true" },
        h("tr", ...[...WHAT, ...WHAT].map(what => h("td", label(what, seats)))),
      ),
    rows.map(({ seat, place, score: points }) =>
      h(
        "tbody",
        { "data-parts": seat },
        h(
          "tr",
          h(
            "th",
            { scope: "rowgroup", colspan: 2 },
            h(
              "span.whose",
              ended && h("span.rk", String(place ?? "–")),
              hat(seat, 34),
              h("b", seats[seat]),
              ended
                ? h("span.sc", score(points, ended.unit, 22))
                : h("span.fromto", word("from to", { from: all[seat].start, to: all[seat].end })),
            ),
          ),
        ),
        WHAT.map(what =>
          h(
            "tr",
            { "data-part": what },
            h("th", { scope: "row", class: seenBy(!ended) || null }, label(what, seats)),
            h("td", h("span.measured", bar(all[seat][what], most), number(all[seat][what]))),
          ),
        ),
        !ended && // the finish has them
          badges[seat]?.length > 0 &&
          h("tr", h("td", { colspan: 2 }, h("div.badges", badges[seat].map(badge)))),
      ),
    ),
  );
}

/**
 * The class of what only a screen reader says where there is no room to show it.
 * @param {boolean} all
 */
const seenBy = (all, look = "") => (all ? look : "sr");

/**
 * @param {string} what
 * @param {string[]} seats
 */
const label = (what, seats) => word(what === "others" && seats.length === 2 ? "other" : what);

/**
 * To the right of the line what was brought, to the left, hatched, what it cost.
 * @param {number | null} points
 * @param {number} most
 */
const bar = (points, most) =>
  h(
    "span.fork",
    { "aria-hidden": "true" },
    points &&
      h("i", {
        class: points > 0 ? "brought" : "cost",
        style: `width:${((50 * Math.abs(points)) / most).toFixed(1)}%`,
      }),
  );

/** @param {number | null} points */
const number = points =>
  points === null
    ? h("b", h("span", { "aria-hidden": "true" }, "±0"), h("span.sr", word("unclear")))
    : h("b", `${points < 0 ? "−" : "+"}${Math.abs(points)}`);

/** @param {BadgeView} of */
const badge = ({ name, rule }) => h("details.badge", h("summary", rosette(), name), h("p", rule));

const rosette = () =>
  s(
    "svg.ic",
    { width: 22, height: 26, viewBox: "0 0 22 26", "aria-hidden": "true" },
    s("path", { d: "M6 14 4 25l7-4 7 4-2-11", fill: "none", stroke: "currentColor", "stroke-width": 2.5 }),
    s("circle", { cx: 11, cy: 9, r: 8, fill: "currentColor" }),
  );

/**
 * @param {LuckReport} luck
 * @param {Evening} of
 */
function swings({ swings: all }, { seats, ended, again }) {
  /**
   * @param {SwingView} swing
   * @param {number} seat
   */
  const chance = (swing, seat) =>
    h(
      "span.chance",
      hat(seat, 30),
      h("b", seats[seat]),
      ` ${word("from to", { from: swing.before[seat], to: swing.after[seat] })}`,
    );
  /** @param {SwingView} swing */
  const touched = swing => {
    const how = again?.(swing);
    const { gainer, before, after } = swing;
    return h(
      how ? ("href" in how ? "a" : "button") : "div",
      { class: "button", "data-swing": swing.at, ...how },
      h(
        "span",
        { class: seenBy(!ended, "tx") },
        h("span.fromto", swing.stage),
        h("span", parts(swing.parts, { food: false })),
        [gainer, swing.loser].map(seat => chance(swing, seat)),
      ),
      ended && [
        hat(gainer, 26),
        h("span.rise", { "aria-hidden": "true" }, `${before[gainer]}→${after[gainer]} %`),
      ],
      how &&
        s(
          "svg.ic",
          { width: 26, height: 26, viewBox: "0 0 26 26", "aria-hidden": "true" },
          s("path", { d: "M6 3v20l17-10z", fill: "currentColor" }),
        ),
    );
  };
  return (
    all.length > 0 && [
      h("h3", word("swings")),
      again && h("p", { class: seenBy(!ended, "fromto") }, word("replay")),
      h("ol.swings", ...all.map(swing => h("li", touched(swing)))),
    ]
  );
}

/**
 * The same in sentences.
 * @param {LuckReport} luck
 */
const prose = ({ title, note, seats, moments }) =>
  h(
    "div.pbox.luck",
    { "data-luck": "" },
    h("h2", title),
    h("ul", ...seats.map((text, seat) => h("li", hat(seat, 34), h("span", text)))),
    note && h("p", note),
    moments.length > 0 && h("ol", ...moments.map(text => h("li", h("span", text)))),
  );
