// Things in order: dragged with a finger or a mouse, moved with the arrow keys; where one comes to lie is
// said.
import { every, h, touched, word } from "./draw.js";

const SLOP = 8; // px that a finger may tremble while it taps
/** @type {Record<string, number>} */
const STEP = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/**
 * What is dragged: all things with their middles, from where to where, and how the page lies on the screen.
 * @typedef {{ items: HTMLElement[], from: number, to: number, at: Point[], straight: DOMMatrix }} Drag
 */

const said = document.body.appendChild(h("p", { class: "sr", "aria-live": "polite" }));
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
 * In `box` everything with `data-place` has a place, from 0, and a name, `data-called`; `moved(from, to)`
 * draws it anew. What has `data-grip` in it is held there, so that the rest scrolls the page.
 * @param {HTMLElement} box
 * @param {(from: number, to: number) => void} moved
 */
export function ordering(box, moved) {
  const all = () => every("[data-place]", box);
  /**
   * @param {HTMLElement} item
   * @param {number} to
   */
  const spoken = (item, to) => {
    said.textContent = word("in place", { name: item.dataset.called, n: to + 1, of: all().length });
  };
  /** @type {{ item: HTMLElement, id: number, x: number, y: number } | null} */
  let held = null;
  /** @type {Drag | null} */
  let drag = null;

  box.addEventListener("pointerdown", event => {
    const item = touched(event, "[data-place]");
    if (!item || event.button || (item.querySelector("[data-grip]") && !touched(event, "[data-grip]"))) {
      return;
    }
    held = { item, id: event.pointerId, x: event.clientX, y: event.clientY };
  });

  /**
   * @param {HTMLElement} item
   * @param {number} pointer
   */
  function begin(item, pointer) {
    const items = all();
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
      el.style.translate = `${p.x}px ${p.y}px`;
    }
  }

  box.addEventListener("pointermove", event => {
    if (!held || event.pointerId !== held.id) return;
    const x = event.clientX - held.x;
    const y = event.clientY - held.y;
    if (!drag && Math.hypot(x, y) < SLOP) return;
    drag ??= begin(held.item, held.id);
    const { at, from } = drag;
    const now = { x: at[from].x + x, y: at[from].y + y };
    const far = at.map(p => Math.hypot(p.x - now.x, p.y - now.y));
    drag.to = far.indexOf(Math.min(...far));
    shift(drag, x, y);
  });

  /** @param {boolean} done */
  function drop(done) {
    if (!held) return;
    const { item } = held;
    const dragged = drag;
    held = null;
    drag = null;
    if (!dragged) return;
    box.classList.remove("ordering");
    item.classList.remove("dragged");
    for (const el of dragged.items) el.style.translate = "";
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
    if (!done || dragged.to === dragged.from) return;
    spoken(item, dragged.to);
    moved(dragged.from, dragged.to);
  }
  box.addEventListener("pointerup", () => drop(true));
  box.addEventListener("pointercancel", () => drop(false));
  // not what a finger held of itself
  box.addEventListener("lostpointercapture", event => {
    if (event.target === held?.item) drop(false);
  });

  box.addEventListener("keydown", event => {
    const item = touched(event, "[data-place]");
    const step = STEP[event.key];
    if (event.key === "Escape") return drop(false);
    if (!item || !step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const from = Number(item.dataset.place);
    const to = from + step;
    if (to < 0 || to >= all().length) return;
    spoken(item, to);
    moved(from, to);
    const now = all()[to];
    (now.matches("button") ? now : now.querySelector("button"))?.focus();
  });
}
