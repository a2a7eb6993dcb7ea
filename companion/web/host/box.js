// The form of a new game: which box of the game is in the house. It sets the options, and is remembered.
import { maybe, touched } from "../common/draw.js";
import { send } from "../common/send.js";
import { allSet, isFrom, optionsOf, usual } from "./editions.js";

/**
 * The boxes on the form: `known` are those that were chosen, by game, `last` is the last game. `changed`
 * is called when another box is chosen.
 * @param {HTMLFormElement} form
 * @param {{ games: GameForm[], known: Record<string, string>,
 *   last: { game?: string, options: Record<string, unknown> }, changed: () => void }} of
 */
export function boxes(form, { games, known, last, changed }) {
  /** @param {GameForm} game */
  const chosen = game => {
    const name = maybe(`[name="box-${game.name}"]:checked`, form)?.getAttribute("value");
    return game.editions.find(e => e.name === name);
  };

  /**
   * Write values into the fields of a game's options.
   * @param {GameForm} game
   * @param {Record<string, unknown>} values
   */
  function fillIn(game, values) {
    for (const [name, value] of Object.entries(values)) {
      /** @type {HTMLInputElement | null} */
      const field = maybe(`[data-options="${game.name}"] [data-option="${name}"]`, form);
      if (!field || field.dataset.type === "order") continue;
      if (field.type === "checkbox") field.checked = !!value;
      else field.value = String(value ?? "");
    }
  }

  /**
   * Choose a box, with its options.
   * @param {GameForm} game
   * @param {EditionForm} edition
   */
  function take(game, edition) {
    /** @type {HTMLInputElement | null} */
    const one = maybe(`[name="box-${game.name}"][value="${edition.name}"]`, form);
    if (one) one.checked = true;
    fillIn(game, optionsOf(game, edition));
  }

  for (const game of games.filter(g => g.editions.length)) {
    const here = game.editions.find(e => e.name === known[game.name]);
    const played = game.name === last.game && game.editions.find(e => isFrom(game, e, last.options));
    take(game, here ?? (played || game.editions[0]));
  }

  form.addEventListener("change", event => {
    const game = games.find(g => touched(event, `[name="box-${g.name}"]`));
    const edition = game && chosen(game);
    if (!edition) return;
    /** @type {HTMLInputElement | null} */
    const played = maybe(`[name=game][value="${game.name}"]`, form);
    if (played) played.checked = true;
    fillIn(game, optionsOf(game, edition));
    changed();
    send(`api/boxes/${game.name}`, { edition: edition.name }, { method: "PUT" });
  });

  /** Write the options of the last game into the form, unless it was played from another box. */
  function asPlayed() {
    const game = games.find(g => g.name === last.game);
    const edition = game && chosen(game);
    const played = game?.editions.find(e => isFrom(game, e, last.options));
    if (!game || (played && played !== edition)) return;
    const again = edition ? allSet(game).map(name => [name, usual(game, name)]) : [];
    fillIn(game, { ...Object.fromEntries(again), ...last.options });
  }

  /**
   * Choose a box from which so many can play, and give it; nothing if the one that is chosen will do.
   * @param {GameForm} game
   * @param {number} count
   */
  function makeRoom(game, count) {
    if (count <= mostSeats(game)) return null;
    const larger = game.editions.find(e => e.seats[1] >= count);
    if (larger) take(game, larger);
    return larger ?? null;
  }

  /** The most people who can play this game from its box. @param {GameForm} game */
  const mostSeats = game => chosen(game)?.seats[1] ?? game.seats[1];

  return { asPlayed, makeRoom, mostSeats };
}
