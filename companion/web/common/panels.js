// The panels that several pages share: sentence, standings, odds, story, notices.
import { amount } from "./boards.js";
import { acorn, chip, h, hat, parts, patch, picture, s, sign, withAttributes, word } from "./draw.js";
import { bar, roughly } from "./odds.js";
import { clauses, joined, pieceOf, plain } from "./sentence.js";

/**
 * The big sentence in words; what follows its first `large` clauses is said smaller, before what comes then.
 * @param {{ say: Said }} view
 * @param {HTMLElement} big
 * @param {HTMLElement} then
 */
export function say(view, big, then, large = 99) {
  const all = clauses(view.say.parts);
  const first = all.slice(0, large);
  const small = joined([...all.slice(large), ...(view.say.then?.length ? [view.say.then] : [])], " · ");
  patch(
    big,
    first.map((clause, i) => h("span.clause", parts(i + 1 < first.length ? [...clause, ". "] : clause))),
  );
  patch(then, parts(small, { food: false }));
  then.hidden = !small.length;
}

/**
 * Whether a number is missing.
 * @param {number | null | undefined} value
 * @returns {value is null | undefined}
 */
const none = value => value === null || value === undefined;

/** @param {number} size */
export const trophy = size =>
  s("svg.ic", { width: size, height: size, "aria-hidden": "true" }, s("use", { href: "#trophy" }));

/**
 * The big sentence as a picture: seat, animal, arrow, number.
 * @param {{ say: Said, match: { animal: string } | null }} view
 * @param {HTMLElement} pic
 */
export function sketch(view, pic, size = 1) {
  const { say: now } = view;
  patch(pic, sketched(now.picture, now.tone === "end", view.match?.animal ?? "pig", size));
  pic.hidden = !pic.childElementCount;
  pic.classList.toggle("with-animal", !!pic.querySelector(".an"));
}

/**
 * @param {Said["picture"]} p
 * @param {boolean} ended
 * @param {string} animal
 * @param {number} size
 */
function sketched(p, ended, animal, size) {
  if (!p) return [picture(animal, "red", 118 * size)];
  const to = p.toText || (none(p.to) ? "" : String(p.to));
  return [
    !none(p.seat) && hat(p.seat, Math.round(78 * size)),
    p.seats.length > 1 &&
      h(
        "span.hats",
        p.seats.slice(0, 6).map(seat => hat(seat, Math.round(58 * size))),
      ),
    ended && trophy(84 * size),
    p.piece && picture(animal, p.piece, Math.round(118 * size)),
    p.arrow &&
      s(
        "svg.arr",
        { width: 44 * size, height: 44 * size, viewBox: "0 0 44 44", "aria-hidden": "true" },
        s("path.arrpath", { d: "M5 22H37M25 9 38 22 25 35" }),
      ),
    to && h("span", { class: `n9 ${to.length > 3 ? "long" : ""}` }, to),
  ];
}

/**
 * How long a name is: the class of its size.
 * @param {string} name
 */
export const long = name => (name.length > 16 ? "xl" : name.length > 9 ? "l" : "");

/** @param {StandingsRow} row */
function pips(row) {
  if (!row.cards) return null;
  const label = word("cards played", { n: row.played ?? 0, of: row.cards });
  if (row.cards > 12) {
    return h("span.pips.text", { role: "img", "aria-label": label }, `${row.played}/${row.cards}`);
  }
  return h(
    "span.pips",
    { role: "img", "aria-label": label },
    Array.from({ length: row.cards }, (_, i) => h("i", { class: i < (row.played ?? 0) ? "x" : "" })),
  );
}

/**
 * A seat's hat, ticked once it has done in secret what is due.
 * @param {StandingsRow} row
 * @param {number} size
 * @param {string | null} due
 */
function hatOf(row, size, due) {
  const done = due === "bet" ? row.bet && word("has bet") : row.chosen && word("has chosen");
  return h(
    "span.hatbox",
    hat(row.seat, size),
    done && h("i.tick", { role: "img", "aria-label": done, title: done }, "✓"),
  );
}

/**
 * An amount as the game counts it: food has an acorn, money a dollar.
 * @param {number | string} value
 * @param {string | null} unit
 * @param {number} size
 */
export const score = (value, unit, size) => [unit === "food" && acorn(size), h("b", amount(value, unit))];

