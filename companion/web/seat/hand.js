// What a seat knows and may decide, as big buttons: cards, spaces, orders, sets, numbers, a bet slip.
import { amount } from "../common/boards.js";
import { chip, h, labelled, parts, picture, word } from "../common/draw.js";
import { at, inOrder, sortable, sorter } from "./hand-order.js";
import { betOf, handedIn, paid, paidWith, stepOf, total, wins, withDog } from "./slip.js";
import { placed } from "../common/lists.js";
import { ordering } from "../common/ordering.js";
import { capital, plain } from "../common/sentence.js";

/** @param {number | string} n */
const money = n => amount(n, "money");
/** @param {Pay | undefined} pay */
const pays = pay => (pay ? `×${pay.odds}` : "");

/**
 * What is drawn on a card: an animal, or a number.
 * @param {CardView} card
 * @param {string} animal
 */
const face = (card, animal) => (card.piece ? picture(animal, card.piece, 70) : h("b", card.text));

/**
 * What a card is called: how many of it there are, what it would bring.
 * @param {CardChoice} card
 */
function called({ text, count, brings }) {
  const name = count > 1 ? `${text}, ${word("times", { n: count })}` : text;
  return brings ? labelled(name, plain(brings)) : name;
}

/** @param {(string | number)[]} cards */
const sum = cards => cards.reduce((all, card) => Number(all) + Number(card), 0);

/**
 * The cards of a set, and their sum.
 * @param {string[]} cards
 */
const set = cards => [...cards.map(n => h("b", n)), h("span.sum", `= ${sum(cards)}`)];

/**
 * What may be left undone and soon cannot be done any more comes first.
 * @param {DecisionForm[]} ways
 */
export const sorted = ways => [...ways].sort((a, b) => Number(a.due) - Number(b.due));

/**
 * What is chosen so far: in which way, one of its choices, things in order or a set of them, or bets.
 * @typedef {{ way: string, at: number | null, list: (string | number)[], sheet: Sheet }} Chosen
 */

/** @returns {Chosen} */
const nothing = () => ({ way: "", at: null, list: [], sheet: {} });

