// What is not sensed is tapped: whose decision, then which card, space, order or set.
import { numberCard } from "../common/boards.js";
import { chip, h, hat, patch, picture, sign, withAttributes, word } from "../common/draw.js";
import { long } from "../common/panels.js";
import { placed } from "../common/lists.js";
import { press, send } from "../common/send.js";

/** @param {unknown} value */
const none = value => value === null || value === undefined;
const CARDS = Array.from({ length: 20 }, (_, i) => i + 1);

/** @param {Tap} tap */
const choicesOf = tap => tap.choices ?? [];
/** @param {Tap | null} tap */
const piecesOf = tap => tap?.pieces ?? [];

/**
 * How a decision is tapped: pieces in order, a set of cards, a space, a piece's card, a number, or words.
 * @typedef {"order" | "set" | "space" | "piece" | "number" | "text"} Manner
 */

/**
 * @param {Tap} tap
 * @returns {Manner}
 */
function manner(tap) {
  if (tap.pieces) return "order";
  if (tap.needed) return "set";
  const choices = choicesOf(tap);
  /** @param {(choice: TapChoice) => unknown} test */
  const all = test => choices.length > 0 && choices.every(test);
  return all(c => !none(c.space))
    ? "space"
    : all(c => c.piece)
      ? "piece"
      : all(c => c.label.length < 4)
        ? "number"
        : "text";
}

/**
 * @template T
 * @param {T[]} list
 */
