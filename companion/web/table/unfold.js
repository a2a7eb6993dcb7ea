// A race opened leaf by leaf: the order of the finish, each seat's bets, the sums of all.
import { amount, groupTable, textOf } from "../common/boards.js";
import { h, hat, picture, sign, word } from "../common/draw.js";
import { long } from "../common/panels.js";
import { stylesheet } from "../common/stylesheet.js";

export const styled = stylesheet(new URL("unfold.css", import.meta.url));

/**
 * A leaf: whose it is (null: everybody's), and what it shows.
 * @typedef {{ key: string, seat: number | null, made: () => VNode }} Leaf
 */

/**
 * The leaves of a race that was settled.
 * @param {PanelView} bets
 * @param {PanelView | undefined} sums
 * @param {View} view
 * @returns {Leaf[]}
 */
export function leaves(bets, sums, { finale, match }) {
  /** @type {Map<string, Phrase[][][]>} */
  const groups = new Map();
  for (const row of bets.rows) {
    const key = JSON.stringify(row[0]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const whose = [...groups].map(([key, rows]) => {
    const first = rows[0][0].find(p => typeof p === "object" && "seat" in p);
    const seat = /** @type {{ seat: number } | undefined} */ (first)?.seat ?? null;
    return { key, seat, made: () => groupTable(bets, rows) };
  });
  return [
    ...(finale
      ? [{ key: "order", seat: null, made: () => order(finale, match?.animal ?? "dog", match?.seats ?? []) }]
      : []),
    ...whose.filter(leaf => leaf.seat !== null),
    ...whose.filter(leaf => leaf.seat === null),
    ...(sums ? [{ key: "sums", seat: null, made: () => won(sums) }] : []),
  ];
}

/**
 * @param {Finale} finale
 * @param {string} animal
 * @param {string[]} names
 */
const order = (finale, animal, names) =>
  h(
    "ol.finishers",
    finale.order.map((one, i) =>
      h(
        "li",
        { "data-place": i + 1 },
        h("b", String(i + 1)),
        picture(animal, one.piece, 96),
        one.seat === null ? h("span") : hat(one.seat, 40),
        h("span.nm", one.seat === null ? "" : names[one.seat]),
      ),
    ),
  );

/** @param {Phrase[]} parts */
const money = parts => {
  const text = textOf(parts);
  const plus = text.startsWith("+") ? "+" : "";
  return plus + amount(text.replace("+", "").replace("−", "-"), "money");
};

/**
 * What each has won and lost, and has now.
 * @param {PanelView} panel
 */
const won = ({ rows, head }) =>
  h(
    "ul.sums",
    rows.map(([who, bets, prize, now]) => {
      const [one] = who;
      if (typeof one === "string" || !("seat" in one)) return h("li");
      return h(
        "li",
        hat(one.seat ?? 0, 44),
        h("b", { class: `nm ${long(one.text)}` }, one.text),
        h("b.n", { title: textOf(head[3]) }, money(now)),
        h(
          "p",
          h("span", textOf(head[1]), " ", h("b", money(bets))),
          h("span", textOf(head[2]), " ", h("b", money(prize))),
        ),
      );
    }),
  );

/** @type {Record<string, string>} */
const SIGNS = { order: "flag", sums: "ok" };

/**
 * Leaf number `at`, under a row of tabs; `go(i)` turns to another.
 * @param {PanelView} bets
 * @param {Leaf[]} all
 * @param {number} at
 * @param {string[]} names
 * @param {(i: number) => void} go
 */
export function unfolded(bets, all, at, names, go) {
  /** @param {Leaf} leaf */
  const called = leaf =>
    leaf.seat === null
      ? word(leaf.key === "order" ? "leaf order" : leaf.key === "sums" ? "leaf sums" : "leaf bank")
      : names[leaf.seat];
  /** @param {KeyboardEvent} event */
  const turn = event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    go((at + step + all.length) % all.length);
  };
  return h(
    "section.pbox.unfold",
    { "data-panel": bets.name, "aria-label": bets.title },
    h("h2", bets.title),
    h(
      "div.tabs",
      { role: "tablist", onkeydown: turn },
      all.map((leaf, i) =>
        h(
          "button.quiet",
          {
            key: i,
            role: "tab",
            "data-action": "leaf",
            "data-card": `leaf-${i}`,
            "aria-selected": String(i === at),
            "aria-label": called(leaf),
            title: called(leaf),
            tabindex: i === at ? 0 : -1,
            onclick: () => go(i),
          },
          leaf.seat === null
            ? SIGNS[leaf.key]
              ? sign(SIGNS[leaf.key], 28)
              : h("b", amount("", "money"))
            : hat(leaf.seat, 36),
        ),
      ),
    ),
    // one over another, so that the board is as high as its highest leaf
    h(
      "div.leaves",
      all.map((leaf, i) =>
        h(
          "div",
          { class: `leaf ${i === at ? "" : "shut"}`, role: "tabpanel", "aria-label": called(leaf) },
          leaf.made(),
        ),
      ),
    ),
  );
}
