// The board of Giro Galoppo as its owner taps it together: what each space is.

const KINDS = ["grass", "sand", "natural"];

/**
 * What this space is: grass, sand, or an obstacle by nature.
 * @param {Board} board
 * @param {number} space
 */
export const kindOf = (board, space) =>
  board.sand.includes(space) ? "sand" : board.natural.includes(space) ? "natural" : "grass";

/**
 * The board after one tap: grass becomes sand, sand an obstacle, an obstacle grass.
 * @param {Board} board
 * @param {number} space
 */
export function turned(board, space) {
  const next = KINDS[(KINDS.indexOf(kindOf(board, space)) + 1) % KINDS.length];
  /** @param {"sand" | "natural"} kind */
  const set = kind => {
    const others = board[kind].filter(n => n !== space);
    return kind === next ? [...others, space].sort((a, b) => a - b) : others;
  };
  return { ...board, sand: set("sand"), natural: set("natural") };
}
