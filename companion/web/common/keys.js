// Keeps the focus for players who use keys: when the element that has it goes away, its successor gets it.
import { every } from "./draw.js";

const PRESSED = ":is(a[href], button, input, select, textarea, summary, [tabindex='0']):not(:disabled)";

/** What has the focus by keys.
 * @type {Element | null} */
let last = null;
/** The boxes around it that say `data-keys`: here something is to be pressed next, from the inside.
 * @type {Element[]} */
let around = [];
let waiting = 0;

/** @param {Element} el */
const seen = el =>
  el.isConnected && (el.checkVisibility?.({ visibilityProperty: true }) ?? el.getClientRects().length > 0);
/** @param {Element} box */
const first = box => every(PRESSED, box).find(seen);

/** Where the keys go on: near what is gone, else where something is due, else at the sentence. */
function next() {
  for (const box of [...around.filter(seen), ...every("[data-keys]")]) {
    const one = first(box);
    if (one) return one;
  }
  const heading = every("h1").find(seen);
  if (heading) heading.tabIndex = -1;
  return heading;
}

function restoreFocus() {
  waiting = 0;
  const here = document.activeElement;
  if (!last || (here && here !== document.body && here !== last)) return;
  if (!seen(last) || last.matches(":disabled")) next()?.focus();
}

const changes = new MutationObserver(() => {
  waiting ||= requestAnimationFrame(restoreFocus); // pages draw its successor at once, or before a frame
});
/** @param {EventTarget | null} target */
function focused(target) {
  last = target instanceof Element && target.matches(":focus-visible") ? target : null;
  changes.disconnect();
  if (!last) return;
  around = [];
  for (let box = last.closest("[data-keys]"); box; box = box.parentElement?.closest("[data-keys]") ?? null) {
    around.push(box);
  }
  changes.observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ["hidden", "disabled", "class"],
  });
}
document.addEventListener("focusin", ({ target }) => focused(target));

/**
 * Go on from what has the focus; if nothing has it, from what had it while this script was loading.
 * @param {EventTarget | null} before
 */
export function begin(before) {
  focused(document.activeElement);
  if (document.activeElement !== document.body || !(before instanceof Element)) return;
  last = before;
  restoreFocus();
}
// a finger or a mouse needs no focus
addEventListener(
  "pointerdown",
  () => {
    last = null;
    changes.disconnect();
  },
  { capture: true },
);
