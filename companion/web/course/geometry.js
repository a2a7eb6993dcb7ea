// The ways of the pieces: one function `space, offset → x, y, direction` for every course, of 1 to 1000
// spaces. A loop up to 60 spaces is a racecourse with an infield; above, it winds to and fro and fills the
// ground, so that every space stays wide enough for a finger and a mark. It runs clockwise on the screen: up
// on the left, the far side left to right, the near side back. A course with a gate is in course.js.

/**
 * @param {number} x
 * @param {number} y
 * @param {number} a
 * @param {number} length
 * @returns {Part}
 */
export const line = (x, y, a, length) => ({ length, at: s => [x + Math.cos(a) * s, y + Math.sin(a) * s, a] });

/**
 * @param {number} cx
 * @param {number} cy
 * @param {number} r
 * @param {number} from
 * @param {number} sweep
 * @returns {Part}
 */
export const bend = (cx, cy, r, from, sweep) => {
  const turn = Math.sign(sweep);
  return {
    length: Math.abs(sweep) * r,
    at: s => {
      const t = from + (turn * s) / r;
      return [cx + r * Math.cos(t), cy + r * Math.sin(t), t + (turn * Math.PI) / 2];
    },
  };
};

export const Q = Math.PI / 2;
export const UP = -Q;
export const RIGHT = 0;
export const DOWN = Q;
export const LEFT = Math.PI;

/**
 * @param {number} spaces
 * @param {number} w
 * @param {number} h
 */
function racecourse(spaces, w, h) {
  const small = Math.min(w, h);
  const much = Math.min(1, Math.max(0, (spaces - 26) / 34));
  const lane = Math.min(112, small * 0.178) * (1 - 0.2 * much);
  const m = lane / 2 + 7;
  const W = w - 2 * m;
  const H = h - 2 * m;
  const full = Math.min(W, H) / 2;
  const tight = Math.min(full, lane / 2 + 46);
  const r = full + (tight - full) * much;
  const x = m;
  const y = m;
  const sx = W - 2 * r;
  const sy = H - 2 * r;
  const infield = { x: x + lane / 2, y: y + lane / 2, w: W - lane, h: H - lane, r: r - lane / 2 };
  return {
    lane,
    infield,
    parts: [
      line(x, y + H / 2, UP, sy / 2),
      bend(x + r, y + r, r, LEFT, Q),
      line(x + r, y, RIGHT, sx),
      bend(x + W - r, y + r, r, UP, Q),
      line(x + W, y + r, DOWN, sy),
      bend(x + W - r, y + H - r, r, RIGHT, Q),
      line(x + W - r, y + H, LEFT, sx),
      bend(x + r, y + H - r, r, DOWN, Q),
      line(x, y + H - r, UP, sy / 2),
    ],
  };
}

/**
 * @param {number} spaces
 * @param {number} w
 * @param {number} height
 * @param {number} top
 */
function winding(spaces, w, height, top) {
  const h = height - top;
  const rows = Math.max(4, 2 * Math.round(Math.sqrt((0.62 * h * spaces) / w) / 2));
  const gap = (h - 12) / rows;
  const lane = gap * 0.84;
  const r = gap / 2;
  const x = gap / 2 + 6;
  const y = top + gap / 2 + 6;
  const right = w - gap / 2 - 6;
  const bottom = y + gap * (rows - 1);
  const parts = [line(x, (y + bottom) / 2, UP, (bottom - y) / 2 - r), bend(x + r, y + r, r, LEFT, Q)];
  for (let i = 0; i < rows; i++) {
    const yy = y + i * gap;
    const east = i % 2 === 0;
    const last = i === rows - 1;
    const from = i === 0 ? x + r : east ? x + gap + r : right - r;
    const to = last ? x + r : east ? right - r : x + gap + r;
    parts.push(line(from, yy, east ? RIGHT : LEFT, Math.abs(to - from)));
    if (last) parts.push(bend(x + r, yy - r, r, DOWN, Q));
    else parts.push(bend(to, yy + r, r, UP, east ? Math.PI : -Math.PI));
  }
  parts.push(line(x, bottom - r, UP, (bottom - y) / 2 - r));
  return { lane, infield: null, parts };
}

/**
 * What every course can say of itself, from the parts of its way.
 * `before`: px of it before the first space; `numbers`: on which side they stand (1: the runner's left).
 * @param {Plan} plan
 * @returns {Geometry}
 */
