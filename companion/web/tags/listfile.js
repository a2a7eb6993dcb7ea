// The text of a list of tags, as editors and spreadsheets store it. Touches no page.

/**
 * The text in UTF-8 or UTF-16 with or without a byte-order mark, or as Windows has it.
 * @param {ArrayBuffer} file
 */
export function textOf(file) {
  const [first, second] = new Uint8Array(file.slice(0, 2));
  const decoded = (/** @type {string} */ name) => new TextDecoder(name).decode(file);
  if ((first === 0xff && second === 0xfe) || second === 0) return decoded("utf-16le");
  if ((first === 0xfe && second === 0xff) || first === 0) return decoded("utf-16be");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file);
  } catch {
    return decoded("windows-1252");
  }
}
