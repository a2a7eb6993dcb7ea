// The boxes of a game, without a page: what they set, and whether a game was played from one.

/**
 * An option's value as the form begins. @param {GameForm} game @param {string} name */
export const usual = (game, name) => game.options.find(o => o.name === name)?.default;

/**
 * The names of options that the boxes of a game set: those of what is in them, or also of how it is played.
 * @param {GameForm} game
 * @param {boolean} also
 */
const setBy = (game, also) => [
  ...new Set(game.editions.flatMap(e => Object.keys(also ? { ...e.options, ...e.usual } : e.options))),
];

/**
 * Whether a game with these options was played from this box, with any number of rounds.
 * @param {GameForm} game
 * @param {EditionForm} edition
 * @param {Record<string, unknown>} options
 */
export const isFrom = (game, edition, options) =>
  setBy(game, false).every(
    name => (options[name] ?? usual(game, name)) === (edition.options[name] ?? usual(game, name)),
  );

/**
 * The options of a box, and of how it is usually played, with those that are as ever.
 * @param {GameForm} game
 * @param {EditionForm} edition
 */
export const optionsOf = (game, edition) =>
  Object.fromEntries(
    setBy(game, true).map(name => [name, edition.usual[name] ?? edition.options[name] ?? usual(game, name)]),
  );

/** The names of all options that the boxes of a game set. @param {GameForm} game */
export const allSet = game => setBy(game, true);
