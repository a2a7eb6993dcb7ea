// The small public tables of a game (view.panels): odds, cards on the table, order of moving, settlement.
import { every, chip, h, headed, hat, patch, word } from "./draw.js";
import { chanceOf, likely, percent } from "./odds.js";
import { pieceOf } from "./sentence.js";

/**
 * How an amount is written: `unit` is food, money or "".
 * @param {number | string} value
 * @param {string | null} unit
 */
export const amount = (value, unit) =>
  unit === "money"
    ? `${Number(value) < 0 ? "−" : ""}${word("money", { n: String(value).replace("-", "") })}`
    : String(value);

const NUMERIC = /^[+−-]?\$?\d[\d.,]*%?( × \d[\d.,]*)?$/;

/**
 * A number as a small card.
 * @param {number | string} n
 */
export const numberCard = (n, cls = "") => h("b", { class: `ncard ${cls}` }, String(n));

/**
 * @param {Phrase} p
 * @param {string} cls
 * @param {number} i
 * @param {Phrase[]} list
 */
function part(p, cls, i, list) {
  if (typeof p === "string") {
    const before = list[i - 1];
    const beside = typeof before === "object" && before.card;
    return beside && !/\d/.test(p) && p.trim().length > 1 ? h("span.note", p) : p; // no sign of a sum
  }
  if ("piece" in p) {
    return h("span.pc", { title: p.text }, chip(p.piece, 30), h("span.tx", p.text));
  }
  if ("card" in p) return numberCard(p.text, cls);
  if (p.seat !== undefined) {
    return h("span.pc", { title: p.text }, hat(p.seat, 30), h("span.tx", p.text));
  }
  return h("b", p.text);
}

/**
 * A cell; a card in brackets has not come back yet and is pale, one next to a word needs no sign.
 * @param {"td" | "th"} tag
 * @param {Phrase[]} parts
 * @param {Attributes} [attributes]
 */
function cell(tag, parts, attributes = {}) {
  const spent = parts.length === 3 && parts[0] === "(" && parts[2] === ")";
  const list = spent ? [parts[1]] : parts;
  const text = textOf(list);
  const number = list.length === 1 && !pieceOf(list[0]) && NUMERIC.test(text);
  return h(
    tag,
    { class: number ? "n" : null, ...attributes },
    list.map((p, i) => part(p, spent ? "spent" : list.length === 2 ? "noted" : "", i, list)),
  );
}

/** @param {Phrase[]} parts */
export const textOf = parts => parts.map(p => (typeof p === "string" ? p : p.text)).join("");

/**
 * What a dog's owner has on the table: nothing yet, a card face down, or its number.
 * @param {Phrase[]} parts
 * @param {string} colour
 */
function onTable(parts, colour) {
  const text = textOf(parts);
  if (NUMERIC.test(text)) return h("td", numberCard(text, colour));
  const label = text ? { role: "img", "aria-label": text, title: text } : {};
  return h("td", h("i", { class: `ncard ${text ? "down" : "slot"} ${colour}`, ...label }));
}

/**
 * What each bet's chance is, for the cells of the chart of payouts: rows are the dogs by rank, columns after
 * their names win, place and the double with each rank from the second on.
 * @param {PanelView} panel
 * @param {Tote | null} odds
 */
function chancesOf(panel, odds) {
  if (panel.name !== "odds" || !odds?.pieces.length) return null;
  const dogs = panel.rows.map(row => row[0].map(pieceOf).find(Boolean));
  /**
   * @param {number} i
   * @param {number} column
   */
  return (i, column) =>
    column < 1
      ? null
      : column < 3
        ? chanceOf(odds, column === 1 ? "win" : "place", dogs[i])
        : panel.rows[i][column].length
          ? chanceOf(odds, "double", dogs[i], dogs[column - 2])
          : null;
}

/** @param {Likely | null | undefined} chance */
const may = chance =>
  chance &&
  h("small.may", { title: likely(chance), "aria-label": likely(chance), role: "img" }, percent(chance.p));

/**
 * A bet's name without the word between its two dogs.
 * @param {Phrase[]} parts
 */
const bet = parts =>
  parts.filter((p, i) => !(typeof p === "string" && pieceOf(parts[i - 1]) && pieceOf(parts[i + 1])));

/**
 * The rows that begin with the same cell, under that cell.
 * @param {PanelView} panel
 */
function groups(panel) {
  /** @type {Map<string, Phrase[][][]>} */
  const of = new Map();
  for (const row of panel.rows) {
    const key = JSON.stringify(row[0]);
    of.set(key, [...(of.get(key) ?? []), row]);
  }
  return h("div.groups", ...[...of.values()].map(rows => groupTable(panel, rows)));
}

