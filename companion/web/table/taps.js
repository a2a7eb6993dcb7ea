// What is not sensed is tapped: whose decision, then which card, space, order or set.
import { numberCard } from "../common/boards.js";
import { chip, h, hat, picture, render, sign, word } from "../common/draw.js";
import { long } from "../common/panels.js";
import { placed } from "../common/order.js";
import { press } from "../common/send.js";

const none = value => value === null || value === undefined;
const CARDS = Array.from({ length: 20 }, (_, i) => i + 1);

/** How a decision is tapped: pieces in order, a set of cards, a space, a piece's card, a number, or words. */
function manner(tap) {
  if (tap.pieces) return "order";
  if (tap.needed) return "set";
  const all = test => tap.choices?.length > 0 && tap.choices.every(test);
  return all(c => !none(c.space))
    ? "space"
    : all(c => c.piece)
      ? "piece"
      : all(c => c.label.length < 4)
        ? "number"
        : "text";
}

const shuffled = list =>
  list
    .map(one => [Math.random(), one])
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one);

const button = (action, attributes, ...children) =>
  h("button", { type: "button", "data-action": action, ...attributes }, ...children);
const group = (label, ...children) =>
  h("div", { class: "cards", role: "group", "aria-label": word(label) }, ...children);

export class Taps {
  /** `refresh` draws the page again. */
  constructor(dock, refresh) {
    Object.assign(this, { dock, refresh, view: null });
    this.forget();
  }

  /** Nothing is half tapped any more. */
  forget() {
    Object.assign(this, { due: null, whose: null, lined: [], picked: [], byTap: false, shut: false });
  }

  change(values) {
    Object.assign(this, values);
    this.refresh();
  }

  async decide(el, line) {
    const { ok } = await press(el, "/api/decide", { seq: this.view.seq, decision: line });
    if (!ok) return;
    this.forget();
    this.refresh();
  }

  /** Draw the dock; gives what the track is to offer (`extra`), and the cards to choose a set from
      (`picker`), if any. */
  draw(view) {
    this.view = view;
    const { taps = [], confirm } = view.actions;
    if (taps[0]?.do !== this.due) {
      this.forget();
      this.due = taps[0]?.do;
    }
    const tap = taps.length === 1 ? taps[0] : (taps.find(t => t.seat === this.whose) ?? null);
    const how = tap && manner(tap);
    this.tidy(tap, how, confirm);
    const gathered = (view.gathered || []).filter(g => !tap || g.seat === tap.seat);
    render(
      this.dock,
      [taps, this.whose, confirm, this.lined, this.byTap, this.shut, gathered, view.match?.id],
      () => this.shown(taps, tap, how, gathered),
    );
    return { extra: this.extra(tap, how), picker: how === "set" && !this.shut ? this.picker(tap) : null };
  }

  /** Forget what was begun in another manner, or cannot be chosen any more. */
  tidy(tap, how, confirm) {
    if (how !== "order" || this.lined.some(p => !tap.pieces.includes(p))) this.lined = [];
    if (how !== "set") this.picked = [];
    if (!confirm) this.byTap = false;
  }

  /** What the dock shows: who, what lies there and is to be confirmed, then what is tapped. */
  shown(taps, tap, how, gathered) {
    const { confirm } = this.view.actions;
    const asked = confirm && !this.lined.length && !this.byTap;
    const several = taps.length > 1;
    return [
      tap && !none(tap.seat) && this.who(tap, several),
      asked && this.confirm(confirm.text),
      asked &&
        how === "order" &&
        button("by-tap", { class: "quiet", onclick: () => this.change({ byTap: true }) }, word("by tap")),
      !tap && several && this.seats(taps),
      gathered.map(g => this.gathered(g, !tap)),
      tap && !(asked && how === "order") && this[how](tap),
    ]
      .flat(3)
      .filter(Boolean);
  }

  confirm(text) {
    return button(
      "confirm",
      { class: "go", onclick: e => press(e.currentTarget, "/api/confirm", { seq: this.view.seq }) },
      sign("ok", 30),
      h("span", {}, text),
    );
  }

  /** A set that is being shown card by card. */
  gathered(g, named) {
    return h(
      "span",
      { class: "gathered", "data-gathered": g.seat },
      named ? hat(g.seat, 40) : null,
      h(
        "span",
        { class: "row" },
        g.numbers.map(n => numberCard(n)),
      ),
      h("b", {}, word("of", { n: g.numbers.length, of: g.needed })),
    );
  }

