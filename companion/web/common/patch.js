// Draws pages: a view is a pure function from state to nodes (plain objects), and patch() changes on the page
// only what differs from the nodes that were shown before.

const SVG = "http://www.w3.org/2000/svg";
/** Attributes whose property differs from them once a user has typed or chosen. */
const LIVE = new Set(["value", "checked", "selected"]);

/** A button sends a form only if it says so: in HTML it does by default. */
const BUTTON = { type: "button" };

/**
 * A child as the view described it, and the DOM node that shows it.
 * @typedef {{ key: unknown, child: VNode | string | Node, node: Node }} Kid
 */
/** The children that each element got from the last patch. @type {WeakMap<Element, Kid[]>} */
const shown = new WeakMap();

/** @param {unknown} value @returns {value is object} */
const isObject = value => typeof value === "object" && value !== null;

/**
 * @param {boolean} svg
 * @param {string} what
 * @param {(Attributes | Child)[]} rest
 * @returns {VNode}
 */
function described(svg, what, [first, ...rest]) {
  const [tag, ...classes] = what.split(".");
  const isChild = !isObject(first) || "tag" in first || "nodeType" in first || Array.isArray(first);
  const own = isChild ? {} : /** @type {Attributes} */ (first);
  const attributes = {
    ...(tag === "button" && BUTTON),
    ...(classes.length > 0 && { class: classes.join(" ") }),
    ...own,
  };
  return { tag, svg, attributes, children: /** @type {Child[]} */ (isChild ? [first, ...rest] : rest) };
}

/**
 * Describe an element of HTML by tag and classes ("p.soft"), its attributes if it has any, and its children.
 * `key` in its attributes says which of its siblings it is from one view to the next; without it, it is the
 * next one of its tag. `made` is called with the element when it is created.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T | `${T}.${string}`} what
 * @param {...(Attributes | Child)} rest
 */
export const h = (what, ...rest) => described(false, what, rest);

/**
 * Describe an element of SVG, as `h` does for HTML.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T | `${T}.${string}`} what
 * @param {...(Attributes | Child)} rest
 */
export const s = (what, ...rest) => described(true, what, rest);

/**
 * Flatten children and leave out those that show nothing.
 * @param {Child[]} children
 */
const present = children =>
  /** @type {(VNode | string | Node)[]} */ (
    children.flat(9).filter(child => child !== null && child !== undefined && child !== false)
  );

/** @param {VNode | string | Node} child @returns {child is VNode} */
const isVNode = child => isObject(child) && "tag" in child;

/**
 * Change the attributes and listeners ("onclick") of an element from those of `was` to those of `now`. One
 * that is null, undefined or false is not there.
 * @param {any} el
 * @param {Attributes} was
 * @param {Attributes} now
 */
function setAll(el, was, now) {
  for (const name of new Set([...Object.keys(was), ...Object.keys(now)])) {
    const value = now[name] ?? false;
    if (value === (was[name] ?? false) || name === "key" || name === "made") continue;
    if (name.startsWith("on")) {
      el[name] = value || null;
      continue;
    }
    if (value === false) el.removeAttribute(name);
    else el.setAttribute(name, value === true ? "" : String(value));
    if (LIVE.has(name)) el[name] = value === false && name === "value" ? "" : value;
  }
}

/**
 * Create what a node describes; a DOM node is that already.
 * @param {VNode | string | Node} child
 * @returns {Node}
 */
function create(child) {
  if (!isVNode(child)) return typeof child === "object" ? child : document.createTextNode(String(child));
  const el = child.svg ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  patch(el, child.children);
  setAll(el, {}, child.attributes); // after the children: a select has its options before its value
  /** @type {((el: Element) => void) | undefined} */ (child.attributes.made)?.(el);
  return el;
}

/**
 * Create an element for code that keeps it and changes it by itself.
 * @template {Element} [T=HTMLElement]
 * @param {VNode} node
 * @returns {T}
 */
export const make = node => /** @type {T} */ (create(node));

/**
 * Return what is to be shown for `child`: the DOM node of `was`, changed as needed, or a new one.
 * @param {Kid | undefined} was
 * @param {VNode | string | Node} child
 */
function updated(was, child) {
  if (!was) return create(child);
  const { node } = was;
  if (was.child === child) return node;
  if (isVNode(child)) {
    const el = /** @type {Element} */ (node);
    patch(el, child.children);
    setAll(el, /** @type {VNode} */ (was.child).attributes, child.attributes);
  } else {
    node.nodeValue = String(child);
  }
  return node;
}

/** @param {VNode | string | Node} child */
const keyOf = child =>
  isVNode(child) ? `${child.tag} ${child.attributes.key ?? ""}` : typeof child === "object" ? child : "text";

/**
 * Put `kids` into `el` in this order. The one with the focus is never moved: the others move around it, so
 * that it keeps focus, selection and scroll.
 * @param {Element} el
 * @param {Kid[]} kids
 */
function place(el, kids) {
  const active = document.activeElement;
  const held = kids.find(({ node }) => node.parentNode === el && node.contains(active))?.node;
  let at = el.firstChild;
  for (const { node } of kids) {
    while (node === held && at && at !== held) {
      const aside = at;
      at = at.nextSibling;
      el.append(aside);
    }
    if (node === at) at = at.nextSibling;
    else el.insertBefore(node, at);
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

/**
 * Show `children`, and nothing else, in `el`. An element with the same key, or the next of its tag, stays.
 * @param {Element} el
 * @param {...Child} children
 */
export function patch(el, ...children) {
  const was = shown.get(el);
  /** @type {Map<unknown, Kid[]>} */
  const before = new Map();
  for (const kid of was ?? []) {
    if (kid.node.parentNode !== el) continue;
    const same = before.get(kid.key);
    if (same) same.push(kid);
    else before.set(kid.key, [kid]);
  }
  const kids = present(children).map(child => {
    const key = keyOf(child);
    return { key, child, node: updated(before.get(key)?.shift(), child) };
  });
  shown.set(el, kids);
  for (const gone of [...before.values()].flat()) /** @type {ChildNode} */ (gone.node).remove();
  if (!was || kids.length !== was.length || kids.some(({ node }, i) => node !== was[i].node)) place(el, kids);
}

/** The arguments of the views that `draw` has shown, as JSON. @type {WeakMap<Element, string>} */
const drawnFrom = new WeakMap();

/**
 * Show `view(...args)` in `el`, unless the same was drawn there before from equal arguments: for a view that
 * takes long, or whose elements are not to be made again.
 * @template {unknown[]} A
 * @param {Element} el
 * @param {(...args: A) => Child} view
 * @param {A} args
 */
export function draw(el, view, ...args) {
  const now = JSON.stringify(args);
  if (drawnFrom.get(el) === now) return;
  drawnFrom.set(el, now);
  patch(el, view(...args));
}