/**
 * Rows of a panel that begin with the same cell, as a table under that cell.
 * @param {PanelView} panel
 * @param {Phrase[][][]} rows
 */
export const groupTable = (panel, rows) =>
  h(
    "table",
    headed(
      [
        cell("th", rows[0][0], { scope: "col" }),
        panel.head
          .slice(2)
          .map((parts, i) =>
            rows.some(row => row[i + 2].length) ? cell("th", parts, { scope: "col" }) : h("td"),
          ),
      ],
      rows.map(row =>
        h(
          "tr",
          row.slice(1).map((parts, i) => cell(i ? "td" : "th", bet(parts), i ? {} : { scope: "row" })),
        ),
      ),
    ),
  );

/**
 * @param {PanelView} panel
 * @param {string} tag
 */
const headline = (panel, tag) => h("h2", h("span", panel.title), tag && h("em.placeholder", tag));

/**
 * A panel as a table. `tag`: a note next to its title; `odds`: the chance of what each cell pays for.
 * @param {PanelView} panel
 * @param {Tote | null} [odds]
 */
export function panelTable(panel, tag = "", odds = null) {
  if (panel.grouped) {
    return h(
      "section.pbox",
      { key: panel.name, "data-panel": panel.name, "aria-label": panel.title },
      headline(panel, tag),
      groups(panel),
    );
  }
  const chance = chancesOf(panel, odds);
  return h(
    "section.pbox",
    {
      key: panel.name,
      "data-panel": panel.name,
      "data-chances": chance ? "" : null,
      "aria-label": panel.title,
      "data-named": panel.head.length > 3 ? "" : null,
    },
    headline(panel, tag),
    chance &&
      h("details.fair", h("summary", { "aria-label": word("bet fair") }, "?"), h("p", word("bet fair"))),
    h(
      "table",
      panel.head.length > 0 &&
        h(
          "thead",
          panel.over.length > 0 &&
            h(
              "tr.over",
              panel.over.map(({ cell: parts, columns }) =>
                cell(parts.length ? "th" : "td", parts, { colspan: columns }),
              ),
            ),
          h(
            "tr",
            panel.head.map((parts, i) =>
              chance && i === 0 && !parts.length
                ? h("td.pays", word("bet pays"), h("small.may", word("bet chance")))
                : cell(parts.length ? "th" : "td", parts, parts.length ? { scope: "col" } : {}),
            ),
          ),
        ),
      h(
        "tbody",
        panel.rows.map((row, n) =>
          h(
            "tr",
            row.map((parts, i) => {
              if (panel.name === "table" && i === 1) {
                return onTable(parts, row[0].map(pieceOf).find(Boolean) ?? "");
              }
              const made = cell(
                i || !parts.length ? "td" : "th",
                parts,
                i || !parts.length ? {} : { scope: "row" },
              );
              return { ...made, children: [...made.children, chance && may(chance(n, i))] };
            }),
          ),
        ),
      ),
    ),
  );
}

/**
 * Whether a panel stands on data that the owner has not entered yet.
 * @param {Pick<View, "course">} view
 * @param {PanelView} panel
 */
export const tagOf = (view, panel) =>
  view.course?.placeholder && panel.name === "odds" ? word("placeholder") : "";

/**
 * @param {HTMLElement} el
 * @param {string} what
 * @param {boolean} on
 */
const unseen = (el, what, on) => every(what, el).forEach(text => text.classList.toggle("sr", on));

/**
 * Tables that are too wide for their place, or have rows of two lines, show pieces and seats without names,
 * then with less between them, then without notes.
 * @param {HTMLElement} box
 */
export function fit(box) {
  for (const table of /** @type {HTMLTableElement[]} */ (every(".pbox > table", box))) {
    const el = /** @type {HTMLElement} */ (table.parentElement);
    const rows = [...table.tBodies[0].rows];
    const wide = () => table.offsetWidth > el.clientWidth - 20;
    const tall = () =>
      Math.max(...rows.map(row => row.offsetHeight)) > 1.3 * Math.min(...rows.map(row => row.offsetHeight)) ||
      rows[0]?.offsetHeight > 49;
    el.classList.remove("tight", "tighter", "tightest");
    unseen(el, ".tx, .note", false);
    for (const [step, what] of [
      ["tight", ".tx"],
      ["tighter", ".tx"],
      ["tightest", ".tx, .note"],
    ]) {
      if (wide() || tall()) {
        el.classList.add(step);
        unseen(el, what, true);
      }
    }
  }
}

/**
 * Show these panels, one under another.
 * @param {Shown} view
 * @param {PanelView[]} list
 * @param {HTMLElement} el
 */
export const panelList = (view, list, el) =>
  patch(el, ...list.map(p => panelTable(p, tagOf(view, p), view.odds)));
