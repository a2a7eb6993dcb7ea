// Tiles that are chosen of several: marked by class, because `:has` needs Chromium 105 and Firefox 121.
import { every, maybe } from "../common/draw.js";

/**
 * Mark the tiles of what is chosen, and of what the keys are on.
 * @param {HTMLElement} form
 */
export function markTiles(form) {
  for (const tile of every(".tile", form)) {
    tile.classList.toggle("chosen", !!maybe(":checked", tile));
    tile.classList.toggle("focused", !!maybe("input:focus-visible", tile));
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
