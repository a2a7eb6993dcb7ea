// Tiles that are chosen of several: marked by class, because `:has` needs Chromium 105 and Firefox 121.
import { every, maybe } from "../common/draw.js";

/**
 * Mark the tiles of what is chosen, and of what the keys are on.
 * @param {HTMLElement} form
 */
export function markTiles(form) {
  /** Its own box to tick: a tile may hold others. @param {string} state */
  const own = state => `:scope > input${state}, :scope > label > [name=game]${state}`;
  for (const tile of every(".tile, .box2", form)) {
    tile.classList.toggle("chosen", !!maybe(own(":checked"), tile));
    tile.classList.toggle("focused", !!maybe(own(":focus-visible"), tile));
  }
}

/**
 * Mark them whenever that changes.
 * @param {HTMLElement} form
 */
export function keepTilesMarked(form) {
  for (const kind of ["change", "focusin", "focusout"]) {
    form.addEventListener(kind, () => requestAnimationFrame(() => markTiles(form)));
  }
}
