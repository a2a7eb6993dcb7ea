// The track as it is, with the health of every sensor: a sign of its own shape on each space, and what
// is there.
import { chip, every, maybe, patch, piece, s, svg, withAttributes } from "../common/draw.js";
import { Track } from "../course/track.js";

/** @type {Record<string, [keyof SVGElementTagNameMap, Attributes][]>} */
const SHAPES = {
  ok: [
    ["circle", { r: 12 }],
    ["path", { class: "health-in", d: "M-6 0-2 5 6-5" }],
  ],
  missed: [
    ["path", { d: "M0-14 14 0 0 14-14 0Z" }],
    ["path", { class: "health-in", d: "M-6 0v.1M0 0v.1M6 0v.1" }],
  ],
  fault: [
    ["path", { d: "M0-13 14 11H-14Z" }],
    ["path", { class: "health-in", d: "M0-5V2M0 6.5v.1" }],
  ],
  silent: [
    ["rect", { x: -12, y: -12, width: 24, height: 24, rx: 4 }],
    ["path", { class: "health-in", d: "M-6-6 6 6M6-6-6 6" }],
  ],
  unknown: [
    ["circle", { r: 12, class: "health-open" }],
    ["path", { class: "health-in", d: "M-4-3q0-5 4.5-5t4 4q0 2.5-4 4.5M.5 6.5v.1" }],
  ],
  none: [["path", { class: "health-none", d: "M-8 0H8" }]],
};

/** @param {string} state */
const shape = state => SHAPES[state].map(([tag, more]) => s(tag, more));

/**
 * The sign of a state of health, `size` px high.
 * @param {string} state
 */
export const sign = (state, size = 28) =>
  s(
    "svg",
    { class: `health ${state}`, width: size, height: size, viewBox: "-17 -17 34 34", "aria-hidden": "true" },
    shape(state),
  );

/**
 * @param {string} state
 * @param {Point} p
 * @param {number} size
 */
const signAt = (state, p, size) =>
  s(
    "g",
    {
      class: `health ${state}`,
      "data-health": state,
      transform: `translate(${p.x.toFixed(1)} ${p.y.toFixed(1)}) scale(${(size / 34).toFixed(3)})`,
    },
    shape(state),
  );

/**
 * What is on a space at `p`, in so much room: pieces, the signs of cards, a dot for an unknown tag.
 * @param {Lies} tags
 * @param {Point} p
 * @param {number} room
 */
function tagMarks(tags, p, room) {
  if (tags === true) return [s("circle.felt", { cx: p.x, cy: p.y, r: room * 0.22 })];
  const list = tags || [];
  const each = list.length > 1 ? room * 0.62 : room;
  return list.map((tag, i) => {
    const x = p.x + (list.length > 1 ? ((i % 2) - 0.5) * each * 0.7 : 0);
    const y = p.y + (list.length > 2 ? (Math.floor(i / 2) - 0.5) * each * 0.6 : 0);
    const at = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
    if (tag.kind === "piece") return s("g", { transform: at }, piece(tag.animal, tag.colour, each));
    if (tag.kind !== "card") return s("circle.felt.strange", { cx: x, cy: y, r: each * 0.2 });
    return withAttributes(chip(tag.colour, each * 0.5), { x: x - each * 0.25, y: y - each * 0.25 });
  });
}

/**
 * What is known of a space; where no sensor is, its number and that.
 * @typedef {SensorView | { space: number, state: "none", lies: null }} There
 */

/**
 * @typedef {object} Shown
 * @property {CourseView | null} course
 * @property {number} first
 * @property {SensorView[]} sensors
 * @property {number | null} opened
 * @property {(sensor: There) => string} call
 * @property {(space: number | null) => void} pick
 * @property {string} summary
 */