  who(tap, several) {
    const name = h("b", { class: long(tap.name), title: tap.name }, tap.name);
    if (!several) return h("span", { class: "due" }, hat(tap.seat, 52), name);
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

  space(tap) {
    const hint = h("p", { class: "hint" }, word(`tap ${tap.do}`) || word("tap a space"));
    if (this.view.course.spaces <= 60) return hint;
    return [
      hint,
      h(
        "select",
        {
          "aria-label": word(`tap ${tap.do}`) || word("tap a space"),
          onchange: e => this.decide(e.currentTarget, tap.choices[e.currentTarget.value].line),
        },
        h("option", { value: "" }, "…"),
        tap.choices.map((c, i) => h("option", { value: i }, c.label)),
      ),
    ];
  }

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

  piece(tap) {
    return group(
      "play a card",
      tap.choices.map(c => this.card(tap, c, { class: `cardbtn ${c.piece}` }, chip(c.piece, 46))),
    );
  }

  number(tap) {
    const colour = this.view.match.colours?.[tap.seat] ?? "";
    return group(
      "play a card",
      tap.choices.map(c => this.card(tap, c, { class: `cardbtn nr ${colour}` }, c.label)),
    );
  }

  text(tap) {
    return h(
      "div",
      { class: "cards" },
      (tap.choices || []).map(c => this.card(tap, c, {}, c.label)),
    );
  }

  /** All the pieces in a row: tapped one after the other, dragged, or shuffled. */
  order(tap) {
    const missing = () => tap.pieces.filter(p => !this.lined.includes(p));
    const left = missing();
    const animal = this.view.match?.animal;
    const name = p => tap.labels?.[tap.pieces.indexOf(p)] ?? p;
    const next = p =>
      this.change({
        lined: missing().length === 2 ? [...this.lined, p, missing().find(q => q !== p)] : [...this.lined, p],
      });
    const back = () => this.change({ lined: this.lined.slice(0, -1) });
    const tapped = p =>
      this.lined.includes(p) ? this.change({ lined: this.lined.filter(q => q !== p) }) : next(p);
    const row = group(
      `hint ${tap.do}`,
      [...this.lined, ...left].map((p, i) =>
        button(
          tap.do,
          {
            class: `cardbtn wide ${p}`,
            "data-card": p,
            "data-place": i,
            "data-called": name(p),
            "aria-label": this.lined.includes(p) ? `${i + 1}. ${name(p)}` : name(p),
            title: name(p),
            onclick: () => tapped(p),
          },
          picture(animal, p, 76),
          this.lined.includes(p) && h("b", { class: "nth" }, String(i + 1)),
        ),
      ),
    );
    import("../common/ordering.js").then(({ ordering }) =>
      ordering(row, (from, to) => this.change({ lined: placed([...this.lined, ...left], from, to) })),
    );
    return [
      h(
        "p",
        { class: "hint" },
        word(left.length ? `hint ${tap.do}` : "line-up ready") || word("front first"),
      ),
      row,
      this.lined.length > 0 &&
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
          onclick: () => this.change({ lined: shuffled(tap.pieces) }),
        },
        sign("dice", 32),
      ),
      !left.length &&
        button(
          `${tap.do}-ok`,
          {
            class: "go",
            onclick: e => this.decide(e.currentTarget, { ...tap.line, [tap.key]: [...this.lined] }),
          },
          sign("ok", 30),
          h("span", {}, word("ok")),
        ),
    ];
  }

  set(tap) {
    return (
      this.shut &&
      button(
        "open-set",
        { class: "go", onclick: () => this.change({ shut: false }) },
        word("set of", { n: tap.needed }),
      )
    );
  }

  /** All the cards there are, to choose a set from. */
  picker(tap) {
    const { picked } = this;
    const full = picked.length === tap.needed;
    const colour = this.view.match.colours?.[tap.seat] ?? "";
    const toggle = n => {
      // two thumbs are faster than a frame
      if (this.picked.includes(n)) this.change({ picked: this.picked.filter(m => m !== n) });
      else if (this.picked.length < tap.needed) this.change({ picked: [...this.picked, n] });
    };
    return h(
      "div",
      { class: "picker", "data-picker": tap.seat },
      h(
        "div",
        { class: "pickhead" },
        hat(tap.seat, 44),
        h("h2", {}, tap.name),
        h(
          "b",
          { class: "count", "data-count": picked.length, "aria-live": "polite" },
          word("of", { n: picked.length, of: tap.needed }),
        ),
        button(
          "close-set",
          { class: "round quiet", "aria-label": word("close"), onclick: () => this.change({ shut: true }) },
          sign("close", 26),
        ),
      ),
      h(
        "div",
        { class: "grid", role: "group", "aria-label": word("set of", { n: tap.needed }) },
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
        h("span", {}, word("ok")),
      ),
    );
  }

  /** What the track offers: spaces to tap, or the pieces that were put in order so far. */
  extra(tap, how) {
    if (how === "space") {
      const lines = new Map(tap.choices.map(c => [c.space, c]));
      return {
        picks: [...lines.keys()],
        pick: (space, el) => this.decide(el, lines.get(space).line),
        name: space =>
          word(`here ${tap.do}`, { n: lines.get(space).label }) ||
          word("space", { n: lines.get(space).label }),
      };
    }
    if (tap?.do !== "line-up") return {};
    if (this.lined.length) return { preview: this.lined.map((p, i) => ({ piece: p, space: -i })) };
    const standing = new Set(this.view.pieces.map(p => p.piece));
    const felt = Object.entries(this.view.seen || {}).filter(
      ([p, space]) => space !== null && !standing.has(p),
    );
    return felt.length ? { preview: felt.map(([piece, space]) => ({ piece, space })) } : {};
  }
}
