// Things in order: dragged with a finger or a mouse, moved with the arrow keys; where one comes to lie is
// said.
import { h, word } from "./draw.js";

const SLOP = 8; // px that a finger may tremble while it taps
const STEP = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

const said = document.body.appendChild(h("p", { class: "sr", "aria-live": "polite" }));
const middle = rect => ({ x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 });

/** How the screen's directions lie in a page that is turned or enlarged. */
function straight(el) {
  let whole = new DOMMatrix();
  for (let at = el; at; at = at.parentElement) {
    const own = getComputedStyle(at).transform;
    if (own !== "none") whole = new DOMMatrix(own).multiply(whole);
  }
  whole.e = 0;
  whole.f = 0;
  return whole.inverse();
}

/** In `box` everything with `data-place` has a place, from 0, and a name, `data-called`; `moved(from, to)`
    draws it anew. What has `data-grip` in it is held there, so that the rest scrolls the page. */
export function ordering(box, moved) {
  const all = () => [...box.querySelectorAll("[data-place]")];
  const spoken = (item, to) => {
    said.textContent = word("in place", { name: item.dataset.called, n: to + 1, of: all().length });
  };
  let held = null;

  box.addEventListener("pointerdown", event => {
    const item = event.target.closest("[data-place]");
    if (
      !item ||
      event.button ||
      (item.querySelector("[data-grip]") && !event.target.closest("[data-grip]"))
    ) {
      return;
    }
    held = { item, id: event.pointerId, x: event.clientX, y: event.clientY, items: null, to: 0 };
  });

  function begin() {
    const items = all();
    Object.assign(held, {
      items,
      from: items.indexOf(held.item),
      at: items.map(el => middle(el.getBoundingClientRect())),
      straight: straight(box),
    });
    held.to = held.from;
    held.item.setPointerCapture(held.id);
    held.item.classList.add("dragged");
    box.classList.add("ordering");
  }

  /** Put a thing aside by so much of the screen. */
  const shift = (el, x, y) => {
    const p = held.straight.transformPoint({ x, y });
    el.style.translate = `${p.x}px ${p.y}px`;
  };

  box.addEventListener("pointermove", event => {
    if (!held || event.pointerId !== held.id) return;
    const x = event.clientX - held.x;
    const y = event.clientY - held.y;
    if (!held.items) {
      if (Math.hypot(x, y) < SLOP) return;
      begin();
    }
    const { items, at, from } = held;
    const now = { x: at[from].x + x, y: at[from].y + y };
    const far = at.map(p => Math.hypot(p.x - now.x, p.y - now.y));
    held.to = far.indexOf(Math.min(...far));
    items.forEach((el, i) => {
      if (i === from) return shift(el, x, y);
      const to = i > from && i <= held.to ? i - 1 : i < from && i >= held.to ? i + 1 : i;
      shift(el, at[to].x - at[i].x, at[to].y - at[i].y);
    });
  });

  function drop(done) {
    if (!held) return;
    const { item, items, from, to } = held;
    if (items) {
      box.classList.remove("ordering");
      item.classList.remove("dragged");
      for (const el of items) el.style.translate = "";
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
    }
    held = null;
    if (!items || !done || to === from) return;
    spoken(item, to);
    moved(from, to);
  }
  box.addEventListener("pointerup", () => drop(true));
  box.addEventListener("pointercancel", () => drop(false));
  box.addEventListener("lostpointercapture", event => {
    if (event.target === held?.item) drop(false);
  }); // not what a finger held of itself

  box.addEventListener("keydown", event => {
    const item = event.target.closest("[data-place]");
    const step = STEP[event.key];
    if (event.key === "Escape") return drop(false);
    if (!item || !step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const from = +item.dataset.place;
    const to = from + step;
    if (to < 0 || to >= all().length) return;
    spoken(item, to);
    moved(from, to);
    const now = all()[to];
    (now.matches("button") ? now : now.querySelector("button"))?.focus();
  });
}
