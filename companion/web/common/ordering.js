// Things in order: dragged with a finger or a mouse, moved with the arrow keys; where one comes to lie is
// said.
import { every, html, touched, word } from "./draw.js";

const SLOP = 8; // px that a finger may tremble while it taps
/** @type {Record<string, number>} */
const STEP = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/**
 * A drag: all items with their middles, from where to where, and how the page is turned on the screen.
 * @typedef {{ items: HTMLElement[], from: number, to: number, at: Point[], straight: DOMMatrix }} Drag
 */

const announcement = document.body.appendChild(html("p.sr", { "aria-live": "polite" }));
/** @param {DOMRect} rect */
const middle = rect => ({ x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 });

/**
 * How the screen's directions lie in a page that is turned or enlarged.
 * @param {HTMLElement} el
 */
function straight(el) {
  let whole = new DOMMatrix();
  /** @type {HTMLElement | null} */
  let at = el;
  for (; at; at = at.parentElement) {
    const own = getComputedStyle(at).transform;
    if (own !== "none") whole = new DOMMatrix(own).multiply(whole);
  }
  whole.e = 0;
  whole.f = 0;
  return whole.inverse();
}

/**
 * What is held in each box, by which pointer, from where, and what is dragged once it has moved.
 * @type {WeakMap<HTMLElement, { item: HTMLElement, id: number, x: number, y: number, drag: Drag | null }>}
 */
const holding = new WeakMap();

/** @param {HTMLElement} box */
const all = box => every("[data-place]", box);

/**
 * @param {HTMLElement} box
 * @param {HTMLElement} item
 * @param {number} to
 */
function speak(box, item, to) {
  announcement.textContent = word("in place", { name: item.dataset.called, n: to + 1, of: all(box).length });
}

/**
 * @param {HTMLElement} box
 * @param {HTMLElement} item
 * @param {number} pointer
 */
function begin(box, item, pointer) {
  const items = all(box);
  const from = items.indexOf(item);
  const at = items.map(el => middle(el.getBoundingClientRect()));
  item.setPointerCapture(pointer);
  item.classList.add("dragged");
  box.classList.add("ordering");
  return { items, from, to: from, at, straight: straight(box) };
}

/**
 * Put all things aside for the one that is dragged by so much of the screen.
 * @param {Drag} of
 * @param {number} x
 * @param {number} y
 */
function shift({ items, at, from, to, straight: turned }, x, y) {
  for (const [i, el] of items.entries()) {
    const place = i > from && i <= to ? i - 1 : i < from && i >= to ? i + 1 : i;
    const by = i === from ? { x, y } : { x: at[place].x - at[i].x, y: at[place].y - at[i].y };
    const p = turned.transformPoint(by);
    el.style.transform = `translate(${p.x}px,${p.y}px)`;
  }
}

/**
 * Let go of what is held in a box; return from where to where it was dragged, if it was.
 * @param {HTMLElement} box
 */
function drop(box) {
  const held = holding.get(box);
  holding.delete(box);
  if (!held?.drag) return null;
  box.classList.remove("ordering");
  held.item.classList.remove("dragged");
  for (const el of held.drag.items) el.style.transform = "";
  box.addEventListener(
    "click",
    event => {
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true, once: true },
  );
  // where the browser makes none of it
  setTimeout(() => box.dispatchEvent(new Event("click", { cancelable: true })));
  return { item: held.item, from: held.drag.from, to: held.drag.to };
}

/**
 * Return the listeners of a box in which everything with `data-place` has a place, from 0, and a name,
 * `data-called`; `moved(from, to)` draws it anew. What has `data-grip` in it is held there, so that the rest
 * scrolls the page.
 * @param {(from: number, to: number) => void} moved
 */
export const ordering = moved => ({
  /** @param {PointerEvent} event */
  onpointerdown(event) {
    const item = touched(event, "[data-place]");
    if (!item || event.button || (item.querySelector("[data-grip]") && !touched(event, "[data-grip]"))) {
      return;
    }
    const box = /** @type {HTMLElement} */ (event.currentTarget);
    holding.set(box, { item, id: event.pointerId, x: event.clientX, y: event.clientY, drag: null });
  },

  /** @param {PointerEvent} event */
  onpointermove(event) {
    const box = /** @type {HTMLElement} */ (event.currentTarget);
    const held = holding.get(box);
    if (!held || event.pointerId !== held.id) return;
    const x = event.clientX - held.x;
    const y = event.clientY - held.y;
    if (!held.drag && Math.hypot(x, y) < SLOP) return;
    held.drag ??= begin(box, held.item, held.id);
    const { at, from } = held.drag;
    const now = { x: at[from].x + x, y: at[from].y + y };
    const far = at.map(p => Math.hypot(p.x - now.x, p.y - now.y));
    held.drag.to = far.indexOf(Math.min(...far));
    shift(held.drag, x, y);
  },

  /** Nothing is flung, else Chromium takes the next tap for what stops that. @param {TouchEvent} event */
  ontouchmove(event) {
    if (holding.has(/** @type {HTMLElement} */ (event.currentTarget))) event.preventDefault();
  },

  /** @param {PointerEvent} event */
  onpointerup({ currentTarget }) {
    const box = /** @type {HTMLElement} */ (currentTarget);
    const done = drop(box);
    if (!done || done.to === done.from) return;
    speak(box, done.item, done.to);
    moved(done.from, done.to);
  },

  /** @param {PointerEvent} event */
  onpointercancel({ currentTarget }) {
    drop(/** @type {HTMLElement} */ (currentTarget));
  },

  /** Not of what a finger held of itself. @param {PointerEvent} event */
  onlostpointercapture({ currentTarget, target }) {
    const box = /** @type {HTMLElement} */ (currentTarget);
    if (target === holding.get(box)?.item) drop(box);
  },

  /** @param {KeyboardEvent} event */
  onkeydown(event) {
    const box = /** @type {HTMLElement} */ (event.currentTarget);
    const item = touched(event, "[data-place]");
    const step = STEP[event.key];
    if (event.key === "Escape") drop(box);
    if (!item || !step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const from = Number(item.dataset.place);
    const to = from + step;
    if (to < 0 || to >= all(box).length) return;
    speak(box, item, to);
    moved(from, to);
    const now = all(box)[to];
    (now.matches("button") ? now : now.querySelector("button"))?.focus();
  },
});
