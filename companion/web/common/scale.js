// Sums of the charts.

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
