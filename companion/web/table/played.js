// What was played, on the host's page: back to any moment, or correct a decision and see first what follows.
import { $, chip, h, hat, html, maybe, patch, picture, sign, word } from "../common/draw.js";
import { Latest } from "../common/latest.js";
import { placed } from "../common/lists.js";
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
/** What can be done about the one that is open. @type {HTMLElement | null} */
let opened = null;
const lists = new Latest();
// a page has one main button: that of the question, while one is asked
const asks = new MutationObserver(() =>
  $("main").classList.toggle("asking-back", !!maybe(".ask:not([hidden]) .go")),
);
for (const el of [back, list].filter(Boolean)) {
  asks.observe(el, { attributeFilter: ["hidden"], childList: true, subtree: true });
}

/**
 * @param {string} action
 * @param {string} cls
 * @param {string} text
 * @param {(event: Listened<MouseEvent>) => unknown} onclick
 * @param {{ inside?: Child, disabled?: boolean }} [more]
 */
const button = (action, cls, text, onclick, { inside, disabled = false } = {}) =>
  h("button", { "data-action": action, class: cls, disabled, onclick }, inside, text);

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
  const { seq: now } = seen;
  patch(
    into,
    h(
      "h3",
      word("take back", { then: seen.text }),
      seen.taken.length > 1 && h("span.soft", ` ${word("and after", { n: seen.taken.length - 1 })}`),
    ),
    sketch(seen.picture, sentence),
    h(
      "div.acts",
      button(
        "take-it-back",
        "go",
        word("take it back"),
        async e => {
          const { ok } = await press(
            e.currentTarget,
            "api/undo",
            to === null ? { seq: now } : { seq: now, to },
          );
          if (ok) keep();
        },
        { inside: sign("undo", 26) },
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
    patch(back);
    (from.offsetParent ? from : $("#to-table")).focus();
  });
}

/**
 * Show in `target` what could be decided instead; `choose(line)` looks at what follows.
 * @param {HTMLElement} target
 * @param {OnePlayed} of
 * @param {Instead} tap
 * @param {(line: Line) => void} choose
 */
