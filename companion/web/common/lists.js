// Lists that people put in order, and the lists of numbers of charts.

/**
 * The list with the thing at `from` taken to `to`.
 * @template T
 * @param {T[]} list
 * @param {number} from
 * @param {number} to
 */
export function placed(list, from, to) {
  const rest = list.filter((_, i) => i !== from);
  return [...rest.slice(0, to), list[from], ...rest.slice(to)];
}

/**
 * The names in `liked` first, in that order, then the others as they are; each with its index in `names`.
 * @param {string[]} names
 * @param {string[]} liked
 */
export function ranked(names, liked) {
  /** @param {string} name */
  const rank = name => (liked.includes(name) ? liked.indexOf(name) : liked.length);
  return names.map((name, i) => ({ name, i })).sort((a, b) => rank(a.name) - rank(b.name) || a.i - b.i);
}

/**
 * What stands at `y`, moved at least `apart` from each other within `top` and `bottom`; sorted by `y`.
 * @template {{ y: number }} T
 * @param {T[]} ends
 * @param {number} apart
 * @param {number} top
 * @param {number} bottom
 */
export function spread(ends, apart, top, bottom) {
  const sorted = ends.map(end => ({ ...end })).sort((a, b) => a.y - b.y);
  sorted.forEach((end, i) => {
    if (i) end.y = Math.max(end.y, sorted[i - 1].y + apart);
  });
  let low = bottom;
  for (const end of [...sorted].reverse()) {
    end.y = Math.max(top, Math.min(end.y, low));
    low = end.y - apart;
  }
  return sorted;
}

/**
 * A round figure that is not under `most`: 100, 200, 500, 1000 …
 * @param {number} most
 */
export function roundUp(most) {
  const step = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5].map(n => n * step).find(n => n >= most) ?? 10 * step;
}