/** What is chosen, until it is sent or forgotten. `changed` is called after every tap. */
export class Choosing {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.animal = "pig";
    this.colour = "";
    this.key = "";
    this.begun = nothing();
  }

  forget() {
    this.begun = nothing();
  }

  /**
   * @param {DecisionForm} way
   * @param {Partial<Chosen>} values
   */
  set(way, values) {
    if (this.begun.way !== way.do) this.forget();
    Object.assign(this.begun, values, { way: way.do });
    this.changed();
  }

  /**
   * Forget what was begun if it cannot be chosen any longer.
   * @param {DecisionForm[]} ways
   */
  keep(ways) {
    const key = JSON.stringify(ways);
    if (key !== this.key) this.forget();
    this.key = key;
  }

  /**
   * The record line that is chosen and what the button says of it; null while nothing is whole.
   * @param {DecisionForm[]} ways
   */
  chosen(ways) {
    const way = ways.find(w => w.do === this.begun.way);
    if (!way) return null;
    const one = this.begun.at !== null && "choices" in way && way.choices[this.begun.at];
    if (one) {
      const what = "text" in one ? one.text : "";
      return {
        line: one.line,
        text: !what ? word("ok") : way.due ? word("choose", { what }) : labelled(capital(way.title), what),
      };
    }
    /** @param {unknown} value */
    const whole = value => ({
      line: { ...way.line, [way.key]: value },
      text: way.kind === "bets" ? word("hand in") : word("ok"),
    });
    if (way.kind === "order" && this.begun.list.length === way.pieces.length) return whole(this.begun.list);
    if (way.kind === "numbers" && this.begun.list.length === way.needed) {
      return whole(this.begun.list.map(Number).sort((a, b) => a - b));
    }
    if (way.kind !== "bets") return null;
    const bets = handedIn(way, this.begun.sheet);
    return bets && whole(bets);
  }

  /**
   * What is still missing, for the button that cannot be pressed yet.
   * @param {DecisionForm[]} ways
   */
  missing(ways) {
    const way = ways.find(w => w.do === this.begun.way) ?? ways.find(w => w.due) ?? ways[0];
    if (!way) return word("first look");
    if (way.kind === "numbers") return word("how many", { n: this.begun.list.length, of: way.needed });
    return word(`first ${way.kind}`);
  }

  /**
   * Something to decide, with its title.
   * @param {DecisionForm} way
   */
  draw(way) {
    return h(
      "section",
      { key: way.do, class: `way is-${way.kind}`, "data-way": way.do, "aria-label": way.title },
      h("h2", { class: way.kind === "bets" ? "sr" : null }, way.title), // a slip is seen to be one
      ...this.drawn(way),
    );
  }

  /**
   * @param {DecisionForm} way
   * @returns {Child[]}
   */
  drawn(way) {
    if (way.kind === "order") return this.order(way);
    if (way.kind === "numbers") return this.numbers(way);
    if (way.kind === "bets") return this.bets(way);
    if (way.kind === "cards") return this.cards(way);
    return way.kind === "spaces" ? [this.spaces(way)] : [this.sets(way)];
  }

  /**
   * @param {DecisionForm} way
   * @param {string | number} which
   * @param {boolean | null} on
   * @param {string} label
   * @param {Attributes} attributes
   * @param {...Child} inside
   */
  button(way, which, on, label, attributes, ...inside) {
    return h(
      "button",
      {
        key: which,
        "data-at": `${way.do}:${which}`,
        "aria-pressed": on === null ? null : String(on),
        "aria-label": label,
        ...attributes,
      },
      ...inside.flat(9),
    );
  }

  /** @param {CardForm} way */
  cards(way) {
    const several = way.choices.length > 1;
    return [
      way.note && h("p.soft", way.note),
      h(
        "div",
        {
          class: `owncards ${way.note ? "tell" : ""}`,
          ...(several ? sortable(way.choices, this.changed) : {}),
        },
        inOrder(way.choices).map(({ card: c, i }, place) =>
          this.button(
            way,
            i,
            this.begun.way === way.do && this.begun.at === i,
            called(c),
            {
              class: `owncard ${c.piece ?? this.colour}`,
              "data-choice": c.text,
              ...at(place, c),
              onclick: () => this.set(way, { at: i }),
            },
            face(c, this.animal),
            c.count > 1 && h("i.count", `×${c.count}`),
            c.brings && h("span.brings", parts(c.brings)),
          ),
        ),
      ),
      several && sorter(way.choices, this.changed),
    ];
  }

  /** @param {SpaceForm} way */
  spaces(way) {
    if (way.choices.length > 40) {
      return h(
        "select",
        {
          "data-at": `${way.do}:all`,
          "aria-label": way.title,
          onchange: e => this.set(way, { at: e.currentTarget.value === "" ? null : +e.currentTarget.value }),
        },
        h("option", { value: "" }, "…"),
        way.choices.map((c, i) =>
          h("option", { value: i, selected: this.begun.way === way.do && this.begun.at === i }, c.text),
        ),
      );
    }
    return h(
      "div.ownnumbers",
      way.choices.map((c, i) =>
        this.button(
          way,
          i,
          this.begun.way === way.do && this.begun.at === i,
          word("space", { n: c.text }),
          { "data-choice": c.text, onclick: () => this.set(way, { at: i }) },
          c.text,
        ),
      ),
    );
  }

  /** @param {SetForm} way */
  sets(way) {
    return h(
      "div.ownsets",
      way.choices.map((c, i) =>
        this.button(
          way,
          i,
          this.begun.way === way.do && this.begun.at === i,
          labelled(c.cards.join(", "), word("sum", { n: sum(c.cards) })),
          { class: "ownset", "data-choice": c.cards.join(" "), onclick: () => this.set(way, { at: i }) },
          set(c.cards),
        ),
      ),
    );
  }

  /**
   * Pieces in a row: tapped one by one, or dragged; a second tap takes one out again.
   * @param {OrderForm} way
   */
  order(way) {
    const named = new Map(way.pieces.map(p => [p.piece, p.text]));
    const list = this.begun.way === way.do ? this.begun.list.map(String) : [];
    const left = [...named.keys()].filter(p => !list.includes(p));
    const row = [...list, ...left];
    /** @param {string[]} now */
    const put = now => this.set(way, { list: now });
    /** @param {string} piece */
    const next = piece => [...list, piece, ...(left.length === 2 ? left.filter(p => p !== piece) : [])];
    const box = h(
      "div.ownorder",
      { ...ordering((from, to) => put(placed(row, from, to))) },
      row.map((piece, place) => {
        const text = named.get(piece) ?? "";
        const nth = list.includes(piece) && place + 1;
        return this.button(
          way,
          piece,
          null,
          nth ? `${nth}. ${text}` : text,
          {
            class: `owncard ${piece}`,
            "data-choice": piece,
            ...at(place, { text }),
            onclick: () => put(nth ? list.filter(p => p !== piece) : next(piece)),
          },
          picture(this.animal, piece, 62),
          nth && h("span.nth", String(nth)),
        );
      }),
    );
    return [h("p.soft", word(left.length ? `hint ${way.do}` : "line-up ready") || word("front first")), box];
  }

  /** @param {NumbersForm} way */
  numbers(way) {
    const list = this.begun.way === way.do ? this.begun.list : [];
    const full = list.length === way.needed;
    return [
      h(
        "p.soft",
        { role: "status" },
        word("how many", { n: list.length, of: way.needed }),
        list.length > 0 && ` · ${word("sum", { n: sum(list) })}`,
      ),
      h(
        "div.ownnumbers",
        way.numbers.map(n =>
          this.button(
            way,
            n,
            list.includes(n),
            String(n),
            {
              disabled: full && !list.includes(n),
              "data-choice": n,
              onclick: () =>
                this.set(way, { list: list.includes(n) ? list.filter(m => m !== n) : [...list, n] }),
            },
            String(n),
          ),
        ),
      ),
    ];
  }

  // --- the bet slip -----------------------------------------------------------------------------

  /** @param {BetSlip} way */
  bets(way) {
    const staked = total(this.begun.sheet);
    const named = way.dogs.filter(d => d.named);
    return [
      named.length > 0 &&
        h("ul.legend", ...named.map(d => h("li", chip(d.piece, 26), h("b", String(d.rank)), d.text))),
      way.kinds.map(kind => this.bet(way, kind)),
      h(
        "p.total",
        { "data-total": staked },
        word("together"),
        h("b", { class: staked && (staked < way.least || staked > way.most) ? "loss" : "" }, money(staked)),
        h("span.soft", word("limits", { low: money(way.least), high: money(way.most) })),
      ),
    ];
  }

  /**
   * @param {BetSlip} way
   * @param {BetKind} kind
   */
  bet(way, kind) {
    const bet = betOf(this.begun.sheet, kind);
    /** @param {Partial<Bet>} values */
    const put = values =>
      this.set(way, { sheet: { ...this.begun.sheet, [kind.kind]: { ...bet, ...values } } });
    return h(
      "div.bet",
      { key: kind.kind, "data-bet": kind.kind, role: "group", "aria-label": kind.title },
      h(
        "div.betof",
        h("h3", kind.title),
        h("span", { class: bet.stake ? "pay" : "soft" }, this.pays(way, kind, bet)),
      ),
      h(
        "div.dogs",
        way.dogs.map(d =>
          this.button(
            way,
            `${kind.kind}-${d.piece}`,
            bet.dogs.includes(d.piece),
            word("bet on", { kind: kind.title, name: d.text, n: d.rank }),
            { "data-dog": d.piece, onclick: () => put(withDog(way, this.begun.sheet, kind, d.piece)) },
            h("span", chip(d.piece, 30), h("b", String(d.rank))),
            h("small", pays(paidWith(way, kind, d.piece, bet.dogs))),
          ),
        ),
      ),
      this.stake(way, kind, bet, put),
    );
  }

  /**
   * The stake, with less and more.
   * @param {BetSlip} way
   * @param {BetKind} kind
   * @param {Bet} bet
   * @param {(values: Partial<Bet>) => void} put
   */
  stake(way, kind, bet, put) {
    const step = stepOf(way);
    const less = Math.max(0, bet.stake - step);
    const more = bet.stake + step;
    return h(
      "div.stake",
      this.button(
        way,
        `${kind.kind}-less`,
        null,
        word("stake less", { kind: kind.title }),
        {
          "data-stake": "less",
          disabled: !bet.stake,
          onclick: () => put({ stake: less, dogs: less ? bet.dogs : [] }),
        },
        "−",
      ),
      step === way.step
        ? h("b", { "data-amount": bet.stake }, money(bet.stake))
        : h("input", {
            type: "number",
            inputmode: "numeric",
            "data-at": `${way.do}:${kind.kind}-stake`,
            "aria-label": kind.title,
            min: 0,
            max: way.most,
            step: way.step,
            value: bet.stake,
            onchange: ({ currentTarget: field }) => {
              const stake = Math.max(0, Math.floor(+field.value) || 0);
              field.value = String(stake);
              put({ stake });
            },
          }),
      this.button(
        way,
        `${kind.kind}-more`,
        null,
        word("stake more", { kind: kind.title }),
        { "data-stake": "more", disabled: more > way.most, onclick: () => put({ stake: more }) },
        "+",
      ),
    );
  }

  /**
   * @param {BetSlip} way
   * @param {BetKind} kind
   * @param {Bet} bet
   */
  pays(way, kind, bet) {
    if (!bet.stake) return kind.means;
    const pay = paid(way, kind, bet.dogs);
    if (!pay) return word(kind.dogs > 1 ? "choose dogs" : "choose dog");
    return [`${word("pays n", { n: pay.odds })} → `, h("b.gain", money(wins(pay, bet.stake)))];
  }
}

/**
 * What the seat knows: cards, sets, bets.
 * @param {Known} known
 */
export function fact(known, colour = "", animal = "pig") {
  /** @param {CardView} c */
  const card = c =>
    h("span", { class: `owncard ${c.piece ?? colour}`, role: "img", "aria-label": c.text }, face(c, animal));
  return h(
    "section.way",
    { key: known.key, "data-known": known.key },
    h("h2", known.title),
    known.cards && h("div.owncards", ...inOrder(known.cards).map(one => card(one.card))),
    known.sets && h("div.ownsets", ...known.sets.map(cards => h("div.ownset", set(cards)))),
    known.bets &&
      h(
        "ul.betlist",
        known.bets.map(b =>
          h(
            "li",
            h("b", b.title),
            b.dogs.flatMap(d => [chip(d.piece, 30), h("span", d.text)]),
            h("b.amount", money(b.stake)),
          ),
        ),
      ),
  );
}
