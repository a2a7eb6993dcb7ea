// Sentences as the companion sends them: a list of texts and of marked values (a piece, a seat, a space …).

/**
 * The piece that a part of a sentence names, if it is one.
 * @param {Phrase | undefined} part
 */
export const pieceOf = part => (typeof part === "object" ? part.piece : undefined);

/**
 * What a sentence says, without its marks.
 * @param {Phrase[] | null | undefined} list
 */
export const plain = list => (list || []).map(part => (typeof part === "string" ? part : part.text)).join("");

/**
 * A sentence in its clauses: the companion puts ". " between them.
 * @param {Phrase[] | null | undefined} list
 */
export function clauses(list) {
  /** @type {Phrase[][]} */
  const all = [[]];
  for (const part of list || []) {
    if (part === ". ") all.push([]);
    else all[all.length - 1].push(part);
  }
  return all;
}

/**
 * Clauses as one sentence again, with `by` between them.
 * @param {Phrase[][]} list
 * @param {Phrase} by
 */
export const joined = (list, by) => list.flatMap((clause, i) => (i ? [by, ...clause] : clause));

/** @param {string} text */
const upper = text => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {Phrase[]} sentence */
function begun([first, ...rest]) {
  if (first === undefined) return [];
  return [typeof first === "string" ? upper(first) : { ...first, text: upper(first.text) }, ...rest];
}

/**
 * A text, or a sentence, that begins with a capital letter.
 * @template {string | Phrase[]} T
 * @param {T} sentence
 */
export const capital = sentence =>
  /** @type {T} */ (typeof sentence === "string" ? upper(sentence) : begun(sentence));
