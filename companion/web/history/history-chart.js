// The odds over time of a past game: a line for each seat with its own mark, and where the slider is.
import { h, headed, heading, hat, s, withAttributes, word } from "../common/draw.js";
import { percent } from "../common/odds.js";
import { spread } from "../common/lists.js";

const HIGH = 240;
const LEFT = 62;
const RIGHT = 44;
const TOP = 12;
const LOW = 16;
const MARKS = 7;
/** @type {((x: number, y: number) => VNode)[]} */
const SHAPES = [
  (x, y) => s("circle", { cx: x, cy: y, r: 6 }),
  (x, y) => s("rect", { x: x - 5.5, y: y - 5.5, width: 11, height: 11 }),
  (x, y) => s("path", { d: `M${x} ${y - 7.5}l7 13h-14z` }),
  (x, y) => s("path", { d: `M${x} ${y - 8}l7 8-7 8-7-8z` }),
  (x, y) => s("path", { d: `M${x - 2.5} ${y - 7.5}h5v5h5v5h-5v5h-5v-5h-5v-5h5z` }),
];
/**
 * @param {number} seat
 * @param {number} x
 * @param {number} y
 */
export const mark = (seat, x, y) => s("g", { class: `mk${seat % 5}` }, SHAPES[seat % 5](x, y));

/**
 * The mark of a seat next to its name.
 * @param {number} seat
 */
export const sign = seat =>
  s("svg.ic", { width: 22, height: 22, viewBox: "-11 -11 22 22", "aria-hidden": "true" }, mark(seat, 0, 0));

export class Chart {
  /**
   * `pick(moment)` is called with the moment that is pointed at.
   * @param {HTMLElement} box
   * @param {(moment: number) => void} pick
   */
  constructor(box, pick) {
    this.box = box;
    this.pick = pick;
    this.wide = 260;
    this.last = 1;
    this.top = 1;
  }

  /**
   * Return the chart with its cursor at a moment. `wins`: by moment the chances by seat; null: unknown.
   * @param {(number[] | null)[]} wins
   * @param {string[]} seats
   * @param {number} now
   */
  draw(wins, seats, now) {
    this.wide = Math.max(260, this.box.clientWidth); // drawn as wide as it is, so that its words can be read
    this.last = Math.max(1, wins.length - 1);
    const known = wins.flatMap((chances, i) => (chances ? [i] : []));
    this.top = Math.min(1, Math.max(0.5, ...known.flatMap(i => wins[i] ?? [])) + 0.02);
    /** @param {Listened<PointerEvent>} event */
    const at = ({ currentTarget, clientX }) => {
      const box = currentTarget.getBoundingClientRect();
      const x = ((clientX - box.left) / box.width) * this.wide - LEFT;
      const moment = Math.round((x / (this.wide - LEFT - RIGHT)) * this.last);
      this.pick(Math.max(0, Math.min(this.last, moment)));
    };
    return s(
      "svg.history-chart",
      {
        viewBox: `0 0 ${this.wide} ${HIGH}`,
        role: "img",
        "aria-label": word("chart"),
        onpointerdown: (/** @type {Listened<PointerEvent>} */ event) => {
          if (event.button) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          at(event);
        },
        onpointermove: (/** @type {Listened<PointerEvent>} */ event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) at(event);
        },
      },
      [0, 0.25, 0.5, 0.75, 1]
        .filter(v => v <= this.top)
        .flatMap(v => [
          s("path.sparkbase", { d: `M${LEFT} ${this.y(v)}H${this.wide - RIGHT}` }),
          s("text.axis", { x: LEFT - 8, y: this.y(v) }, percent(v)),
        ]),
      s(
        "g.cursor",
        { transform: `translate(${this.x(now).toFixed(1)} 0)` },
        s("path", { d: `M0 ${TOP}V${HIGH - LOW}` }),
      ),
      seats.map((_, seat) => this.line(wins, known, seat)),
      this.ends(wins, known, seats),
    );
  }

  /** @param {number} moment */
  x(moment) {
    return LEFT + ((this.wide - LEFT - RIGHT) * moment) / this.last;
  }
  /** @param {number} p */
  y(p) {
    return TOP + (HIGH - TOP - LOW) * (1 - p / this.top);
  }

  /**
   * A line with gaps where the odds are not known yet, and marks at even distances.
   * @param {(number[] | null)[]} wins
   * @param {number[]} known
   * @param {number} seat
   */
  line(wins, known, seat) {
    /** @param {number} i */
    const point = i => `${this.x(i).toFixed(1)} ${this.y(wins[i]?.[seat] ?? 0).toFixed(1)}`;
    const step = this.last / MARKS;
    const path = known.map((i, n) => `${n && known[n - 1] === i - 1 ? "L" : "M"}${point(i)}`).join("");
    const marked = Array.from({ length: MARKS }, (_, n) => Math.round(step * (n + (seat + 1) / 6))).filter(
      i => wins[i],
    );
    return s(
      "g",
      { "data-line": seat },
      s("path", { class: `seatline ln${seat % 5} dash${seat % 5}`, d: path }),
      marked.map(i => mark(seat, this.x(i), this.y(wins[i]?.[seat] ?? 0))),
    );
  }

  /**
   * A hat at the end of each line; hats do not cover each other.
   * @param {(number[] | null)[]} wins
   * @param {number[]} known
   * @param {string[]} seats
   */
  ends(wins, known, seats) {
    if (!known.length) return [];
    const last = wins[known[known.length - 1]] ?? [];
    const all = seats.map((_, seat) => ({ seat, y: this.y(last[seat]) }));
    return spread(all, 34, 18, HIGH - 18).map(({ seat, y }) =>
      withAttributes(hat(seat, 36), { x: this.wide - RIGHT + 6, y: y - 18 }),
    );
  }
}

/**
 * The same for who cannot see the lines.
 * @param {(number[] | null)[]} wins
 * @param {string[]} seats
 */
export const table = (wins, seats) =>
  h(
    "table.history-table",
    headed(
      [word("moment head"), ...seats].map(name => heading("col", name)),
      wins.map(
        (chances, i) =>
          chances && h("tr", heading("row", String(i)), ...chances.map(p => h("td", percent(p)))),
      ),
    ),
  );