export class Readers {
  /** @param {SVGSVGElement} on */
  constructor(on) {
    this.svg = on;
    this.track = new Track(on);
    this.cells = svg("g.layer-cells");
    this.signs = svg("g.layer-signs");
    /** @type {(space: number) => void} */
    this.pick = () => {};
    on.insertBefore(this.cells, this.track.layers.picks);
    on.append(this.signs);
  }

  /**
   * Draw `sensors` on the course (null: a loop of as many spaces); `first`: the space over sensor 0; `call`
   * returns the name of a space; `pick` gets the number of its sensor; `opened` is marked.
   * @param {Shown} of
   */
  show({ course, first, sensors, opened, call, pick, summary }) {
    const wide = Math.round(this.svg.clientWidth);
    const high = Math.round(wide < 560 ? wide * 1.3 : Math.min(560, wide * 0.58));
    if (wide < 120) return;
    Object.assign(this.svg.style, { height: `${high}px` });
    const c = this.track.lay(course ?? { kind: "loop", spaces: sensors.length }, wide, high);
    const of = new Map(sensors.map(one => [one.space + first, one]));
    /**
     * @param {number} space
     * @returns {There}
     */
    const there = space => of.get(space) ?? { space: space - first, state: "none", lies: null };
    this.pick = pick;
    this.draw(
      c,
      c.list.map(space => [space, there(space)]),
      summary,
    );
    this.track.offer({
      all: true,
      chosen: opened === null ? undefined : opened + first,
      name: space => call(there(space)),
      pick: space => this.pick(space - first),
    });
    const hits = every(".hit", this.track.layers.picks);
    const now = hits.find(hit => Number(hit.dataset.hit) === (opened ?? 0) + first) ?? hits[0];
    for (const hit of hits) {
      hit.setAttribute(
        "tabindex",
        hit === (hits.find(one => one === document.activeElement) ?? now) ? "0" : "-1",
      ); // one stop for the tab key; the arrows go round
      hit.setAttribute("aria-expanded", String(Number(hit.dataset.hit) - first === opened));
      hit.setAttribute("aria-controls", "detail");
      hit.dataset.sensor = String(Number(hit.dataset.hit) - first);
    }
  }

  /**
   * @param {Geometry} c
   * @param {[number, There][]} spaces
   * @param {string} summary
   */
  draw(c, spaces, summary) {
    const edge = c.infield || c.kind === "course";
    const size = Math.max(13, Math.min(30, c.cell * 0.6, c.lane * 0.42));
    const text = Math.max(11, Math.min(20, c.cell * 0.42, c.lane * 0.3));
    const room = Math.min(c.piece, c.cell * 1.3, c.lane * 0.8);
    patch(
      this.cells,
      spaces.map(([space, sensor]) => s("path", { class: `hcell ${sensor.state}`, d: c.outline(space, 3) })),
    );
    patch(
      this.signs,
      spaces.flatMap(([space, sensor]) => {
        const number = c.at(space, edge ? c.numbers * (c.lane / 2 - text * 0.72 - 2) : c.lane * 0.3);
        return [
          ...tagMarks(sensor.lies, c.at(space, edge ? -c.numbers * c.lane * 0.08 : 0), room),
          s("text.sensornum", { "font-size": text, x: number.x, y: number.y }, String(sensor.space)),
          signAt(sensor.state, c.at(space, edge ? (-c.numbers * c.lane) / 2 : -c.lane * 0.3), size),
        ];
      }),
      c.infield &&
        c.infield.w > 150 &&
        s(
          "text.healthsum",
          {
            x: c.infield.x + c.infield.w / 2,
            y: c.infield.y + c.infield.h / 2,
            "font-size": Math.min(30, (c.infield.w - size * 1.4) / (summary.length * 0.58)),
          },
          summary,
        ),
    );
  }

  /**
   * Put the focus on a space again.
   * @param {number} sensor
   */
  focus(sensor) {
    maybe(`[data-sensor="${sensor}"]`, this.svg)?.focus();
  }
}
