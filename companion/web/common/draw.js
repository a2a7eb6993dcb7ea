// Small drawing helpers: elements, pieces, hats, and the coloured words of a sentence.

import { pieceOf } from "./sentence.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {Element} T
 * @param {T} el
 * @param {Attributes | null} attributes
 * @param {Child[]} children
 */
function fill(el, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") el.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else el.setAttribute(key, value === true ? "" : String(value));
  }
  el.append(...shown(children.flat()));
  return el;
}

/** @param {Child} child */
const is = child => child !== null && child !== undefined && child !== false;

/**
 * What of these is to be seen.
 * @param {Child[]} children
 */
export const shown = children => /** @type {(Node | string)[]} */ (children.filter(is));

/**
 * An element of HTML.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes | null} [attributes]
 * @param {...Child} children
 */
export const h = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes ?? null, children);

/**
 * An element of SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes | null} [attributes]
 * @param {...Child} children
 */
export const s = (tag, attributes, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes ?? null, children);

/**
 * What the page may hold.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {T | null}
 */
export const maybe = (selector, root = document) => root.querySelector(selector);

/**
 * What the page surely holds.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {T}
 */
export const $ = (selector, root = document) => /** @type {T} */ (root.querySelector(selector));

/**
 * All of these that the page holds.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [root]
 */
export const every = (selector, root = document) => /** @type {T[]} */ ([...root.querySelectorAll(selector)]);

/**
 * What of this kind was touched, if anything.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export const touched = (event, selector) =>
  event.target instanceof Element ? event.target.closest(selector) : null;

/**
 * The words that Jinja rendered for the scripts of this page; {name} is filled in.
 * @type {Record<string, string>}
 */
const vocabulary = Object.assign(
  {},
  ...[...document.querySelectorAll("script[data-words]")].map(el => JSON.parse(el.textContent ?? "")),
);
/**
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 */
export const word = (key, values = {}) =>
  (vocabulary[key] ?? "").replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all));

/**
 * "name: what", as the language of the page sets its colon.
 * @param {string} name
 * @param {string} what
 */
export const labelled = (name, what) => word("labelled", { name, what });

/**
 * How the language of the page writes numbers; to find that out takes a while, so it waits for the first of
 * them.
 * @param {Intl.NumberFormatOptions} options
 */
export function numbers(options) {
  /** @type {((value: number) => string) | null} */
  let format = null;
  /** @param {number} number */
  const written = number =>
    (format ??= new Intl.NumberFormat(document.documentElement.lang, options).format)(number);
  return written;
}

/**
 * Replace the children of `el` only if what they are made of has changed; a button that is still there keeps
 * the focus.
 * @param {HTMLElement} el
 * @param {unknown} key
 * @param {() => Child} make
 */
export function render(el, key, make) {
  const now = JSON.stringify([key, worn, faces]);
  if (el.dataset.shown === now) return false;
  el.dataset.shown = now;
  const active = document.activeElement;
  const { action, card } = active instanceof HTMLElement && el.contains(active) ? active.dataset : {};
  el.replaceChildren(...shown([make()].flat()));
  const same = action ? every(`[data-action="${action}"]${card ? `[data-card="${card}"]` : ""}`, el) : [];
  if (same.length === 1) same[0].focus();
  return true;
}

/**
 * @param {string} id
 * @param {number} size
 */
const icon = (id, size, cls = "", box = "", file = "") =>
  s(
    "svg",
    { class: `ic ${cls}`, width: size, height: size, viewBox: box || null, "aria-hidden": "true" },
    s("use", { href: `${file}#${id}` }),
  );

/** @param {string} name */
export const sign = (name, size = 24) => icon(`ic-${name}`, size);
export const acorn = (size = 34, cls = "") => icon("acorn", size, cls);

/**
 * The colours that the seats own, which their hats' discs take, and what people look like.
 * @type {(string | null)[]}
 */
let worn = [];
/** @type {(FaceView | null)[]} */
let faces = [];
/** @param {{ colours: (string | null)[], faces: (FaceView | null)[] } | null | undefined} match */
export const wear = match => {
  worn = match?.colours ?? [];
  faces = match?.faces ?? [];
};

/**
 * What somebody looks like, else the seat's own hat; `own`: the colour of its disc.
 * @param {FaceView | null | undefined} of
 * @param {number} seat
 * @param {string | null} [own]
 */
export function face(of, seat, size = 48, own = null) {
  const n = of?.hat ?? seat % 5;
  // the hats that few wear are no part of each page
  const made = icon(
    `hat-${n}`,
    size,
    `hatpic ${own ? `own ${own}` : ""}`,
    "0 0 48 48",
    n < 5 ? "" : "static/common/hats.svg",
  );
  if (of?.photo) {
    made.replaceChildren(
      s("circle", { class: "seatdisc", cx: 24, cy: 24, r: 22.5 }),
      s("image", { href: `api/photos/${of.photo}`, x: 3.5, y: 3.5, width: 41, height: 41 }),
    );
  } else if (of) {
    if (of.paint) made.setAttribute("style", `--hat:${of.paint[0]};--hat-band:${of.paint[1]}`);
    made.append(s("text", { class: "initial", x: 39, y: 45 }, of.letter));
  }
  return made;
}
/** @param {number} seat */
export const hat = (seat, size = 48) => face(faces[seat], seat, size, worn[seat]);

