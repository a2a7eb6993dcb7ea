// A course from a gate to a line and some spaces behind it, winding in rows: the same geometry as a loop.
import { LEFT, Q, RIGHT, laid, bend, line } from "./geometry.js";

const MARGIN = 8;
const WIDEST = 118;
const WISHED = 0.75; // WISHED: how long a space is for the width of its lane

/**
 * The way in so many rows, and how wide its lane is then.
 * @param {number} count
 * @param {number} w
 * @param {number} h
 */
function rows(count, w, h) {
  const tight = 0.62 + 0.2 * Math.min(1, Math.max(0, (count - 4) / 6));
  const free = h - 2 * MARGIN;
  const lane = Math.min(WIDEST, count > 1 ? (tight * free) / (count - 1 + tight) : free * 0.5);
  const gap = count > 1 ? (free - lane) / (count - 1) : 0;
  const r = gap / 2;
  const edge = MARGIN + lane / 2;
  const left = edge + r;
  const right = w - edge - r;
  const parts = [];
  for (let i = 0; i < count; i++) {
    const y = count > 1 ? edge + i * gap : h / 2;
    const east = i % 2 === 0;
    const opens = i === 0;
    const ends = i === count - 1;
    const from = opens ? MARGIN : east ? left : right;
    const to = ends ? (east ? w - MARGIN : MARGIN) : east ? right : left;
    parts.push(line(from, y, east ? RIGHT : LEFT, Math.abs(to - from)));
    if (!ends) parts.push(bend(to, y + r, r, -Q, east ? Math.PI : -Math.PI));
  }
  return { lane, parts, strip: count > 1 ? gap - lane : h - lane };
}

/**
 * How the horses wait: in ranks, each `size` px wide, in `length` px before the first space.
 * @param {number} lane
 * @param {number} pieces
 */
function gateFor(lane, pieces) {
  const ranks = lane >= 96 ? 3 : lane >= 66 ? 2 : 1;
  const files = Math.ceil(pieces / ranks);
  const size = ranks === 1 ? Math.min(64, Math.max(24, lane * 0.9)) : Math.max(54, (lane / ranks) * 1.36);
  return { ranks, files, size, length: files * size * 0.94 + 16 };
}

/**
 * The course of `spaces` to the line and `behind` it, with a gate for so many `pieces`, in a box of `width`
 * × `height`.
 * @param {number} spaces
 * @param {number} behind
 * @param {number} width
 * @param {number} height
 */
export function course(spaces, behind, width, height, pieces = 5) {
  const all = spaces + behind;
  const tried = Array.from({ length: 44 }, (_, i) => rows(i + 1, width, height)).map(way => {
    const gate = gateFor(way.lane, Math.max(2, pieces));
    const length = way.parts.reduce((sum, p) => sum + p.length, 0);
    return {
      ...way,
      gate,
      off: Math.abs(Math.log(Math.max(1, length - gate.length) / all / way.lane / WISHED)),
    };
  });
  const { lane, parts, strip, gate } = tried.reduce((best, way) => (way.off < best.off ? way : best));
  const [start] = parts;

  /**
   * Where horse `i` waits: the first ones nearest to the gate.
   * @param {number} i
   */
  const stall = i => {
    const file = Math.floor(i / gate.ranks);
    const rank = i % gate.ranks;
    const inFile = gate.ranks;
    const [x, y] = start.at(gate.length - 12 - gate.size * 0.94 * (file + 0.5));
    return { x, y: y + ((rank + 0.5) / inFile - 0.5) * lane * 0.94, direction: 0, size: gate.size };
  };
  /** @param {number} i */
  const aside = i => ({ x: width - 40 - i * 70, y: height - 30, direction: 0, size: 60 });
  return laid({
    kind: "course",
    spaces: all,
    first: 1,
    width,
    height,
    lane,
    infield: null,
    parts,
    before: gate.length,
    numbers: -1,
    finish: spaces,
    strip,
    gate: gate.length,
    stall,
    aside,
    asides: 0,
    sign: strip > 34 ? { x: gate.length + 70, y: start.at(0)[1] + lane / 2 + 20 } : null,
  });
}

/**
 * The kind of ground of a space of a course.
 * @param {{ spaces: number, natural?: number[], sand?: number[] }} printed
 * @param {number} space
 */
export function groundOf(printed, space) {
  const { natural = [], sand = [], spaces } = printed;
  const moor = natural.length > 1 ? Math.max(...natural) : null;
  if (natural.includes(space)) return space === moor ? "moor" : "river";
  return sand.includes(space) ? "sand" : space > spaces ? "run" : "grass";
}