export function laid({ parts, before = 0, ...plan }) {
  const { kind, spaces, first, lane, infield } = plan;
  const length = parts.reduce((sum, p) => sum + p.length, 0);
  const cell = (length - before) / spaces;
  const last = first + spaces - 1;
  const closed = kind === "loop";

  /**
   * The space of a loop that is meant by any number; on a course the nearest one there is.
   * @type {(space: number) => number}
   */
  const fits = closed
    ? space => ((space % spaces) + spaces) % spaces
    : space => Math.max(first, Math.min(last, space));

  /**
   * Where `space` (may be a fraction; 0.5 is the starting line) is, `offset` px to the runner's left.
   * @param {number} space
   */
  function at(space, offset = 0) {
    let s = before + (space - 0.5) * cell;
    let part = parts[0];
    s = closed ? ((s % length) + length) % length : Math.max(0, Math.min(length, s));
    for (part of parts) {
      if (s <= part.length || part === parts[parts.length - 1]) break;
      s -= part.length;
    }
    const [x, y, a] = part.at(Math.min(s, part.length));
    return { x: x + Math.sin(a) * offset, y: y - Math.cos(a) * offset, direction: a };
  }

  /**
   * An SVG path along the course at `offset`, between two spaces.
   * @param {number} from
   * @param {number} to
   * @param {number | ((t: number) => number)} offset
   */
  function along(from, to, offset, begin = "M") {
    const n = Math.max(2, Math.ceil((Math.abs(to - from) * cell) / 9));
    let d = "";
    for (let i = 0; i <= n; i++) {
      const p = at(from + ((to - from) * i) / n, typeof offset === "function" ? offset(i / n) : offset);
      d += `${i ? "L" : begin}${p.x.toFixed(1)} ${p.y.toFixed(1)}`;
    }
    return d;
  }

  /**
   * The outline of one space, `inset` px smaller across the lane.
   * @param {number} space
   */
  const outline = (space, inset = 0) =>
    `${
      along(space - 0.5 + 1e-6, space + 0.5 - 1e-6, lane / 2 - inset) +
      along(space + 0.5 - 1e-6, space - 0.5 + 1e-6, inset - lane / 2, "L")
    }Z`;

  const list = Array.from({ length: spaces }, (_, i) => first + i);

  /**
   * The space whose middle is nearest, and how far away it is.
   * @param {number} x
   * @param {number} y
   */
  const nearest = (x, y) =>
    list.reduce(
      (best, space) => {
        const p = at(space);
        const distance = Math.hypot(p.x - x, p.y - y);
        return distance < best.distance ? { space, distance } : best;
      },
      { space: first, distance: Infinity },
    );

  const piece = Math.max(
    24,
    infield
      ? Math.min(lane * 0.98, Math.max(cell * 1.14, Math.min(lane * 0.84, cell * 1.7)))
      : Math.min(lane * 0.98, cell * (closed ? 1.2 : 1.28)),
  );
  /** @param {number} space */
  const called = space => space; // the number that people say
  return {
    strip: 0,
    stall: null,
    finish: spaces,
    gate: 0,
    sign: null,
    ...plan,
    last,
    cell,
    length,
    piece,
    list,
    fits,
    called,
    at,
    along,
    outline,
    nearest,
    closed,
  };
}

/**
 * A loop; `asides`: whether pieces leave the track, so that a place next to it stays free for them.
 * @param {number} spaces
 * @param {number} width
 * @param {number} height
 */
export function loop(spaces, width, height, asides = false) {
  const strip = asides && spaces > 60 ? 50 : 0;
  const drawn = spaces > 60 ? winding(spaces, width, height, strip) : racecourse(spaces, width, height);
  const free = drawn.infield;
  const size = free ? Math.min(66, free.h / 4.6) : 44;

  /**
   * Where the piece that left as number `i` of `n` stands: inside the track behind the line, or over it.
   * @param {number} i
   * @param {number} n
   */
  const aside = (i, n) =>
    free
      ? {
          x: free.x + size * 0.5 + 16,
          y: free.y + free.h / 2 + (i - (n - 1) / 2) * size * 0.86,
          direction: 0,
          size,
        }
      : { x: width - 34 - (n - 1 - i) * 74, y: 25, direction: 0, size };
  return laid({
    kind: "loop",
    spaces,
    first: 0,
    width,
    height,
    numbers: 1,
    aside,
    asides: asides && free ? size + 30 : 0,
    ...drawn,
  });
}

/** How far pieces on the lane and the ways past them reach into the infield, for the width of the lane. */
const OVERHANG = 0.24;

/**
 * The largest box (at most `w` × `h`) in the middle of the rounded infield of a loop, clear of what stands on
 * the lane and, `left` px, of what stands next to it.
 * @param {Infield} infield
 * @param {number} lane
 * @param {number} w
 * @param {number} h
 */
export function roomIn(infield, lane, w, h, left = 0) {
  const o = lane * OVERHANG;
  const r = Math.max(0, infield.r - o);
  const [across, down] = [infield.w - 2 * o, infield.h - 2 * o];
  const height = Math.min(h, down);
  const straight = Math.max(0, down / 2 - r);
  const dy = Math.max(0, height / 2 - straight);
  const cut = r - Math.sqrt(Math.max(0, r ** 2 - dy ** 2));
  const from = Math.max(cut, left - o);
  const width = Math.min(w, across - cut - from);
  const x = Math.max(from + width / 2, Math.min(across - cut - width / 2, across / 2));
  return { x: infield.x + o + x, y: infield.y + infield.h / 2, w: width, h: height };
}
