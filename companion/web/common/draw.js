// Small drawing helpers: elements, pieces, hats, and the coloured words of a sentence.

import { draw, h, make, patch, s } from "./patch.js";
import { pieceOf } from "./sentence.js";

export { draw, h, make, patch, s };

document.documentElement.dataset.runs = ""; // for old.js, which waits for a script that runs

/**
 * Return `node` with these attributes added or replaced.
 * @param {VNode} node
 * @param {Attributes} attributes
 * @returns {VNode}
 */
export const withAttributes = (node, attributes) => ({
  ...node,
  attributes: { ...node.attributes, ...attributes },
});

/**
 * Create an element of HTML at once; what is drawn again and again is described by `h` of patch.js.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T | `${T}.${string}`} what
 * @param {...(Attributes | Child)} rest
 * @returns {HTMLElementTagNameMap[T]}
 */
export const html = (what, ...rest) => make(h(what, ...rest));

/**
 * Create an element of SVG at once.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T | `${T}.${string}`} what
 * @param {...(Attributes | Child)} rest
 * @returns {SVGElementTagNameMap[T]}
 */
export const svg = (what, ...rest) => make(s(what, ...rest));

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
 * How the language of the page writes numbers: found out, which takes a while, at the first of them.
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
 * @param {string} id
 * @param {number} size
 */
const icon = (id, size, cls = "", box = "", file = "") =>
  s(
    "svg",
    { class: `ic ${cls}`, width: size, height: size, viewBox: box || null, "aria-hidden": "true" },
    s("use", { href: `${file}#${id}` }),
  );

/**
 * The head of a column or the name of a row.
 * @param {"col" | "row"} scope
 * @param {...Child} children
 */
export const heading = (scope, ...children) => h("th", { scope }, ...children);

/**
 * The parts of a table: the cells of its head, and its rows.
 * @param {Child} cells
 * @param {Child} rows
 */
export const headed = (cells, rows) => [h("thead", h("tr", cells)), h("tbody", rows)];

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
 * The colours of a seat's own hat and its band, so that hats differ at a distance too.
 */
const HATS = [
  ["#3a3566", "#e96a2b"],
  ["#0f6e6b", "#ffd84d"],
  ["#8e2a6b", "#ffb3d9"],
  ["#8a4b12", "#ffc524"],
  ["#4f5661", "#9be0ff"],
];

/**
 * The face of a player, else the seat's own hat; `own`: the colour of its disc.
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
    return {
      ...made,
      children: [
        s("circle.seatdisc", { cx: 24, cy: 24, r: 22.5 }),
        s("image", { href: `api/photos/${of.photo}`, x: 3.5, y: 3.5, width: 41, height: 41 }),
      ],
    };
  }
  const [hatColour, band] = of?.paint ?? (own ? [] : HATS[seat % HATS.length]);
  const style = hatColour ? `--hat:${hatColour};--hat-band:${band}` : null;
  if (!of) return withAttributes(made, { style });
  const initial = s("text.initial", { x: 39, y: 45 }, of.letter);
  return { ...withAttributes(made, { style }), children: [...made.children, initial] };
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
    s("rect.chipbg", { x: 2, y: 2, width: 36, height: 36, rx: 11 }),
    s("use.chipmk", { href: `#mk-${known(colour)}`, x: 20, y: 20 }),
  );

/**
 * A piece, centred on 0,0 and `width` wide; the sign of its colour if it is under 52 px or has no drawing.
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
      s("circle.chiphalo", { r: 21 }),
      s("rect.chipbg", { x: -18, y: -18, width: 36, height: 36, rx: 11 }),
      s("use.chipmk", { href: `#mk-${name}` }),
    );
  }
  const box = symbol.viewBox.baseVal;
  const [x, y, z] = (symbol.dataset.mark ?? "").split(" ").map(Number);
  const k = width / box.width;
  return s(
    "g",
    { class: name, transform: `scale(${k}) translate(${-box.width / 2} ${-box.height / 2})` },
    s("use", { href: `#animal-${animal}`, width: box.width, height: box.height }),
    s("use.mkuse", { href: `#mk-${name}`, transform: `translate(${x} ${y}) scale(${z})` }),
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
    "svg.an",
    { width, height, viewBox: `${-width / 2} ${-height / 2} ${width} ${height}`, "aria-hidden": "true" },
    piece(animal, colour, width * 0.9),
  );
};

/**
 * Keep a full stop with the last word before it, unless that is too long for a line.
 * @param {string | VNode} made
 * @param {string} text
 * @param {string} stop
 */
function glued(made, text, stop) {
  const last = /\S*$/.exec(text)?.[0] ?? "";
  if (last.length > 16) return [made, stop];
  if (last === text || typeof made === "string" || made.attributes.class !== "who") {
    return h("span.nb", made, stop);
  }
  return h("b.who", text.slice(0, -last.length), h("span.nb", last, stop));
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
  const drawn = part => {
    if (typeof part === "string") {
      return part.split(/(\S*\p{L}-\p{L}\S*)/u).map((text, i) => (i % 2 ? h("span.nb", text) : text));
    } // a line-up is not torn
    if ("piece" in part) return h("span", { class: `tok ${known(part.piece)}` }, part.text);
    if ("space" in part) return h("span.where", part.text);
    if ("gain" in part) return h("span.gain", part.text, food && acorn(36, "inl"));
    if ("loss" in part) return h("span.loss", part.text);
    if ("seat" in part) return h("b.who", part.text);
    return part.text ?? "";
  };
  const out = [];
  const rest = [...(list || [])];
  while (rest.length) {
    const row = pieces(rest);
    if (row > 2) {
      out.push(h("span.row", rest.splice(0, row * 2 - 1).flatMap(drawn)));
      continue;
    } // a line-up stays together
    const [first, next] = rest;
    const made = drawn(first);
    rest.shift();
    const stop = !Array.isArray(made) && typeof next === "string" && /^[.,:;!?)»”]+/.exec(next)?.[0];
    if (stop) {
      rest[0] = next.slice(stop.length);
      out.push(glued(made, typeof first === "string" ? first : (first.text ?? ""), stop));
    } else {
      out.push(made);
    }
  }
  return out.flat();
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