async function others(target, of, tap, choose) {
  const was = of.now?.[tap.key];
  /** @param {unknown} value */
  const chosen = value => choose({ ...tap.line, [tap.key]: value });
  if (tap.pieces) return ordered(target, of, tap, /** @type {string[]} */ (was), chosen);
  if (tap.slip) return betSlip(target, tap.slip, /** @type {(Bet & { kind: string })[]} */ (was), choose);
  if (tap.needed) return setOf(target, tap.needed, /** @type {number[]} */ (was), chosen);
  return patch(
    target,
    h(
      "div.others",
      (tap.choices ?? []).map(c =>
        h(
          "button",
          {
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
    ),
  );
}

/**
 * @param {HTMLElement} target
 * @param {OnePlayed} of
 * @param {Instead} tap
 * @param {string[]} order
 * @param {(order: string[]) => void} choose
 */
function ordered(target, of, tap, order, choose) {
  /** @param {string} p */
  const called = p => tap.labels?.[tap.pieces?.indexOf(p) ?? -1];
  const moving = ordering((from, to) => ordered(target, of, tap, placed(order, from, to), choose));
  patch(
    target,
    h("p.soft", word("order")),
    h(
      "div.others",
      { ...moving },
      order.map((p, i) =>
        h(
          "button",
          {
            key: p,
            class: `wide2 ${p}`,
            "data-place": i,
            "data-called": called(p),
            "aria-label": `${i + 1}. ${called(p)}`,
          },
          picture(of.picture.animal, p, 76),
          h("b.nth", String(i + 1)),
        ),
      ),
    ),
    button("look", "", word("look"), () => choose(order)),
  );
}

/**
 * The sheet as it was handed in, on the slip of its seat.
 * @param {HTMLElement} target
 * @param {BetSlip} slip
 * @param {(Bet & { kind: string })[]} was
 * @param {(line: Line) => void} choose
 */
async function betSlip(target, slip, was, choose) {
  const { Choosing } = await import("../seat/hand.js");
  const choosing = new Choosing(() => {
    const chosen = choosing.chosen([slip]);
    patch(
      target,
      h("div", choosing.draw(slip)),
      button("look", "", word("look"), () => choose(chosen?.line ?? {}), { disabled: !chosen }),
    );
  });
  choosing.set(slip, { sheet: Object.fromEntries(was.map(bet => [bet.kind, bet])) });
}

/**
 * @param {HTMLElement} target
 * @param {number} needed
 * @param {number[]} picked
 * @param {(cards: number[]) => void} choose
 */
function setOf(target, needed, picked, choose) {
  /** @param {number} n */
  const toggle = n =>
    setOf(target, needed, picked.includes(n) ? picked.filter(m => m !== n) : [...picked, n], choose);
  patch(
    target,
    h("p.soft", word("choose set", { n: needed })),
    h(
      "div.others",
      Array.from({ length: 20 }, (_, i) => i + 1).map(n =>
        h("button", { "aria-pressed": String(picked.includes(n)), onclick: () => toggle(n) }, String(n)),
      ),
    ),
    button("look", "", word("look"), () => choose([...picked].sort((a, b) => a - b)), {
      disabled: picked.length !== needed,
    }),
  );
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
 * Open a decision: back to it, or what it could be instead.
 * @param {PlayedLine} row
 */
async function show(row) {
  const of = await get(`api/played/${row.entry}`);
  if (!of) return;
  const into = html("div.ask", { tabindex: -1 });
  const instead = html("div.instead");
  const preview = html("div.follows", { "aria-live": "polite" });
  const choices = new Latest();
  const close = () => {
    open = null;
    draw();
    maybe(`[data-entry="${row.entry}"]`, list)?.focus();
  };
  /** @param {Line | null} line */
  async function choose(line) {
    const change = { seq: of.seq, entry: row.entry, decision: line };
    patch(preview);
    const answer = await choices.of(send("api/change", { ...change, dry: true }));
    if (!answer?.ok) return;
    const { data } = answer;
    patch(
      preview,
      h("p.say", follows(data)),
      data.breaks && h("p.broken", { "data-breaks": data.breaks.entry }, word("breaks", data.breaks)),
      sketch(data.picture, data.picture.say ?? ""),
      h(
        "div.acts",
        button("change", "go", word("change"), async e => {
          const done = await press(e.currentTarget, "api/change", change);
          if (done.ok) {
            tell(word("change after", { what: follows(done.data) }), "done");
            close();
          }
        }),
        button("keep-it", "", word("keep it"), () => patch(preview)),
      ),
    );
    preview.scrollIntoView({ block: "nearest" });
  }
  if (of.tap) await others(instead, of, of.tap, choose);
  const another = new MutationObserver(() => {
    choices.forget();
    patch(preview); // that was of another choice
  });
  another.observe(instead, { subtree: true, childList: true, attributes: true });
  patch(
    into,
    button("back-to", "", word("back to here"), () => askBack(row.entry, into, close), {
      inside: sign("undo", 26),
    }),
    of.closed ? h("p.soft", of.closed) : [h("h3", word("instead")), instead],
    of.out && button("out", "quiet", word("out"), () => choose(null)),
    preview,
  );
  if (open !== row.entry) return;
  opened = into;
  draw();
}

function draw() {
  /** @type {string | null} */
  let stage = null;
  patch(
    list,
    rows.slice(0, most).map(row => {
      const head = row.stage !== stage && row.stage;
      stage = row.stage;
      return [head && h("li.stage", { key: `stage ${row.entry}` }, head), line(row)];
    }),
  );
  more.hidden = rows.length <= most;
}

/**
 * What was decided, and what can be done about it where it is open.
 * @param {PlayedLine} row
 */
const line = row =>
  h(
    "li",
    { key: row.entry },
    h(
      "button.quiet.line-btn",
      {
        "data-entry": row.entry,
        "aria-expanded": String(open === row.entry),
        onclick: () => {
          open = open === row.entry ? null : row.entry;
          opened = null;
          draw();
          if (open !== null) show(row);
        },
      },
      row.seat !== null && hat(row.seat, 40),
      h("span", row.text),
      row.piece && chip(row.piece, 30),
      (row.sealed || row.changed) && h("span.tag", word(row.sealed ? "sealed" : "changed")),
    ),
    open === row.entry && opened,
  );

async function fetchPlayed() {
  if (!details?.open || shown === seq) return;
  const answer = await lists.of(get("api/played"));
  if (!answer) return;
  shown = answer.seq;
  rows = answer.played;
  const row = rows.find(({ entry }) => entry === open);
  if (!row) open = null;
  draw();
  if (row) show(row);
}

if (box) {
  details?.addEventListener("toggle", fetchPlayed);
  more.addEventListener("click", () => {
    most += 30;
    draw();
  });
  document.addEventListener("view", event => {
    const view = event.detail;
    box.hidden = !view.match;
    if (view.seq !== seq) back.hidden = true;
    seq = view.seq;
    if (view.match) fetchPlayed();
  });
}