/** @param {string | null | undefined} colour */
const known = colour => (document.getElementById(`mk-${colour}`) ? colour : "other");

/**
 * The square sign of a colour: its mark on its ground.
 * @param {string | null | undefined} colour
 */
export const chip = (colour, size = 28) =>
  s(
    "svg",
    {
      class: `ic chip ${known(colour)}`,
      width: size,
      height: size,
      viewBox: "0 0 40 40",
      "aria-hidden": "true",
    },
    s("rect", { x: 2, y: 2, width: 36, height: 36, rx: 11, class: "chipbg" }),
    s("use", { href: `#mk-${known(colour)}`, class: "chipmk", x: 20, y: 20 }),
  );

/**
 * A piece, centred on 0,0 and `width` wide; under 52 px, or if nobody drew the animal, it is the sign of its
 * colour.
 * @param {string | null} animal
 * @param {string | null} colour
 * @param {number} width
 */
export function piece(animal, colour, width) {
  /** @type {SVGSymbolElement | null} */
  const symbol = maybe(`#animal-${animal}`);
  const name = known(colour);
  if (!symbol || width < 52) {
    const z = Math.max(22, symbol ? width : Math.min(width, 34 + width * 0.28)) / 40;
    return s(
      "g",
      { class: name, transform: `scale(${z})` },
      s("circle", { r: 21, class: "chiphalo" }),
      s("rect", { x: -18, y: -18, width: 36, height: 36, rx: 11, class: "chipbg" }),
      s("use", { href: `#mk-${name}`, class: "chipmk" }),
    );
  }
  const box = symbol.viewBox.baseVal;
  const [x, y, z] = (symbol.dataset.mark ?? "").split(" ").map(Number);
  const k = width / box.width;
  return s(
    "g",
    { class: name, transform: `scale(${k}) translate(${-box.width / 2} ${-box.height / 2})` },
    s("use", { href: `#animal-${animal}`, width: box.width, height: box.height }),
    s("use", { href: `#mk-${name}`, class: "mkuse", transform: `translate(${x} ${y}) scale(${z})` }),
  );
}

/**
 * @param {string | null} animal
 * @param {string | null} colour
 * @param {number} width
 */
export const picture = (animal, colour, width) => {
  const height = width * 0.76;
  return s(
    "svg",
    {
      class: "an",
      width,
      height,
      viewBox: `${-width / 2} ${-height / 2} ${width} ${height}`,
      "aria-hidden": "true",
    },
    piece(animal, colour, width * 0.9),
  );
};

/**
 * No line begins with a full stop: it stays with the last word before it, unless that is too long for a
 * line.
 * @param {string | HTMLElement} made
 * @param {string} stop
 */
function glued(made, stop) {
  const text = typeof made === "string" ? made : (made.textContent ?? "");
  const last = /\S*$/.exec(text)?.[0] ?? "";
  if (last.length > 16) return [made, stop];
  if (last === text || typeof made === "string" || !made.classList.contains("who")) {
    return h("span", { class: "nb" }, made, stop);
  }
  return h("b", { class: "who" }, text.slice(0, -last.length), h("span", { class: "nb" }, last, stop));
}

/**
 * How many pieces stand in a row at the beginning, with nothing but a space between them.
 * @param {Phrase[]} list
 */
function pieces(list) {
  let n = 0;
  while (pieceOf(list[2 * n]) && (n === 0 || list[2 * n - 1] === " ")) n++;
  return n;
}

/**
 * The words of a sentence: PART = text | {piece} | {space} | {seat} | {gain} | {loss}.
 * @param {Phrase[] | null | undefined} list
 * @param {{ food?: boolean }} [how]
 */
export function parts(list, { food = true } = {}) {
  /** @param {Phrase} part */
  const make = part => {
    if (typeof part === "string") {
      return part
        .split(/(\S*\p{L}-\p{L}\S*)/u)
        .map((text, i) => (i % 2 ? h("span", { class: "nb" }, text) : text));
    } // a line-up is not torn
    if ("piece" in part) return h("span", { class: `tok ${known(part.piece)}` }, part.text);
    if ("space" in part) return h("span", { class: "where" }, part.text);
    if ("gain" in part) return h("span", { class: "gain" }, part.text, food && acorn(36, "inl"));
    if ("loss" in part) return h("span", { class: "loss" }, part.text);
    if ("seat" in part) return h("b", { class: "who" }, part.text);
    return part.text ?? "";
  };
  const out = [];
  const rest = [...(list || [])];
  while (rest.length) {
    const row = pieces(rest);
    if (row > 2) {
      out.push(h("span", { class: "row" }, rest.splice(0, row * 2 - 1).flatMap(make)));
      continue;
    } // a line-up stays together
    const [first, next] = rest;
    const made = make(first);
    rest.shift();
    const stop = !Array.isArray(made) && typeof next === "string" && /^[.,:;!?)»”]+/.exec(next)?.[0];
    if (stop) {
      rest[0] = next.slice(stop.length);
      out.push(glued(made, stop));
    } else {
      out.push(made);
    }
  }
  return out.flat();
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
