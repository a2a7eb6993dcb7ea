import assert from "node:assert/strict";
import { test } from "node:test";

/** As much of a page as patch() asks for; it counts what is changed. */
let changes = 0;
class Fake {
  constructor(tag, text = null) {
    Object.assign(this, { kind: tag, text, attributes: {}, childNodes: [], parentNode: null });
  }
  get nodeValue() {
    return this.text;
  }
  set nodeValue(value) {
    if (value !== this.text) changes += 1;
    this.text = value;
  }
  get firstChild() {
    return this.childNodes[0] ?? null;
  }
  get nextSibling() {
    const all = this.parentNode?.childNodes ?? [];
    return all[all.indexOf(this) + 1] ?? null;
  }
  contains(other) {
    return other === this || this.childNodes.some(child => child.contains(other));
  }
  remove() {
    changes += 1;
    if (this.contains(document.activeElement)) document.activeElement = document.body;
    const all = this.parentNode?.childNodes ?? [];
    if (all.includes(this)) all.splice(all.indexOf(this), 1);
    this.parentNode = null;
  }
  insertBefore(node, before) {
    if (node.parentNode) node.remove();
    changes += 1;
    this.childNodes.splice(before ? this.childNodes.indexOf(before) : this.childNodes.length, 0, node);
    node.parentNode = this;
  }
  append(node) {
    this.insertBefore(node, null);
  }
  setAttribute(name, value) {
    changes += 1;
    this.attributes[name] = value;
  }
  removeAttribute(name) {
    changes += 1;
    delete this.attributes[name];
  }
  get textContent() {
    return this.text ?? this.childNodes.map(child => child.textContent).join("");
  }
}
globalThis.document = {
  createElement: tag => new Fake(tag),
  createElementNS: (_, tag) => new Fake(tag),
  createTextNode: text => new Fake("text", text),
  activeElement: null,
  body: new Fake("body"),
};
const { draw: drawn, h, make, patch, s } = await import("../../../companion/web/common/patch.js");

const row = name => h("li", { key: name, "data-name": name }, h("button", name));
const list = (...names) => names.map(row);
const names = el => el.childNodes.map(child => child.textContent);

/** How much drawing this changes on the page. */
function cost(draw) {
  changes = 0;
  draw();
  return changes;
}

test("an element is what its view says", () => {
  const el = make(
    h("p", { class: "a", hidden: true, title: null, id: false }, "one ", null, [["two"]], false),
  );
  assert.equal(el.kind, "p");
  assert.deepEqual(el.attributes, { class: "a", hidden: "" });
  assert.equal(el.textContent, "one two");
  assert.equal(make(s("svg", { width: 3 }, s("g"))).childNodes[0].kind, "g");
});

test("the same view again changes nothing", () => {
  const el = new Fake("ol");
  const view = () => [h("h2", {}, "Title"), ...list("a", "b", "c"), h("p", { onclick: () => 1 }, "x", "y")];
  patch(el, view());
  assert.equal(
    cost(() => patch(el, view())),
    0,
  );
});

test("only what differs is changed, and the rest stays the same elements", () => {
  const el = new Fake("p");
  const view = (n, cls) => [h("b", { class: cls }, "so many: ", String(n)), h("i", {}, "all")];
  patch(el, view(1, "few"));
  const was = [...el.childNodes];
  assert.equal(
    cost(() => patch(el, view(2, "few"))),
    1,
  );
  assert.equal(
    cost(() => patch(el, view(2, null))),
    1,
  );
  assert.deepEqual(el.childNodes, was);
  assert.equal(el.textContent, "so many: 2all");
});

test("keyed elements keep their identity in every order", () => {
  const orders = ["abcd", "dcba", "bd", "xbyd", "", "abcdexy", "a", "ba"];
  for (const from of orders) {
    for (const to of orders) {
      const el = new Fake("ol");
      patch(el, list(...from));
      const was = new Map(el.childNodes.map(child => [child.textContent, child]));
      patch(el, list(...to));
      assert.deepEqual(names(el), [...to]);
      for (const child of el.childNodes) {
        if (was.has(child.textContent)) assert.equal(child, was.get(child.textContent));
      }
    }
  }
});

test("the child with the focus is not moved: the others move around it", () => {
  const orders = ["abcd", "dcba", "bcda", "xb", "cxxb".replace("xx", "x"), "dbac"];
  for (const to of orders) {
    const el = new Fake("ol");
    patch(el, list(..."abcd"));
    const button = el.childNodes[1].childNodes[0];
    document.activeElement = button;
    patch(el, list(...to));
    assert.deepEqual(names(el), [...to]);
    assert.equal(document.activeElement, button);
  }
  document.activeElement = null;
});

test("an optional element does not change the identity of those after it", () => {
  const el = new Fake("div");
  const view = note => [note && h("p", {}, "note"), h("h2", {}, "title"), h("ul", {}, "list")];
  patch(el, view(false));
  const [title, rows] = el.childNodes;
  patch(el, view(true));
  assert.deepEqual(el.childNodes.slice(1), [title, rows]);
  patch(el, view(false));
  assert.deepEqual(el.childNodes, [title, rows]);
});

test("what was in the element before is replaced", () => {
  const el = new Fake("div");
  el.append(new Fake("p"));
  patch(el, h("b"));
  assert.deepEqual(
    el.childNodes.map(child => child.kind),
    ["b"],
  );
  el.childNodes[0].remove(); // by other code
  patch(el, h("b"));
  assert.equal(el.childNodes.length, 1);
});

test("a button sends a form only if it says so", () => {
  const types = [h("button.go", "Go"), h("button", { type: "submit" }), h("p", "Go")].map(
    node => node.attributes.type,
  );
  assert.deepEqual(types, ["button", "submit", undefined]);
});

test("the newest listener is heard, and one that is gone is not", () => {
  const el = new Fake("div");
  const heard = [];
  patch(el, h("button", { onclick: () => heard.push(1) }));
  const button = el.childNodes[0];
  patch(el, h("button", { onclick: () => heard.push(2) }));
  button.onclick();
  assert.deepEqual(heard, [2]);
  patch(el, h("button"));
  assert.equal(button.onclick, null);
});

test("a field takes a new value even after typing; an unchanged one leaves what was typed", () => {
  const el = new Fake("div");
  const view = value => h("input", { value });
  patch(el, view("a"));
  const field = el.childNodes[0];
  field.value = "typed";
  patch(el, view("a"));
  assert.equal(field.value, "typed");
  patch(el, view("b"));
  assert.equal(field.value, "b");
});

test("a DOM node is shown as it is; `made` is called once", () => {
  const el = new Fake("div");
  const own = new Fake("canvas");
  const made = [];
  const view = text => [h("p", { made: p => made.push(p) }, text), own];
  patch(el, view("a"));
  patch(el, view("b"));
  assert.deepEqual(made, [el.childNodes[0]]);
  assert.equal(el.childNodes[1], own);
});

test("a view is drawn again only from other arguments", () => {
  const el = new Fake("div");
  let calls = 0;
  const view = (texts, wide) => {
    calls += 1;
    return texts.map(text => h("p", { class: wide > 1 ? "wide" : null }, text));
  };
  drawn(el, view, ["a", "b"], 1);
  drawn(el, view, ["a", "b"], 1);
  assert.equal(calls, 1);
  drawn(el, view, ["a", "b"], 2);
  assert.equal(calls, 2);
  assert.deepEqual(names(el), ["a", "b"]);
});
