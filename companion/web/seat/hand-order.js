// The order in which somebody likes to hold the cards: dragged, or moved by the arrow keys; kept on the
// device.
import { h, word } from "../common/draw.js";
import { placed, ranked } from "../common/order.js";
import { ordering } from "../common/ordering.js";

const KEPT = "hand order";
/** @param {CardView} card */
const name = card => card.piece ?? card.text;
/** @type {string[]} */
let liked = [];
try {
  liked = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
} catch {
  /* this device keeps nothing */
}

/** @param {string[]} names */
function like(names) {
  liked = names;
  try {
    localStorage.setItem(KEPT, JSON.stringify(liked));
  } catch {
    /* until the page is closed, then */
  }
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
 * Let the cards in `box` be put in order, and back into the usual one; `changed()` draws them anew.
 * @param {HTMLElement} box
 * @param {CardView[]} cards
 * @param {() => void} changed
 */
export function sortable(box, cards, changed) {
  const names = inOrder(cards).map(({ card }) => name(card));
  const usual = cards.map(name);
  ordering(box, (from, to) => {
    const now = placed(names, from, to);
    like([...now, ...liked.filter(one => !now.includes(one))]);
    changed();
  });
  const moved = names.some((one, i) => one !== usual[i]);
  return [
    box,
    moved &&
      h(
        "button",
        {
          type: "button",
          class: "quiet sorthand",
          "data-at": "sort",
          "data-action": "sort-hand",
          onclick: () => {
            like([]);
            changed();
          },
        },
        word("sort"),
      ),
  ];
}
