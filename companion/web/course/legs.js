// How a piece travels: its way as legs, each a step or a hop over spaces that are taken.

const STEP = 250; // ms
const HOP = 500;
const LONGEST = 3_000;

/**
 * Whether the way leads onward, and how far: on a loop the shorter way round, if nothing tells another.
 * @param {Geometry} c
 * @param {number} from
 * @param {number} to
 * @param {Set<number>} taken
 * @param {{ over?: number[] } | null} move
 */
function way(c, from, to, taken, move) {
  if (!c.closed) return { sign: to >= from ? 1 : -1, distance: Math.abs(to - from) };
  const n = c.spaces;
  const ahead = (((to - from) % n) + n) % n;
  const passed = move?.over?.length;
  const jumped = () =>
    Array.from({ length: Math.max(0, ahead - 1) }, (_, i) => i + 1).every(k => taken.has(c.fits(from + k)));
  const onward = ahead <= n / 2 || (passed ? passed === ahead - 1 : jumped());
  return onward ? { sign: 1, distance: ahead } : { sign: -1, distance: n - ahead };
}

/**
 * The legs of a way on the course: single steps, and one hop over each run of `taken` spaces.
 * @param {Geometry} c
 * @param {number} from
 * @param {number} to
 * @param {Set<number>} taken
 * @param {{ over?: number[] } | null} [move]
 */
export function legs(c, from, to, taken, move = null) {
  const { sign, distance } = way(c, from, to, taken, move);
  /** @param {number} k */
  const over = k => taken.has(c.closed ? c.fits(from + sign * k) : from + sign * k);
  const all = [];
  for (let k = 0; k < distance;) {
    let next = k + 1;
    while (next < distance && over(next)) next++;
    const hop = next - k > 1;
    all.push({ from: from + sign * k, to: from + sign * next, time: hop ? HOP : STEP, hop });
    k = next;
  }
  const total = all.reduce((sum, leg) => sum + leg.time, 0);
  return total > LONGEST ? all.map(leg => ({ ...leg, time: (leg.time * LONGEST) / total })) : all;
}
