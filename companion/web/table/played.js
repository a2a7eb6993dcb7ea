// What was played, on the host's page: back to any moment, or correct a decision and see first what follows.
import { $, chip, h, hat, maybe, picture, sign, word } from "../common/draw.js";
import { Latest } from "../common/latest.js";
import { placed } from "../common/order.js";
import { ordering } from "../common/ordering.js";
import { press, send, tell } from "../common/send.js";
import { sketch } from "../course/sketch.js";

const FEW = 12;
const box = maybe("#played");
/** @type {HTMLDetailsElement | null} */
const details = maybe("#played details");
const list = $("#played-list");
const more = $("[data-action=more]");
const back = $("#back");
let seq = 0;
/** @type {number | null} */
let shown = null;
/** @type {PlayedLine[]} */
let rows = [];
let most = FEW;
/** @type {number | null} */
let open = null;
const lists = new Latest();

/**
 * @param {string} action
 * @param {string} cls
 * @param {string} text
 * @param {(event: Listened<MouseEvent>) => unknown} onclick
 * @param {...Child} inside
 */
const button = (action, cls, text, onclick, ...inside) =>
  h("button", { type: "button", "data-action": action, class: cls, onclick }, ...inside, text);

/** @param {string} url */
async function get(url) {
  const answer = await fetch(url).catch(() => null);
  const data = await answer?.json().catch(() => null);
  if (!answer?.ok) tell(data?.reason ?? word(answer ? "failed" : "offline"));
  return answer?.ok ? data : null;
}

/**
 * Ask before something is taken back: the picture of the position that it returns to.
 * @param {number | null} to
 * @param {HTMLElement} into
 * @param {() => void} keep
 */
async function askBack(to, into, keep) {
  const seen = await get(to === null ? "api/undo" : `api/undo?to=${to}`);
  if (!seen) return;
  const sentence = word("back to", { what: seen.picture.say ?? "" });
  const asked = seen.seq;
  into.replaceChildren(
    h(
      "h3",
      {},
      word("take back", { then: seen.text }),
      seen.taken.length > 1 &&
        h("span", { class: "soft" }, ` ${word("and after", { n: seen.taken.length - 1 })}`),
    ),
    sketch(seen.picture, sentence),
    h(
      "div",
      { class: "acts" },
      button(
        "take-it-back",
        "go",
        word("take it back"),
        async e => {
          const { ok } = await press(
            e.currentTarget,
            "api/undo",
            to === null ? { seq: asked } : { seq: asked, to },
          );
          if (ok) keep();
        },
        sign("undo", 26),
      ),
      button("keep-it", "", word("keep it"), keep),
    ),
  );
  into.hidden = false;
  into.focus();
}

/** @param {HTMLElement} from */
export function askUndo(from) {
  return askBack(null, back, () => {
    back.hidden = true;
    back.replaceChildren();
    (from.offsetParent ? from : $("#to-table")).focus();
  });
}

/**
 * What could be decided instead, each as a button; `choose(line)` looks at what follows.
 * @param {OnePlayed} of
 * @param {Instead} tap
 * @param {(line: Line) => void} choose
 */
async function others(of, tap, choose) {
  const { now } = of;
  /** @param {unknown} value */
  const line = value => ({ ...tap.line, [tap.key]: value });
  const was = now?.[tap.key];
  if (tap.pieces) return ordered(of, tap, /** @type {string[]} */ (was), order => choose(line(order)));
  if (tap.slip) return betSlip(tap.slip, /** @type {(Bet & { kind: string })[]} */ (was), choose);
  if (tap.needed) return setOf(tap.needed, /** @type {number[]} */ (was), cards => choose(line(cards)));
  return h(
    "div",
    { class: "others" },
    (tap.choices ?? []).map(c =>
      h(
        "button",
        {
          type: "button",
          "data-action": "instead",
          "data-choice": c.label,
          "aria-label": c.label,
          title: c.label,
          disabled: c.line[tap.key] === was,
          onclick: () => choose(c.line),
        },
        c.piece ? chip(c.piece, 40) : c.label,
      ),
    ),
  );
}

/**
 * @param {OnePlayed} of
 * @param {Instead} tap
 * @param {string[]} was
 * @param {(order: string[]) => void} choose
 */
function ordered(of, tap, was, choose) {
  /** @param {string} p */
  const called = p => tap.labels?.[tap.pieces?.indexOf(p) ?? -1];
  const row = h("div", { class: "others" });
  let order = [...was];
  const lay = () =>
    row.replaceChildren(
      ...order.map((p, i) =>
        h(
          "button",
          {
            type: "button",
            class: `wide2 ${p}`,
            "data-place": i,
            "data-called": called(p),
            "aria-label": `${i + 1}. ${called(p)}`,
          },
          picture(of.picture.animal, p, 76),
          h("b", { class: "nth" }, String(i + 1)),
        ),
      ),
    );
  lay();
  ordering(row, (from, to) => {
    order = placed(order, from, to);
    lay();
  });
  return [
    h("p", { class: "soft" }, word("order")),
    row,
    button("look", "", word("look"), () => choose(order)),
  ];
}

/**
 * The sheet as it was handed in, on the slip of its seat.
 * @param {BetSlip} slip
 * @param {(Bet & { kind: string })[]} was
 * @param {(line: Line) => void} choose
 */