const shuffled = list =>
  list
    .map(one => ({ one, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);

/**
 * @param {string} action
 * @param {Attributes} attributes
 * @param {...Child} children
 */
const button = (action, attributes, ...children) =>
  h(
    "button",
    {
      key: `${action} ${attributes["data-card"] ?? attributes["data-seat"] ?? ""}`,
      "data-action": action,
      ...attributes,
    },
    ...children,
  );
/**
 * @param {string} label
 * @param {...Child} children
 */
const group = (label, ...children) =>
  h("div.cards", { role: "group", "aria-label": word(label) }, ...children);

/**
 * What is half tapped: of which kind of decision, whose, the pieces in order, the cards of a set, whether a
 * line-up on the table is tapped all the same, and whether the cards to choose from are put away.
 * @typedef {{ due: string | null, whose: number | null, lined: string[], picked: number[], byTap: boolean,
 *   shut: boolean }} Begun
 */

/** @returns {Begun} */
const nothing = () => ({ due: null, whose: null, lined: [], picked: [], byTap: false, shut: false });

export class Taps {
  /**
   * `refresh` draws the page again.
   * @param {HTMLElement} dock
   * @param {() => void} refresh
   */
  constructor(dock, refresh) {
    this.dock = dock;
    this.refresh = refresh;
    /** @type {View | null} */
    this.view = null;
    /** @type {Tap | null} */
    this.tap = null;
    this.begun = nothing();
    /** What is laid at random until no more of it is due, and since which entry.
     * @type {{ do: string, seq: number } | null} */
    this.scattering = null;
  }

  /** Nothing is half tapped any more. */
  forget() {
    this.begun = nothing();
  }

  /** @param {Partial<Begun>} values */
  change(values) {
    Object.assign(this.begun, values);
    this.refresh();
  }

  /**
   * @param {Element} el
   * @param {Line} line
   */
  async decide(el, line) {
    const { ok } = await press(el, "api/decide", { seq: this.view?.seq, decision: line });
    if (!ok) return;
    this.forget();
    this.refresh();
  }

  /**
   * Draw the dock; return the track's offers (`extra`), and the cards to choose a set from (`picker`).
   * @param {View} view
   */
  draw(view) {
    this.view = view;
    const { taps = [], confirm } = view.actions;
    if ((taps[0]?.do ?? null) !== this.begun.due) {
      this.forget();
      this.begun.due = taps[0]?.do ?? null;
    }
    const tap = taps.length === 1 ? taps[0] : (taps.find(t => t.seat === this.begun.whose) ?? null);
    const how = tap && manner(tap);
    this.tidy(tap, how, confirm);
    this.scatter(tap, view.seq);
    const gathered = (view.gathered || []).filter(g => !tap || g.seat === tap.seat);
    this.tap = tap;
    patch(this.dock, this.shown(taps, tap, how, gathered));
    return {
      extra: this.extra(tap, how),
      picker: tap && how === "set" && !this.begun.shut ? this.picker(tap) : null,
    };
  }

  /**
   * Forget what was begun in another manner, or cannot be chosen any more.
   * @param {Tap | null} tap
   * @param {Manner | null} how
   * @param {object | null} confirm
   */
  tidy(tap, how, confirm) {
    if (how !== "order" || this.begun.lined.some(p => !piecesOf(tap).includes(p))) this.begun.lined = [];
    if (how !== "set") this.begun.picked = [];
    if (!confirm) this.begun.byTap = false;
  }

  /**
   * What the dock shows: the player, the cards to confirm, then what is tapped.
   * @param {Tap[]} taps
   * @param {Tap | null} tap
   * @param {Manner | null} how
   * @param {GatheredView[]} gathered
   */
  shown(taps, tap, how, gathered) {
    const confirm = this.view?.actions.confirm;
    const asksToConfirm = confirm && !this.begun.lined.length && !this.begun.byTap;
    const several = taps.length > 1;
    return [
      tap && !none(tap.seat) && this.who(tap, several),
      asksToConfirm && this.confirm(confirm),
      asksToConfirm &&
        how === "order" &&
        button("by-tap", { class: "quiet", onclick: () => this.change({ byTap: true }) }, word("by tap")),
      !tap && several && this.seats(taps),
      gathered.map(g => this.gathered(g, !tap)),
      tap && how && !(asksToConfirm && how === "order") && this[how](tap),
    ]
      .flat(3)
      .filter(Boolean);
  }

  /** @param {ConfirmPress} confirm */
  confirm({ text, order }) {
    return button(
      "confirm",
      { class: "go", onclick: e => press(e.currentTarget, "api/confirm", { seq: this.view?.seq, order }) },
      sign("ok", 30),
      h("span", text),
    );
  }

  /**
   * A set that is being shown card by card.
   * @param {GatheredView} g
   * @param {boolean} named
   */
  gathered(g, named) {
    return h(
      "span.gathered",
      { "data-gathered": g.seat },
      named ? hat(g.seat, 40) : null,
      h("span.row", ...g.numbers.map(n => numberCard(n))),
      h("b", word("of", { n: g.numbers.length, of: g.needed })),
    );
  }

  /**
   * @param {Tap} tap
   * @param {boolean} several
   */
  who(tap, several) {
    const name = h("b", { class: long(tap.name), title: tap.name }, tap.name);
    if (!several) return h("span.due", hat(tap.seat, 52), name);
    return button(
      "other-seat",
      {
        class: "due quiet",
        "aria-label": word("other seat", { name: tap.name }),
        onclick: () => this.change({ whose: null, picked: [], shut: false }),
      },
      sign("undo", 22),
      hat(tap.seat, 44),
      name,
    );
  }

  /** @param {Tap[]} taps */
  seats(taps) {
    return group(
      "whose",
      taps.map(t =>
        button(
          "seat",
          {
            class: "seatbtn",
            "data-seat": t.seat,
            title: t.name,
            "aria-label": t.name,
            onclick: () => this.change({ whose: t.seat, picked: [], shut: false }),
          },
          hat(t.seat, 46),
          h("b", { class: long(t.name) }, t.name),
        ),
      ),
    );
  }

  /**
   * Random cards are laid one by one, each after the page has seen the one before.
   * @param {Tap | null} tap
   * @param {number} seq
   */
  async scatter(tap, seq) {
    const begun = this.scattering;
    if (!begun || seq <= begun.seq) return;
    if (tap?.do !== begun.do) {
      this.scattering = null;
      return;
    }
    begun.seq = seq;
    const [one] = shuffled(choicesOf(tap));
    const { ok } = await send("api/decide", { seq, decision: one.line });
    if (!ok) this.scattering = null;
  }

  /** @param {Tap} tap */
  space(tap) {
    const hint = [
      h("p.hint", word(`tap ${tap.do}`) || word("tap a space")),
      button(
        `${tap.do}-any`,
        {
          class: "quiet",
          "aria-label": word("rest at random"),
          title: word("rest at random"),
          onclick: () => {
            this.scattering = { do: tap.do, seq: -1 };
            this.scatter(tap, this.view?.seq ?? 0);
          },
        },
        sign("dice", 32),
      ),
    ];
    if ((this.view?.course?.spaces ?? 0) <= 60) return hint;
    return [
      ...hint,
      h(
        "select",
        {
          "aria-label": word(`tap ${tap.do}`) || word("tap a space"),
          onchange: e => this.decide(e.currentTarget, choicesOf(tap)[Number(e.currentTarget.value)].line),
        },
        h("option", { value: "" }, "…"),
        choicesOf(tap).map((c, i) => h("option", { value: i }, c.label)),
      ),
    ];
  }

  /**
   * @param {Tap} tap
   * @param {TapChoice} c
   * @param {Attributes} attributes
   * @param {...Child} children
   */
  card(tap, c, attributes, ...children) {
    return button(
      tap.do,
      {
        "data-card": c.piece ?? c.label,
        title: c.label,
        "aria-label": c.label,
        onclick: e => this.decide(e.currentTarget, c.line),
        ...attributes,
      },
      ...children,
    );
  }

  /** @param {Tap} tap */
  piece(tap) {
    return group(
      "play a card",
      choicesOf(tap).map(c => this.card(tap, c, { class: `cardbtn ${c.piece}` }, chip(c.piece, 46))),
    );
  }

  /** @param {Tap} tap */
  number(tap) {
    const colour = this.view?.match?.colours[tap.seat] ?? "";
    return group(
      "play a card",
      choicesOf(tap).map(c => this.card(tap, c, { class: `cardbtn nr ${colour}` }, c.label)),
    );
  }

  /** @param {Tap} tap */
  text(tap) {
    return h("div.cards", ...choicesOf(tap).map(c => this.card(tap, c, {}, c.label)));
  }

  /** The pieces that have no place in the row yet. */
  missing() {
    return piecesOf(this.tap).filter(p => !this.begun.lined.includes(p));
  }

  /**
   * Let the pieces in this row be dragged, once that part is loaded.
   * @param {HTMLElement} row
   */
  async movable(row) {
    const { ordering } = await import("../common/ordering.js");
    const moving = ordering((from, to) =>
      this.change({ lined: placed([...this.begun.lined, ...this.missing()], from, to) }),
    );
    Object.assign(row, moving);
  }

  /**
   * All the pieces in a row: tapped one after the other, dragged, or shuffled.
   * @param {Tap} tap
   */
  order(tap) {
    const left = this.missing();
    const animal = this.view?.match?.animal ?? "pig";
    /** @param {string} p */
    const name = p => tap.labels?.[piecesOf(tap).indexOf(p)] ?? p;
    /** @param {string} p */
    const next = p =>
      this.change({
        lined: [
          ...this.begun.lined,
          p,
          ...(this.missing().length === 2 ? this.missing().filter(q => q !== p) : []),
        ],
      });
    const back = () => this.change({ lined: this.begun.lined.slice(0, -1) });
    /** @param {string} p */
    const tapped = p =>
      this.begun.lined.includes(p) ? this.change({ lined: this.begun.lined.filter(q => q !== p) }) : next(p);
    const row = group(
      `hint ${tap.do}`,
      [...this.begun.lined, ...left].map((p, i) =>
        button(
          tap.do,
          {
            class: `cardbtn wide ${p}`,
            "data-card": p,
            "data-place": i,
            "data-called": name(p),
            "aria-label": this.begun.lined.includes(p) ? `${i + 1}. ${name(p)}` : name(p),
            title: name(p),
            onclick: () => tapped(p),
          },
          picture(animal, p, 76),
          this.begun.lined.includes(p) && h("b.nth", String(i + 1)),
        ),
      ),
    );
    return [
      h("p.hint", word(left.length ? `hint ${tap.do}` : "line-up ready") || word("front first")),
      withAttributes(row, { key: "row", made: el => this.movable(el) }),
      this.begun.lined.length > 0 &&
        left.length > 0 &&
        button(
          `${tap.do}-back`,
          { class: "quiet", "aria-label": word("one back"), onclick: back },
          sign("undo", 28),
        ),
      button(
        `${tap.do}-any`,
        {
          class: "quiet",
          "aria-label": word("at random"),
          title: word("at random"),
          onclick: () => this.change({ lined: shuffled(piecesOf(tap)) }),
        },
        sign("dice", 32),
      ),
      !left.length &&
        button(
          `${tap.do}-ok`,
          {
            class: "go",
            onclick: e => this.decide(e.currentTarget, { ...tap.line, [tap.key]: [...this.begun.lined] }),
          },
          sign("ok", 30),
          h("span", word("ok")),
        ),
    ];
  }

  /** @param {Tap} tap */
  set(tap) {
    return (
      this.begun.shut &&
      button(
        "open-set",
        { class: "go", onclick: () => this.change({ shut: false }) },
        word("set of", { n: tap.needed }),
      )
    );
  }

  /**
   * All the cards there are, to choose a set from.
   * @param {Tap} tap
   */
  picker(tap) {
    const { picked } = this.begun;
    const needed = tap.needed ?? 0;
    const full = picked.length === needed;
    const colour = this.view?.match?.colours[tap.seat] ?? "";
    /** @param {number} n */
    const toggle = n => {
      // two thumbs are faster than a frame
      if (this.begun.picked.includes(n)) this.change({ picked: this.begun.picked.filter(m => m !== n) });
      else if (this.begun.picked.length < needed) this.change({ picked: [...this.begun.picked, n] });
    };
    return h(
      "div.picker",
      { "data-picker": tap.seat },
      h(
        "div.pickhead",
        hat(tap.seat, 44),
        h("h2", tap.name),
        h(
          "b.count",
          { "data-count": picked.length, "aria-live": "polite" },
          word("of", { n: picked.length, of: tap.needed }),
        ),
        button(
          "close-set",
          { class: "round quiet", "aria-label": word("close"), onclick: () => this.change({ shut: true }) },
          sign("close", 26),
        ),
      ),
      h(
        "div.grid",
        { role: "group", "aria-label": word("set of", { n: tap.needed }) },
        CARDS.map(n =>
          button(
            "pick",
            {
              class: `cardbtn nr ${colour}`,
              "data-card": n,
              "aria-pressed": String(picked.includes(n)),
              disabled: full && !picked.includes(n),
              onclick: () => toggle(n),
            },
            String(n),
          ),
        ),
      ),
      button(
        `${tap.do}-ok`,
        {
          class: "go",
          disabled: !full,
          onclick: e =>
            this.decide(e.currentTarget, { ...tap.line, [tap.key]: [...picked].sort((a, b) => a - b) }),
        },
        sign("ok", 30),
        h("span", word("ok")),
      ),
    );
  }

  /**
   * What the track offers: spaces to tap, or the pieces that were put in order so far.
   * @param {Tap | null} tap
   * @param {Manner | null} how
   * @returns {Offer}
   */
  extra(tap, how) {
    if (tap && how === "space") {
      const lines = new Map(choicesOf(tap).map(c => [c.space ?? 0, c]));
      return {
        picks: [...lines.keys()],
        pick: (space, el) => this.decide(el, lines.get(space)?.line ?? {}),
        name: space => {
          const n = lines.get(space)?.label;
          return word(`here ${tap.do}`, { n }) || word("space", { n });
        },
      };
    }
    if (tap?.do !== "line-up") return {};
    if (this.begun.lined.length) {
      return { preview: this.begun.lined.map((p, i) => ({ piece: p, space: -i })) };
    }
    const standing = new Set(this.view?.pieces.map(p => p.piece));
    const felt = Object.entries(this.view?.seen ?? {}).flatMap(([piece, space]) =>
      space === null || standing.has(piece) ? [] : [{ piece, space }],
    );
    return felt.length ? { preview: felt } : {};
  }
}
