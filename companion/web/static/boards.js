// The small public tables of a game (view.panels): odds, cards on the table, order of moving, settlement.
import { chip, h, hat, render, word } from "./draw.js";

/** How an amount is written: `unit` is food, money or "". */
export const amount = (value, unit) => unit === "money" ? `${value < 0 ? "−" : ""}$${Math.abs(value)}` : String(value);

const NUMERIC = /^[+−-]?\$?\d[\d.,]*%?$/;

/** A number as a small card. */
export const numberCard = (n, cls = "") => h("b", { class: `ncard ${cls}` }, String(n));

function part(p, cls, i, list) {
  if (typeof p === "string") return list[i - 1]?.card && !p.includes(" ", 1) ? h("span", { class: "note" }, p) : p;
  if ("piece" in p) return h("span", { class: "pc", title: p.text }, chip(p.piece, 30), h("span", { class: "tx" }, p.text));
  if ("card" in p) return numberCard(p.text, cls);
  if ("seat" in p) return h("span", { class: "pc", title: p.text }, hat(p.seat, 30), h("span", { class: "tx" }, p.text));
  return h("b", {}, p.text);
}

/** A cell; a card in brackets has not come back yet and is drawn pale, one with a word beside it may do without. */
function cell(tag, parts, attributes = {}) {
  const spent = parts.length === 3 && parts[0] === "(" && parts[2] === ")", list = spent ? [parts[1]] : parts;
  const text = list.map(p => typeof p === "string" ? p : p.text).join("");
  const number = list.length === 1 && !list[0].piece && NUMERIC.test(text);
  return h(tag, { class: number ? "n" : null, ...attributes }, list.map((p, i) => part(p, spent ? "spent" : list.length === 2 ? "noted" : "", i, list)));
}

/** A panel as a table. `tag`: what is said beside its title. */
export function panelTable(panel, tag = "") {
  return h("section", { class: "pbox", "data-panel": panel.name, "aria-label": panel.title, "data-named": panel.head.length > 3 ? "" : null },
    h("h2", {}, h("span", {}, panel.title), tag && h("em", { class: "placeholder" }, tag)),
    h("table", {},
      panel.head.length > 0 && h("thead", {}, h("tr", {}, panel.head.map(parts => cell(parts.length ? "th" : "td", parts, parts.length ? { scope: "col" } : {})))),
      h("tbody", {}, panel.rows.map(row => h("tr", {}, row.map((parts, i) => cell(i || !parts.length ? "td" : "th", parts, i || !parts.length ? {} : { scope: "row" }))),
      ))));
}

/** Whether a panel stands on data that the owner has not entered yet. */
export const tagOf = (view, panel) => view.course?.placeholder && panel.name === "odds" ? word("placeholder") : "";

const unseen = (el, what, on) => el.querySelectorAll(what).forEach(text => text.classList.toggle("sr", on));

/** Tables that are too wide for their place, or have rows of two lines, show pieces and seats without names, then
    with less between them, then without notes. */
export function fit(box) {
  for (const el of box.querySelectorAll(".pbox")) {
    const table = el.querySelector("table"), rows = [...table.tBodies[0].rows];
    const wide = () => table.offsetWidth > el.clientWidth - 20;
    const tall = () => Math.max(...rows.map(row => row.offsetHeight)) > 1.3 * Math.min(...rows.map(row => row.offsetHeight)) || rows[0]?.offsetHeight > 49;
    el.classList.remove("tight", "tighter", "tightest");
    unseen(el, ".tx, .note", false);
    for (const [step, what] of [["tight", ".tx"], ["tighter", ".tx"], ["tightest", ".tx, .note"]]) if (wide() || tall()) { el.classList.add(step); unseen(el, what, true); }
  }
}

/** These panels, one under another. */
export const panelList = (view, list, el) => render(el, [list, view.course?.placeholder, view.match?.colours], () => list.map(p => panelTable(p, tagOf(view, p))));
