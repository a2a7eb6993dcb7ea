// The loop: one function `space, offset → x, y, direction` for 6 to 1000 spaces.
// Up to 60 spaces it is a racecourse with an infield; above, a course that winds to and fro and fills the
// ground, so that every space stays wide enough for a finger and a mark.
// The race runs clockwise on the screen: up on the left, the far side left to right, the near side back.

const line = (x, y, a, length) => ({ length, at: s => [x + Math.cos(a) * s, y + Math.sin(a) * s, a] });

const bend = (cx, cy, r, from, sweep) => {
  const turn = Math.sign(sweep);
  return {
    length: Math.abs(sweep) * r, bent: true,
    at: s => {
      const t = from + turn * s / r;
      return [cx + r * Math.cos(t), cy + r * Math.sin(t), t + turn * Math.PI / 2];
    },
  };
};

const Q = Math.PI / 2, UP = -Q, RIGHT = 0, DOWN = Q, LEFT = Math.PI;

function racecourse(spaces, w, h) {
  const small = Math.min(w, h), much = Math.min(1, Math.max(0, (spaces - 26) / 34));
  const lane = Math.min(112, small * 0.178) * (1 - 0.2 * much);
  const m = lane / 2 + 7, W = w - 2 * m, H = h - 2 * m;
  const full = Math.min(W, H) / 2, tight = Math.min(full, lane / 2 + 46);
  const r = full + (tight - full) * much, x = m, y = m, sx = W - 2 * r, sy = H - 2 * r;
  const infield = { x: x + lane / 2, y: y + lane / 2, w: W - lane, h: H - lane, r: r - lane / 2 };
  return {
    lane, infield,
    parts: [
      line(x, y + H / 2, UP, sy / 2), bend(x + r, y + r, r, LEFT, Q),
      line(x + r, y, RIGHT, sx), bend(x + W - r, y + r, r, UP, Q),
      line(x + W, y + r, DOWN, sy), bend(x + W - r, y + H - r, r, RIGHT, Q),
      line(x + W - r, y + H, LEFT, sx), bend(x + r, y + H - r, r, DOWN, Q),
      line(x, y + H - r, UP, sy / 2),
    ],
  };
}

function winding(spaces, w, h) {
  const rows = Math.max(4, 2 * Math.round(Math.sqrt(0.62 * h * spaces / w) / 2));
  const gap = (h - 12) / rows, lane = gap * 0.84, r = gap / 2;
  const x = gap / 2 + 6, y = gap / 2 + 6, right = w - gap / 2 - 6, bottom = y + gap * (rows - 1);
  const parts = [line(x, (y + bottom) / 2, UP, (bottom - y) / 2 - r), bend(x + r, y + r, r, LEFT, Q)];
  for (let i = 0; i < rows; i++) {
    const yy = y + i * gap, east = i % 2 === 0, last = i === rows - 1;
    const from = i === 0 ? x + r : east ? x + gap + r : right - r;
    const to = last ? x + r : east ? right - r : x + gap + r;
    parts.push(line(from, yy, east ? RIGHT : LEFT, Math.abs(to - from)));
    if (last) parts.push(bend(x + r, yy - r, r, DOWN, Q));
    else parts.push(bend(to, yy + r, r, UP, east ? Math.PI : -Math.PI));
  }
  parts.push(line(x, bottom - r, UP, (bottom - y) / 2 - r));
  return { lane, infield: null, parts };
}

export function loop(spaces, width, height) {
  const { lane, infield, parts } = (spaces > 60 ? winding : racecourse)(spaces, width, height);
  const length = parts.reduce((sum, p) => sum + p.length, 0), cell = length / spaces;

  /** Where `space` (may be a fraction; 0.5 is the starting line) is, `offset` px to the runner's left, the outside. */
  function at(space, offset = 0) {
    let s = ((space - 0.5) * cell % length + length) % length;
    let part = parts[0];
    for (part of parts) { if (s <= part.length) break; s -= part.length; }
    const [x, y, a] = part.at(Math.min(s, part.length));
    return { x: x + Math.sin(a) * offset, y: y - Math.cos(a) * offset, direction: a };
  }

  /** An SVG path along the course at `offset`, between two spaces. */
  function along(from, to, offset, first = "M") {
    const n = Math.max(2, Math.ceil(Math.abs(to - from) * cell / 9));
    let d = "";
    for (let i = 0; i <= n; i++) {
      const p = at(from + (to - from) * i / n, typeof offset === "function" ? offset(i / n) : offset);
      d += `${i ? "L" : first}${p.x.toFixed(1)} ${p.y.toFixed(1)}`;
    }
    return d;
  }

  /** The outline of one space, `inset` px smaller across the lane. */
  const outline = (space, inset = 0) =>
    along(space - 0.5 + 1e-6, space + 0.5 - 1e-6, lane / 2 - inset) + along(space + 0.5 - 1e-6, space - 0.5 + 1e-6, inset - lane / 2, "L") + "Z";

  /** The space whose middle is nearest, and how far away it is. */
  function nearest(x, y) {
    let best = { space: 0, distance: Infinity };
    for (let i = 0; i < spaces; i++) {
      const p = at(i), distance = Math.hypot(p.x - x, p.y - y);
      if (distance < best.distance) best = { space: i, distance };
    }
    return best;
  }

  const piece = Math.max(24, infield ? Math.min(lane * 0.98, Math.max(cell * 1.14, Math.min(lane * 0.84, cell * 1.7))) : Math.min(lane * 0.98, cell * 1.2));
  return { spaces, width, height, lane, cell, length, infield, piece, at, along, outline, nearest };
}

/** The largest box (at most `w` × `h`) that lies in the middle of a rounded infield. */
export function roomIn(infield, w, h) {
  const height = Math.min(h, infield.h - 16);
  const straight = Math.max(0, infield.h / 2 - infield.r), dy = Math.max(0, height / 2 - straight);
  const cut = infield.r - Math.sqrt(Math.max(0, infield.r ** 2 - dy ** 2));
  return { x: infield.x + infield.w / 2, y: infield.y + infield.h / 2, w: Math.min(w, infield.w - 2 * cut - 12), h: height };
}
