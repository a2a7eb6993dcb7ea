// Where an error was thrown, without its words.

/**
 * Return the script and its line, such as "common/odds.js:61"; "" if it is not known. Nothing else of the
 * error is returned: its text may hold words of the game.
 * @param {unknown} error
 */
export function whereOf(error) {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const found = /\/((?:[a-z-]+\/){0,2}[a-z-]+\.js)(?:\?[^:\s]*)?:(\d{1,5}):/.exec(stack);
  return found ? `${found[1]}:${found[2]}` : "";
}
