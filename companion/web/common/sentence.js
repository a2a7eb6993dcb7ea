// Sentences as the companion sends them: a list of texts and of marked values (a piece, a seat, a space …).

/** What a sentence says, without its marks. */
export const plain = list => (list || []).map(part => (typeof part === "string" ? part : part.text)).join("");

/** A sentence in its clauses: the companion puts ". " between them. */
export function clauses(list) {
  const all = [[]];
  for (const part of list || []) {
    if (part === ". ") all.push([]);
    else all[all.length - 1].push(part);
  }
  return all;
}

/** Clauses as one sentence again, with `by` between them. */
export const joined = (list, by) => list.flatMap((clause, i) => (i ? [by, ...clause] : clause));

const upper = text => text.charAt(0).toUpperCase() + text.slice(1);

/** A text, or a sentence, that begins with a capital letter. */
export function capital(said) {
  if (typeof said === "string") return upper(said);
  const [first, ...rest] = said;
  if (typeof first === "string") return [upper(first), ...rest];
  return first?.text ? [{ ...first, text: upper(first.text) }, ...rest] : said;
}
