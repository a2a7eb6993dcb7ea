// Where a piece is to go: the dotted way over the heads, its arrow, and the flag with the number.
import { s, word } from "../common/draw.js";
import { apart, degrees, numberAt, numberSize, turned } from "./ground.js";

/**
 * How far the runner's left is up on the screen between two spaces: 1 where they run right, −1 where left.
 * @param {Geometry} c
 * @param {number} a
 * @param {number} b
 */
function overhead(c, a, b) {
  const n = 8;
  return (
    Array.from({ length: n + 1 }, (_, i) => Math.cos(c.at(a + ((b - a) * i) / n).direction)).reduce(
      (sum, up) => sum + up,
    ) /
    (n + 1)
  );
}

/**
 * @param {string} d
 * @param {Point} tip
 * @param {number} angle
 * @param {number} z
 */
const dotted = (d, tip, angle, z) => [
  s("path.hopc", { d, "stroke-width": 15 * z }),
  s("path.hop", { d, "stroke-width": 7 * z }),
  s("path.arrowhead", {
    d: "M-14-13 14 0-14 13Z",
    transform: `translate(${tip.x.toFixed(1)} ${tip.y.toFixed(1)}) rotate(${angle.toFixed(1)}) scale(${z})`,
  }),
];

/**
 * The dotted way from space `a` to space `b`, next to the course or over it.
 * @param {Geometry} c
 * @param {number} a
 * @param {number} b
 * @param {number} size
 */
export function hop(c, a, b, size) {
  const cells = Math.abs(b - a);
  const far = overhead(c, a, b) > 0.4;
  const z = Math.min(1, c.lane / 80);
  const rise = c.lane * (far ? 0.46 : cells > 1 ? 0.66 : 0.5);
  const ends = c.lane * (far ? 0.16 : 0.24);
  const cut = Math.min(0.3, (size * 0.42) / c.cell) * Math.sign(b - a);
  /** @param {number} t */
  const offset = t => (far ? 1 : -1) * (ends + (rise - ends) * Math.sin(Math.PI * t) ** 0.7);
  const d = c.along(a + cut * 0.3, b - cut, offset);
  const tip = c.at(b - cut, offset(1));
  const before = c.at(b - cut - 0.12 * Math.sign(b - a), offset(0.96));
  return dotted(d, tip, degrees(Math.atan2(tip.y - before.y, tip.x - before.x)), z);
}

/**
 * The dotted way straight over the ground, from one point to another.
 * @param {Point} from
 * @param {Point} to
 * @param {number} size
 * @param {number} z
 */
export function flight(from, to, size, z) {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const far = Math.hypot(dx, dy) || 1;
  const stop = Math.min(size * 0.42, far * 0.3);
  const end = { x: to.x - (dx / far) * stop, y: to.y - (dy / far) * stop };
  const bow = Math.min(60, far * 0.22);
  const mid = {
    x: (from.x + end.x) / 2 + (Math.abs(dx) < Math.abs(dy) ? bow : 0),
    y: (from.y + end.y) / 2 - (Math.abs(dx) < Math.abs(dy) ? 0 : bow),
  };
  const [start, over, tip] = [from, mid, end].map(p => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`);
  const d = `M${start}Q${over} ${tip}`;
  return dotted(d, end, degrees(Math.atan2(end.y - mid.y, end.x - mid.x)), z);
}

/**
 * The flag with the number of the space: a plate on the ground where its number is printed, under all that
 * stands there. None where numbers share the middle of the lane with the pieces.
 * @param {Geometry} c
 * @param {number} space
 */
export function flag(c, space) {
  if (!apart(c)) return null;
  const at = c.closed && c.fits(space) === 0;
  const text = at ? word("start") : String(c.called(space));
  const size = Math.min(numberSize(c, 1) * 1.2, c.lane * 0.3, (c.cell * 1.5) / text.length);
  const high = size * 1.3;
  const p = numberAt(c, space, size);
  const wide = Math.max(high, size * (0.5 + 0.62 * text.length));
  return s(
    "g.flag",
    { transform: at ? turned(p) : `translate(${p.x.toFixed(1)} ${p.y.toFixed(1)})` },
    s("rect.flagbox", { x: -wide / 2, y: -high / 2, width: wide, height: high, rx: high * 0.26 }),
    s("text.flagnum", { "font-size": size, y: size * 0.04 }, text),
  );
}
