// Lists that people put in order.

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
