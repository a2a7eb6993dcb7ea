// The order in which a player holds the cards: dragged, or moved by the arrow keys; stored on the
// device.
import { h, word } from "../common/draw.js";
import { placed, ranked } from "../common/lists.js";
import { ordering } from "../common/ordering.js";
import { recallJson, remember } from "../common/remember.js";

const STORAGE_KEY = "hand order";
/** @param {CardView} card */
const name = card => card.piece ?? card.text;
/** @type {string[]} */
let liked = recallJson(STORAGE_KEY) ?? [];

/** @param {string[]} names */
function like(names) {
  liked = names;
  remember(STORAGE_KEY, JSON.stringify(liked));
}

/**
 * The cards as they are liked, those of which nothing is known last; each with its index in `cards`.
 * @template {CardView} T
 * @param {T[]} cards
 */
export const inOrder = cards => ranked(cards.map(name), liked).map(({ i }) => ({ card: cards[i], i }));

/**
 * What the attributes of the card at this place must have.
 * @param {number} place
 * @param {{ text: string }} card
 */
export const at = (place, card) => ({ "data-place": place, "data-called": card.text });

/**
 * Return the listeners of a box in which these cards are put in order; `changed()` draws them anew.
 * @param {CardView[]} cards
 * @param {() => void} changed
 */
export const sortable = (cards, changed) =>
  ordering((from, to) => {
    const now = placed(
      inOrder(cards).map(({ card }) => name(card)),
      from,
      to,
    );
    like([...now, ...liked.filter(one => !now.includes(one))]);
    changed();
  });

/**
 * Return the button that puts the cards back into the usual order, if they are in another one.
 * @param {CardView[]} cards
 * @param {() => void} changed
 */
export const sorter = (cards, changed) =>
  inOrder(cards).some(({ i }, place) => i !== place) &&
  h(
    "button.quiet.sorthand",
    {
      "data-at": "sort",
      "data-action": "sort-hand",
      onclick: () => {
        like([]);
        changed();
      },
    },
    word("sort"),
  );
