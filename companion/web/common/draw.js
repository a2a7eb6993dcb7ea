// Small drawing helpers: elements, pieces, hats, and the coloured words of a sentence.

const SVG = "http://www.w3.org/2000/svg";

function fill(el, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) el.addEventListener(key.slice(2), value);
    else el.setAttribute(key, value === true ? "" : value);
  }
  el.append(...children.flat().filter(child => child !== null && child !== undefined && child !== false));
  return el;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);
export const $ = (selector, root = document) => root.querySelector(selector);

/** The words that Jinja rendered for the scripts of this page; {name} is filled in. */
const vocabulary = Object.assign(
  {},
  ...[...document.querySelectorAll("script[data-words]")].map(el => JSON.parse(el.textContent)),
);
export const word = (key, values = {}) =>
  (vocabulary[key] ?? "").replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

/** "name: what", as the language of the page sets its colon. */
export const labelled = (name, what) => word("labelled", { name, what });

/** How the language of the page writes numbers; to find that out takes a while, so it waits for the first of
    them. */
export function numbers(options) {
  let format = null;
  return number => (format ??= new Intl.NumberFormat(document.documentElement.lang, options).format)(number);
}

/** Replace the children of `el` only if what they are made of has changed; a button that is still there keeps
    the focus. */
export function render(el, key, make) {
  const now = JSON.stringify(key);
  if (el.dataset.shown === now) return false;
  el.dataset.shown = now;
  const { action, card } = el.contains(document.activeElement) ? document.activeElement.dataset : {};
  el.replaceChildren(...[make()].flat().filter(Boolean));
  if (action && card) el.querySelector(`[data-action="${action}"][data-card="${card}"]`)?.focus();
  return true;
}

const icon = (id, size, cls = "", box = "") =>
  s(
    "svg",
    { class: `ic ${cls}`, width: size, height: size, viewBox: box || null, "aria-hidden": "true" },
    s("use", { href: `#${id}` }),
  );

export const sign = (name, size = 24) => icon(`ic-${name}`, size);
export const acorn = (size = 34, cls = "") => icon("acorn", size, cls);

/** The colours that the seats own: their hats' discs take them. */
let worn = [];
export const wear = colours => {
  worn = colours || [];
};
export const hat = (seat, size = 48) =>
  icon(`hat-${seat % 5}`, size, `hatpic ${worn[seat] ? `own ${worn[seat]}` : ""}`);

const known = colour => (document.getElementById(`mk-${colour}`) ? colour : "other");

/** The square sign of a colour: its mark on its ground. */
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

/** A piece, centred on 0,0 and `width` wide; under 52 px, or if nobody drew the animal, it is the sign of its
    colour. */
export function piece(animal, colour, width) {
  const symbol = document.getElementById(`animal-${animal}`);
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
  const [x, y, z] = symbol.dataset.mark.split(" ").map(Number);
  const k = width / box.width;
  return s(
    "g",
    { class: name, transform: `scale(${k}) translate(${-box.width / 2} ${-box.height / 2})` },
    s("use", { href: `#animal-${animal}`, width: box.width, height: box.height }),
    s("use", { href: `#mk-${name}`, class: "mkuse", transform: `translate(${x} ${y}) scale(${z})` }),
  );
}

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

/** No line begins with a full stop: it stays with the last word before it, unless that is too long for a
    line. */
function glued(made, stop) {
  const text = made.textContent ?? made;
  const last = text.match(/\S*$/)[0];
  if (last.length > 16) return [made, stop];
  if (last === text || !made.classList?.contains("who")) return h("span", { class: "nb" }, made, stop);
  return h("b", { class: "who" }, text.slice(0, -last.length), h("span", { class: "nb" }, last, stop));
}

/** How many pieces stand in a row at the beginning, with nothing but a space between them. */
function pieces(list) {
  let n = 0;
  while (list[2 * n]?.piece && (n === 0 || list[2 * n - 1] === " ")) n++;
  return n;
}

/** The words of a sentence: PART = text | {piece} | {space} | {seat} | {gain} | {loss}. */
export function parts(list, { food = true } = {}) {
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
    const made = make(rest.shift());
    const stop = !Array.isArray(made) && typeof rest[0] === "string" && rest[0].match(/^[.,:;!?)»”]+/)?.[0];
    if (stop) {
      rest[0] = rest[0].slice(stop.length);
      out.push(glued(made, stop));
    } else {
      out.push(made);
    }
  }
  return out.flat();
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
