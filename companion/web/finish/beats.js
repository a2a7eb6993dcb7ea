// The order of a finish: who stands where, what is shown when. Touches no page.

/** Milliseconds of each beat. */
export const LASTS = { curtain: 700, step: 1_300, winner: 2_300, headline: 1_700, moment: 2_700 };

/**
 * A beat of the finish: `place` is whose step is shown, `ms` how long it lasts; the last one stays.
 * @typedef {{ name: "curtain" | "step" | "headline" | "moment" | "end", place: number, ms: number }} Beat
 */

/** @param {StandingView[]} standings */
const byPlace = standings => {
  /** @type {Map<number, StandingView[]>} */
  const all = new Map();
  for (const row of standings) {
    const place = row.place ?? Infinity;
    all.set(place, [...(all.get(place) ?? []), row]);
  }
  return all;
};

/**
 * The places on the steps, the first first: those up to the third. All who share a place stand together.
 * @param {StandingView[]} standings
 */
export const places = standings =>
  [...byPlace(standings).keys()].filter(place => place <= 3).sort((a, b) => a - b);

/**
 * The players as they stand next to each other: the second left of the first, the third right of it, then the
 * others. Those who stand alone next to the first, all second or without a place, stand on both its sides.
 * @template {StandingView} Row
 * @param {Row[]} standings
 * @returns {Row[]}
 */
export function lineUp(standings) {
  const rows = [...standings].sort((a, b) => (a.place ?? 99) - (b.place ?? 99) || a.seat - b.seat);
  const [first, second] = places(rows);
  const winners = rows.filter(row => row.place === first);
  const next = rows.filter(row => row.place !== null && row.place === second);
  const others = rows.filter(row => ![...winners, ...next].includes(row));
  if (next.length && others.length) return [...next, ...winners, ...others];
  const beside = [...next, ...others];
  const left = beside.splice(0, next.length ? Math.ceil(next.length / 2) : Math.floor(others.length / 2));
  return [...left, ...winners, ...beside];
}

/**
 * What follows what: the steps from the third to the first, the headline, the moment if there is one, the
 * end.
 * @param {StandingView[]} standings
 * @param {boolean} hasMoment
 * @returns {Beat[]}
 */
export const beats = (standings, hasMoment) => [
  { name: "curtain", place: 4, ms: LASTS.curtain },
  ...places(standings)
    .reverse()
    .map(place => ({
      name: /** @type {const} */ ("step"),
      place,
      ms: place === 1 ? LASTS.winner : LASTS.step,
    })),
  { name: "headline", place: 1, ms: LASTS.headline },
  ...(hasMoment ? [{ name: /** @type {const} */ ("moment"), place: 1, ms: LASTS.moment }] : []),
  { name: "end", place: 1, ms: 0 },
];

/**
 * The moment that decided the game: the one that moved a chance most.
 * @param {SwingView[]} swings
 */
export function decisive(swings) {
  /** @param {SwingView} swing */
  const size = swing => Math.max(...swing.after.map((after, seat) => Math.abs(after - swing.before[seat])));
  return swings.reduce(
    (best, swing) => (best && size(best) >= size(swing) ? best : swing),
    /** @type {SwingView | null} */ (null),
  );
}

/**
 * A chance as people read it: to 5 %, but neither 0 nor 100 while anything else was possible.
 * @param {number} points
 */
export const rounded = points =>
  points <= 0 || points >= 100 ? points : Math.min(95, Math.max(5, Math.round(points / 5) * 5));

/**
 * Who chooses the next game: the person who came last, if that is one.
 * @param {Pick<View, "standings" | "seats">} view
 */
export function lastOf({ standings, seats }) {
  const people = standings.filter(row => !seats[row.seat]?.bot);
  const place = Math.max(...people.map(row => row.place ?? Infinity));
  const last = people.filter(row => (row.place ?? Infinity) === place);
  return people.length > 1 && last.length === 1 ? last[0].name : null;
}
