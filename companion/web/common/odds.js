// What may happen and how likely it is: bars with a whisker for the error, lines over time.
import { h, hat, numbers, patch, s, withAttributes, word } from "./draw.js";
import { spread } from "./lists.js";

const share = numbers({ style: "percent" });

export const tenths = numbers({ minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** @param {number} p */
export const percent = p =>
  p > 0 && p < 0.01 ? `<${share(0.01)}` : p > 0.99 && p < 1 ? `>${share(0.99)}` : share(p);

/**
 * A chance to be read across a table: to 5 %, and certain only when it is.
 * @param {number} p
 */
export const roughly = p => {
  if (p <= 0 || p >= 1) return share(p);
  if (p < 0.025) return `<${share(0.05)}`;
  return p > 0.975 ? `>${share(0.95)}` : share(Math.round(p * 20) / 20);
};

const SWING = 0.15; // so much of a change at once is said in words

/**
 * The chance that changed most with the last decision, if that is worth a word.
 * @param {ToteRow[]} rows
 */
export function swung(rows) {
  const moved = rows
    .filter(row => row.line.length > 1)
    .map(row => ({ row, was: row.line[row.line.length - 2], is: row.line[row.line.length - 1] }))
    .sort((a, b) => Math.abs(b.is - b.was) - Math.abs(a.is - a.was));
  return moved.length && Math.abs(moved[0].is - moved[0].was) >= SWING ? moved[0] : null;
}

/**
 * A chance in words, with how far off it may be.
 * @param {Likely} of
 */
export const likely = ({ p, error }) =>
  error > 0
    ? word("likely within", {
        p: percent(p),
        low: percent(Math.max(0, p - error)),
        high: percent(Math.min(1, p + error)),
      })
    : word("likely exactly", { p: percent(p) });

/**
 * A chance as a bar that ends at `most`; the whisker spans what it may be instead, an exact one has none.
 * @param {Likely} chance
 */
export function bar(chance, most = 1, cls = "") {
  /** @param {number} p */
  const part = p => `${(Math.max(0, Math.min(1, p / most)) * 100).toFixed(1)}%`;
  const { p, error } = chance;
  return h(
    "span",
    { class: `bar ${cls}`, role: "img", "aria-label": likely(chance), title: likely(chance) },
    h("i", { style: `width:${part(p)}` }),
    error > 0.002 &&
      h("u", { style: `left:${part(p - error)};width:calc(${part(p + error)} - ${part(p - error)})` }),
  );
}

/** @param {number[]} line */
function spark(line) {
  const values = line.slice(-24);
  const top = Math.max(0.5, ...values);
  const n = Math.max(1, values.length - 1);
  const at = values.map((v, i) => [2 + (74 * i) / n, 34 - (30 * v) / top]);
  const [x, y] = at[at.length - 1];
  return s(
    "svg.sparks",
    { viewBox: "0 0 82 40", width: 82, height: 40, "aria-hidden": "true" },
    s("path.sparkbase", { d: "M2 37H78" }),
    s("polyline.spark", { points: at.map(p => p.map(v => v.toFixed(1)).join()).join(" ") }),
    s("circle.sparkdot", { cx: x, cy: y, r: 5 }),
  );
}

/**
 * All seats' chances over the whole match in one picture, each line with the hat of its seat at the end.
 * @param {Tote} odds
 */
export function lines(odds) {
  const rows = odds.rows.filter(r => r.line.length > 1);
  if (!rows.length) return null;
  const wide = 320;
  const high = 120;
  const top = Math.min(1, Math.max(0.5, ...rows.flatMap(r => r.line)) + 0.05);
  /**
   * @param {number} v
   * @param {number} i
   * @param {number} n
   */
  const at = (v, i, n) => [6 + ((wide - 46) * i) / Math.max(1, n - 1), 6 + (high - 12) * (1 - v / top)];
  const ends = spread(
    rows.map(r => ({ r, y: at(r.line[r.line.length - 1], 0, 1)[1] })),
    21, // hats do not cover each other
    12,
    high - 12,
  );
  return s(
    "svg.oddslines",
    { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": word("over time") },
    [0, 0.25, 0.5, 0.75, 1]
      .filter(v => v < top)
      .map(v => s("path.sparkbase", { d: `M6 ${at(v, 0, 1)[1]}H${wide - 34}` })),
    rows.map(r =>
      s("polyline", {
        class: `spark dash${r.seat % 5}`,
        points: r.line
          .map((v, i) =>
            at(v, i, r.line.length)
              .map(x => x.toFixed(1))
              .join(),
          )
          .join(" "),
      }),
    ),
    ends.map(({ r, y }) => withAttributes(hat(r.seat, 24), { x: wide - 30, y: y - 12 })),
  );
}

/**
 * The tote board, sorted: bars, whiskers, numbers, lines over time; `whole`: those in one picture below.
 * @param {View} view
 * @param {HTMLElement} el
 * @param {{ whole?: boolean }} [of]
 */
export function tote(view, el, { whole = false } = {}) {
  const { odds } = view;
  el.hidden = !odds;
  if (!odds) return;
  el.classList.toggle("old", odds.old);
  patch(el, chances(odds, whole));
}

/** @param {ToteRow} row */
const named = ({ name }) =>
  h("b", { class: `nm ${name.length > 16 ? "xl" : name.length > 9 ? "l" : ""}`, title: name }, name);

/**
 * A row for those who ask: to 1 %, with how sure it is, and how it was before.
 * @param {ToteRow} r
 * @param {number} most
 * @param {boolean} before
 */
const exactly = (r, most, before) =>
  h(
    "li",
    { key: r.seat, "data-exactly": r.seat },
    hat(r.seat, 40),
    named(r),
    h("span.bars", bar(r, most), r.also && bar(r.also, most, "thin")),
    h("span.pc", h("b", percent(r.p)), r.also && h("small.also", percent(r.also.p))),
    before && r.line.length > 1 && spark(r.line),
  );

/**
 * What the tote board says.
 * @param {Tote} odds
 */
export function chances(odds, whole = false) {
  if (odds.off) return [h("h2", odds.title), h("p.off", odds.off)];
  if (odds.anyone) return [h("h2", odds.title), h("p.anyone", odds.anyone)];
  const rows = [...odds.rows].sort((a, b) => a.seat - b.seat); // each in its place
  const swing = odds.old ? null : swung(rows);
  const sized = { style: `--names:${Math.max(...rows.map(r => r.name.length))}` };
  const most = Math.min(
    1,
    Math.max(0.6, ...rows.flatMap(r => [r, r.also ?? r]).map(r => r.p + (r.error || 0) + 0.1)),
  );
  return [
    h(
      "h2",
      odds.title,
      swing
        ? h("span.swing", `${swing.row.name} ${roughly(swing.was)} → ${roughly(swing.is)}`)
        : h("span.note", odds.note),
    ),
    h(
      "details",
      h("summary", { "aria-label": word("assumed") }, "?"),
      h("p", odds.assumed),
      odds.also && h("p.legend", h("i"), odds.also),
      h(
        "ol.exactly",
        sized,
        rows.map(row => exactly(row, most, !whole)),
      ),
      whole && lines(odds),
    ),
    h(
      "ol",
      sized,
      rows.map(r =>
        h(
          "li",
          { key: r.seat, "data-odds": r.seat },
          hat(r.seat, 40),
          named(r),
          h("span.bars", bar(r, most)),
          h("span.pc", h("b", roughly(r.p))),
        ),
      ),
    ),
  ];
}

/**
 * The chance of each cell of the chart of payouts, by its piece or pair: what it pays stands there already.
 * @param {Tote} odds
 * @param {"win" | "place" | "double"} what
 * @param {...(string | undefined)} pieces
 */
export function chanceOf(odds, what, ...pieces) {
  if (what !== "double") return odds.pieces.find(one => one.piece === pieces[0])?.[what];
  return odds.pairs.find(pair => pieces.every(piece => piece && pair.pieces.includes(piece)));
}