/** @param {Shown} view */
const titleOf = view => view.roundEnd?.title ?? view.round?.text ?? view.match?.title ?? "";

/**
 * The chances that the standings show: none before the first card, and none next to "last card!", which needs
 * their room and has its own board.
 * @param {Shown} view
 */
const besides = ({ odds, standings: rows }) =>
  !odds || odds.anyone || rows.some(row => row.lastCard) ? [] : odds.rows;

/**
 * Rows of the standings; `odds` adds the chance to win.
 * @param {Shown} view
 * @param {{ head: HTMLElement, list: HTMLElement, odds?: boolean }} where
 */
export function standings(view, { head, list, odds = false }) {
  const { heads } = view;
  const chance = new Map(odds ? besides(view).map(row => [row.seat, row]) : []);
  const loose = heads?.provisional && view.standings.some(r => !none(r.provisional));
  const table = /** @type {HTMLElement} */ (list.closest(".stand"));
  table.classList.toggle("with-loose", !!loose);
  table.classList.toggle("with-odds", chance.size > 0);
  table.classList.toggle("with-money", view.unit === "money");
  table.dataset.rows = String(view.standings.length);
  const many = view.standings.filter(row => row.now).length > 1;
  const won = new Map((view.roundEnd?.rows ?? []).map(row => [row.seat, row.won]));
  list.toggleAttribute("data-round-end", won.size > 0);
  patch(head, [
    h("h2", titleOf(view)),
    loose && h("span.hd-f", heads?.provisional),
    h("span.hd-f", heads?.kept ?? ""),
    chance.size > 0 && h("span.hd-pc", word("win")),
  ]);
  patch(
    list,
    view.standings.map(row =>
      standing(view, row, {
        mine: chance.get(row.seat),
        shared: chance.size > 0,
        loose: !!loose,
        many,
        won: won.get(row.seat),
      }),
    ),
  );
}

/**
 * What a seat holds for good; a long amount in smaller letters.
 * @param {number} value
 * @param {string | null} unit
 */
const safeFood = (value, unit) =>
  h(
    "span",
    { class: `f kept ${String(value).length > 4 ? "much" : ""}`, "data-kept": value },
    score(value, unit, 30),
  );

/**
 * How far a seat is in its round, or what the round brought that was just finished.
 * @param {StandingsRow} row
 * @param {number | undefined} won
 * @param {string | null} unit
 */
function progress(row, won, unit) {
  if (row.lastCard) return h("em.last", word("last card"));
  if (none(won)) return pips(row);
  return h("b", { class: won ? "gain" : "soft" }, `+${amount(won, unit)}`);
}

/**
 * A row of the standings; `mine`: its chance to win, `shared`: whether there are such chances, `loose`:
 * whether there is food that is not safe, `many`: whether several are due,
 * `won`: what the round brought that was just finished.
 * @param {Shown} view
 * @param {StandingsRow} row
 * @param {{ mine?: ToteRow, shared: boolean, loose: boolean, many: boolean, won?: number }} how
 */
const standing = (view, row, { mine, shared, loose, many, won }) =>
  h(
    "li",
    {
      class: row.now ? `now ${many ? "many" : ""}` : "",
      key: row.seat,
      "data-seat": row.seat,
      "aria-current": row.now && "true",
    },
    h("span.rk", row.place === null || row.place === undefined ? "–" : String(row.place)),
    hatOf(row, 48, view.due),
    h(
      row.lastCard ? "div.nm.at-last" : "div.nm",
      h("b", { title: row.name, class: long(row.name) }, row.name),
      h(
        "span.under",
        progress(row, won, view.unit),
        row.staked && h("span.staked", word("staked", { n: amount(row.staked, view.unit) })),
        mine && h("span.pc2", roughly(mine.p), bar(mine, 1, "mini")),
      ),
    ),
    loose &&
      h(
        "span.f.loose",
        { "data-provisional": row.provisional },
        acorn(30, "looseart"),
        h("b", String(row.provisional ?? 0)),
      ),
    safeFood(row.kept ?? row.score, view.unit),
    shared && h("span.pc", mine && [roughly(mine.p), bar(mine, 1, "mini")]),
  );

/**
 * @param {View} view
 * @param {HTMLElement} list
 * @param {{ lines?: number }} [of]
 */