async function betSlip(slip, was, choose) {
  const { Choosing, fill } = await import("../seat/hand.js");
  const sheet = h("div");
  const done = button("look", "", word("look"), () => choose(choosing.chosen([slip])?.line ?? {}));
  const choosing = new Choosing(() => {
    fill(sheet, choosing.draw(slip));
    done.disabled = !choosing.chosen([slip]);
  });
  choosing.set(slip, { sheet: Object.fromEntries(was.map(bet => [bet.kind, bet])) });
  return [sheet, done];
}

/**
 * @param {number} needed
 * @param {number[]} was
 * @param {(cards: number[]) => void} choose
 */
function setOf(needed, was, choose) {
  const picked = new Set(was);
  const done = button("look", "", word("look"), () => choose([...picked].sort((a, b) => a - b)));
  /**
   * @param {number} n
   * @param {HTMLElement} el
   */
  const toggle = (n, el) => {
    if (!picked.delete(n)) picked.add(n);
    el.setAttribute("aria-pressed", String(picked.has(n)));
    done.disabled = picked.size !== needed;
  };
  return [
    h("p", { class: "soft" }, word("choose set", { n: needed })),
    h(
      "div",
      { class: "others" },
      Array.from({ length: 20 }, (_, i) => i + 1).map(n =>
        h(
          "button",
          { type: "button", "aria-pressed": String(picked.has(n)), onclick: e => toggle(n, e.currentTarget) },
          String(n),
        ),
      ),
    ),
    done,
  ];
}

/**
 * How much of the rest fits, in words.
 * @param {Answer} made
 */
function follows(made) {
  if (made.breaks) return word("fits", { n: made.fits, of: made.of });
  return made.of ? word("fits all", { n: made.of }) : word("nothing after");
}

/**
 * A decision opened: back to it, or what it could be instead.
 * @param {PlayedLine} row
 * @param {HTMLElement} el
 */
async function show(row, el) {
  const of = await get(`api/played/${row.entry}`);
  if (!of) return;
  const into = h("div", { class: "ask", tabindex: -1 });
  const instead = h("div", { class: "instead" });
  const preview = h("div", { class: "follows", "aria-live": "polite" });
  const choices = new Latest();
  const close = () => {
    open = null;
    draw();
    maybe(`[data-entry="${row.entry}"]`, list)?.focus();
  };
  /** @param {Line | null} line */
  async function choose(line) {
    const asked = { seq: of.seq, entry: row.entry, decision: line };
    preview.replaceChildren();
    const answer = await choices.of(send("api/change", { ...asked, dry: true }));
    if (!answer?.ok) return;
    const { data } = answer;
    preview.replaceChildren(
      ...[
        h("p", { class: "say" }, follows(data)),
        data.breaks &&
          h("p", { class: "broken", "data-breaks": data.breaks.entry }, word("breaks", data.breaks)),
        sketch(data.picture, data.picture.say ?? ""),
        h(
          "div",
          { class: "acts" },
          button("change", "go", word("change"), async e => {
            const done = await press(e.currentTarget, "api/change", asked);
            if (done.ok) {
              tell(word("change after", { what: follows(done.data) }), "done");
              close();
            }
          }),
          button("keep-it", "", word("keep it"), () => preview.replaceChildren()),
        ),
      ].filter(Boolean),
    );
    preview.scrollIntoView({ block: "nearest" });
  }
  if (of.tap) instead.append(...[await others(of, of.tap, choose)].flat());
  const another = new MutationObserver(() => {
    choices.forget();
    preview.replaceChildren(); // that was of another choice
  });
  another.observe(instead, { subtree: true, childList: true, attributes: true });
  into.append(
    ...[
      button("back-to", "", word("back to here"), () => askBack(row.entry, into, close), sign("undo", 26)),
      of.closed ? h("p", { class: "soft" }, of.closed) : [h("h3", {}, word("instead")), instead],
      of.out && button("out", "quiet", word("out"), () => choose(null)),
      preview,
    ]
      .flat(2)
      .filter(Boolean),
  );
  el.append(into);
}

function draw() {
  /** @type {string | null} */
  let stage = null;
  list.replaceChildren(
    ...rows.slice(0, most).flatMap(row => {
      const head = row.stage !== stage && row.stage;
      stage = row.stage;
      const el = h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: "quiet line-btn",
            "data-entry": row.entry,
            "aria-expanded": String(open === row.entry),
            onclick: () => {
              open = open === row.entry ? null : row.entry;
              draw();
              maybe(`[data-entry="${row.entry}"]`, list)?.focus();
            },
          },
          row.seat !== null && hat(row.seat, 40),
          h("span", {}, row.text),
          row.piece && chip(row.piece, 30),
          (row.sealed || row.changed) && h("span", { class: "tag" }, word(row.sealed ? "sealed" : "changed")),
        ),
      );
      if (open === row.entry) show(row, el);
      return head ? [h("li", { class: "stage" }, head), el] : [el];
    }),
  );
  more.hidden = rows.length <= most;
}

async function look() {
  if (!details?.open || shown === seq) return;
  const told = await lists.of(get("api/played"));
  if (!told) return;
  shown = told.seq;
  rows = told.played;
  if (!rows.some(row => row.entry === open)) open = null;
  draw();
}

if (box) {
  details?.addEventListener("toggle", look);
  more.addEventListener("click", () => {
    most += 30;
    draw();
  });
  document.addEventListener("view", event => {
    const view = event.detail;
    box.hidden = !view.match;
    if (view.seq !== seq) back.hidden = true;
    seq = view.seq;
    if (view.match) look();
  });
}