export function story(view, list, { lines = 8 } = {}) {
  patch(
    list,
    (view.story || [])
      .slice(0, lines)
      .map(line =>
        h(
          "li",
          { key: line.key, "data-story": line.key },
          line.seat !== null && line.seat !== undefined ? hat(line.seat, 34) : h("span.nohat"),
          line.piece && !line.parts.some(p => pieceOf(p) === line.piece) ? chip(line.piece, 28) : null,
          h("span.tx", parts(line.parts, { food: false })),
          line.gain
            ? h(
                "b",
                { class: line.gain > 0 ? "gain" : "loss" },
                `${line.gain > 0 ? "+" : "−"}${amount(Math.abs(line.gain), view.unit)}`,
              )
            : null,
        ),
      ),
  );
}

const PARTS = ["lost", "tap", "fault", "wait"];
/**
 * @param {string} text
 * @param {Phrase[]} list
 */
const same = (text, list) => plain(list).toLowerCase() === text.toLowerCase();

/**
 * What a part of the hardware says of itself; and what was refused and is not said by the sentence already.
 * @param {View} view
 */
export const broken = view => (view.alerts || []).filter(a => PARTS.includes(a.kind));
/** @param {View} view */
export const refused = view =>
  (view.alerts || []).filter(
    a => !PARTS.includes(a.kind) && !same(a.text, view.say.parts) && !same(a.text, view.say.then),
  );
/**
 * The sentence itself says what was refused: it gets the sign and the button.
 * @param {View} view
 */
export const saysWrong = view =>
  view.say.tone === "wrong" && (view.alerts || []).some(a => same(a.text, view.say.parts));

/**
 * `help`: the page that says more of it.
 * @param {AlertView} alert
 * @param {((event: Listened<MouseEvent>) => unknown) | null} [dismiss]
 * @param {string | null} [help]
 */
export const notice = (alert, dismiss, help) =>
  h(
    "div",
    { class: `notice is-${alert.kind}`, role: "alert", "data-alert": alert.kind },
    s("svg.ic", { width: 56, height: 56, "aria-hidden": "true" }, s("use", { href: "#ic-refuse" })),
    h("p", help ? h("a", { href: help }, alert.text) : alert.text),
    dismiss &&
      h(
        "button.round",
        { "data-action": "next", "aria-label": word("dismiss"), onclick: dismiss },
        sign("close", 28),
      ),
  );

const LOOKED_AT = 3_200; // ms that a reward is shown

/**
 * The reward of a seat's last card, shown once a key: food that is safe lands, lost food rolls away.
 * @param {View} view
 * @param {HTMLElement} el
 */
export function reveal(view, el) {
  const reward = view.reward;
  if (!reward) return;
  const key = `reward:${view.match?.id}:${reward.key}`;
  try {
    if (sessionStorage.getItem(key)) return;
    sessionStorage.setItem(key, "1");
  } catch {
    if (el.dataset.key === key) return;
  }
  el.dataset.key = key;
  const n = Math.min(14, reward.count);
  el.className = `reveal ${reward.kind}`;
  patch(
    el,
    h(
      "div.card",
      { key },
      hat(reward.seat, 120),
      h("b.nm", reward.name),
      h(
        "div.nuts",
        Array.from({ length: n }, (_, i) =>
          withAttributes(acorn(64, reward.kind === "kept" ? "" : "looseart"), { style: `--i:${i}` }),
        ),
      ),
      h("p", parts(reward.parts)),
      reward.lead.length > 0 && h("p.lead", parts(reward.lead)),
    ),
  );
  el.hidden = false;
  const hide = () => {
    el.classList.add("gone");
    clearTimeout(timer);
    setTimeout(() => {
      el.hidden = true;
    }, 350);
  };
  const timer = setTimeout(hide, LOOKED_AT);
  el.onclick = hide;
}

/**
 * The MOCK sign, even if the page was rendered without it.
 * @param {{ mock: boolean }} view
 */
export const mocked = view => document.documentElement.toggleAttribute("data-mock", !!view.mock);

/**
 * The picture of the address: another one once the machine has another address, so that pages ask anew.
 * @param {View | undefined} view
 */
export const codeOf = view => view?.join?.qr ?? "qr.svg?at=";
