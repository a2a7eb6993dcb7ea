// The table page: the live course, the sentence, and the taps that stand in for what is not sensed.
import { betsOf, fit as fitTables, panelList, panelTable, tagOf } from "../common/boards.js";
import { $, every, chip, h, maybe, render, wear, word } from "../common/draw.js";
import { codeOf } from "./code.js";
import { roomIn } from "../course/geometry.js";
import { live } from "../common/live.js";
import * as odds from "../common/odds.js";
import * as panel from "../common/panels.js";
import { seatJoin } from "./reveal.js";
import { press, send } from "../common/send.js";
import { clauses } from "../common/sentence.js";
import { fitStage, turnStage } from "./stage.js";
import { Taps } from "./taps.js";
import { Track } from "../course/track.js";
import "../common/unlock.js";

const stage = $("#stage");
const course = $("#course");
const board = $("#board");
const dock = $("#dock");
const side = $("#side");
const words = $("#words");
const lines = $("#story-list");
const ROLES = (document.body.dataset.roles ?? "").split(" ");
const mayPlay = ROLES.includes("table") || ROLES.includes("host");
/** @type {Track} */
const track = new Track($("#track"));
const taps = new Taps($("#taps"), () => draw(say, play, showPanels));
/** @type {View} */
let view;
let doubt = false;
/** @type {HTMLElement | null} */
let picker = null;
/** @type {Offer} */
let extra = {};
/** @type {string | null} */
let opened = null; // the panel shown large on request
/** @type {Record<string, string>} */
const done = {};

/**
 * Whether something that takes a while to be measured was measured already: `name`, made of `facts`.
 * @param {string} name
 * @param {...unknown} facts
 */
function same(name, ...facts) {
  const now = JSON.stringify([facts, document.fonts.status]);
  const was = done[name];
  done[name] = now;
  return was === now;
}

/** How large the boxes are, [width, height]: to ask an element in the middle of drawing would lay out the
    page anew. */
/** @type {Map<Element, [number, number]>} */
const sizes = new Map([stage, words, course, side, dock].map(el => [el, [0, 0]]));
/** @param {HTMLElement} el */
const sizeOf = el => sizes.get(el) ?? [0, 0];
/**
 * What is drawn anew when a box has another size.
 * @type {Record<string, (() => void)[]>}
 */
const affected = { words: [say], dock: [play], side: [showPanels], course: [play, showPanels] };
const observed = new ResizeObserver(all => {
  for (const {
    target,
    contentRect: { width, height },
  } of all) {
    sizes.set(target, [Math.round(width), Math.round(height)]);
  }
  if (view) draw(...all.flatMap(({ target }) => affected[target.id] ?? [say, play, showPanels]));
});

fitStage(stage);
for (const el of sizes.keys()) observed.observe(el);
addEventListener("resize", () => fitStage(stage));
for (const button of every("[data-action=turn]")) {
  button.addEventListener("click", () => turnStage(stage, Number(button.dataset.quarters)));
}
new MutationObserver(() => view && crowded()).observe($("#holds") ?? dock, { childList: true });

/** A notice above the story may leave no room for a whole line of it. */
const storyRoom = new ResizeObserver(() => {
  lines.style.visibility = lines.clientHeight < (maybe("li", lines)?.offsetHeight ?? 0) ? "hidden" : "";
});

/** @param {Event} event */
const dismiss = event => press(event.currentTarget, "api/next", {});

/** Sizes of the big and the small letters (px), the first that fit. */
/** @type {[number, number][]} */
const SIZES = [
  [44, 22],
  [42, 20],
  [40, 20],
  [40, 18],
];
/** Whether each clause begins a line, and in how many lines it is to fit. */
/** @type {[boolean, number][]} */
const WAYS = [
  [true, 2],
  [false, 2],
  [true, 9],
];

/** The sentence at 44 px, never under 40: what is too long for that goes to the small line, clause by clause.
    Only a first clause that is too long by itself (four long names) is made smaller. */
function fit() {
  const big = $("#big");
  const then = $("#then");
  // nor said again to a screen reader
  if (same("sentence", view.say.parts, view.say.then, sizes.get(words))) return;
  /**
   * @param {number} size
   * @param {number} small
   */
  const fits = (size, small, most = 9) => {
    big.style.fontSize = `${size}px`;
    then.style.fontSize = `${small}px`;
    return (
      words.scrollHeight <= words.clientHeight + 1 &&
      big.scrollWidth <= big.clientWidth + 1 &&
      big.clientHeight < size * (most + 0.5)
    );
  };
  for (let large = clauses(view.say.parts).length; large > 0; large--) {
    panel.say(view, big, then, large);
    for (const [stacked, most] of WAYS) {
      big.classList.toggle("stacked", stacked);
      if (SIZES.some(([size, small]) => fits(size, small, most))) return;
    }
  }
  then.hidden = true;
  [40, 38, 36, 33, 30, 27].some(size => fits(size, 18));
}

/**
 * A course that is not the printed one says so, beside the gate or, where that is too narrow, below.
 * @param {Geometry} c
 */
function placeholder(c) {
  const told = view.course?.placeholder && !view.panels.some(p => tagOf(view, p));
  const el = $("#placeholder");
  const foot = $("#placeholder-foot");
  el.hidden = !told || !c.sign;
  foot.hidden = !told || !!c.sign;
  for (const tag of [el, foot]) {
    Object.assign(tag, { textContent: word("placeholder"), title: word("placeholder board") });
  }
  if (c.sign) Object.assign(el.style, { left: `${c.sign.x}px`, top: `${c.sign.y}px` });
}

function sentence() {
  const [width, height] = sizeOf(stage);
  const portrait = height > width;
  const small = width < 1150;
  panel.sketch(view, $("#pic"), portrait ? 0.82 : small ? 0.8 : 1);
  fit();
}

/**
 * What the board shows.
 * @typedef {"wrong" | "pick" | "tote" | "luck" | "panel" | "podium" | "round"} Shown
 */

/**
 * What the board says: what is wrong, a set to choose, the winners, a panel, the odds.
 * @param {AlertView[]} wrong
 * @param {FixView[]} trust
 * @returns {Shown}
 */
function kind(wrong, trust) {
  if (wrong.length || trust.length) return "wrong";
  if (picker) return "pick";
  if (opened) return opened === "tote" || opened === "luck" ? opened : "panel";
  if (view.match?.finished) return "podium";
  if (view.roundEnd) return "round";
  return view.panels.length && track.course?.infield ? "panel" : "tote";
}

/**
 * How high a box lies between two rows of a course, away from what is to be moved.
 * @param {Geometry} c
 */
function aside(c) {
  const high = view.moves
    .flatMap(m => [m.from, m.to])
    .filter(space => space !== null)
    .map(space => c.at(c.fits(space)).y);
  const above = high.reduce((sum, y) => sum + y, 0) > (high.length * c.height) / 2;
  const between = c.lane + c.strip / 2 + 8;
  return above ? between : c.height - between;
}

/** How many rows the standings or the odds have. */
const rowsOf = () => Math.max(view.odds?.rows.length ?? 0, view.standings.length);

/**
 * How high a board in the infield may be, `low` where nothing is said of its kind.
 * @param {string} of
 * @param {Infield} free
 * @param {number} low
 */
function highest(of, free, low) {
  const rows = rowsOf();
  if (of === "tote") return 62 + rows * 48;
  if (of === "wrong") return 230;
  if (of === "round") return free.w < 520 ? 66 + rows * 44 : 96 + rows * 54;
  if (of === "podium") return free.w < 480 ? 214 : 286;
  return low;
}

/**
 * The box of a board that may lie over the lane of `c`; `whole`: also over all the track.
 * @param {Geometry} c
 * @param {string} of
 * @param {boolean} whole
 */
function over(c, of, whole) {
  return {
    x: c.width / 2,
    y: of === "wrong" && c.strip ? aside(c) : c.height / 2,
    w: Math.min(of === "pick" ? 640 : whole ? 1200 : 560, c.width - 12),
    h: whole ? c.height - 8 : Math.min(420, c.height - 40),
  };
}

/**
 * The box in the middle of the course that the board gets; `whole`: it may cover the track; `low`: not
 * higher than that.
 * @param {string} of
 */
function room(of, whole = false, low = 400) {
  const c = track.laid;
  const free = c.infield;
  if (!free || whole) return over(c, of, whole);
  const [widest, edge] = of === "tote" ? [560, 20] : [640, 12];
  return roomIn(free, widest, Math.min(highest(of, free, low), free.h - edge), c.asides);
}

/**
 * @param {string} of
 * @param {boolean} [whole]
 * @param {number} [low]
 */
function put(of, whole = false, low) {
  const at = room(of, whole, low);
  Object.assign(board.style, {
    left: `${at.x}px`,
    top: `${at.y}px`,
    width: `${at.w}px`,
    maxHeight: `${at.h}px`,
  });
  board.classList.toggle("narrow", at.w < 470);
  board.classList.toggle("wide", at.w > 400);
  board.classList.toggle("flat", of === "tote" && at.h < 50 + rowsOf() * 44);
  board.classList.toggle("whole", !!whole);
  stage.classList.toggle("covered", !!whole && !!opened);
}

/** Whether what the board holds fits into it; `low`: with lower rows. */
function fitsBoard(low = false) {
  board.classList.toggle("low", low);
  fitTables(board);
  const box = board.firstElementChild ?? board;
  return (
    box.scrollHeight <= box.clientHeight + 1 &&
    board.scrollHeight <= board.clientHeight + 1 &&
    box.scrollWidth <= box.clientWidth + 1
  );
}

/** What is to be said to the table, and the ways to agree about a piece that stands wrong. */
function trouble() {
  const wrong = panel.refused(view);
  const fixes = mayPlay ? view.actions.trust : [];
  if (!fixes.length) doubt = false;
  const told = view.say.tone === "wrong" || wrong.length > 0;
  const ask = maybe("[data-action=doubt]");
  if (ask) {
    ask.hidden = !fixes.length || (told && fixes.every(fix => fix.wrong));
    ask.setAttribute("aria-expanded", String(doubt));
  }
  return { wrong, trust: doubt ? fixes : told ? fixes.filter(fix => fix.wrong) : [] };
}

/** Whether pieces are on their way along the track, so that it must be seen. */
const moving = () => !view.moves.every(m => m.to === null || (m.to === 0 && track.laid.closed));

function showBoard() {
  const { wrong, trust } = trouble();
  const c = track.course;
  if (!c) return;
  const of = kind(wrong, trust);
  const still = !opened && moving();
  const shown = of === "panel" ? [shownPanel(), still, betsOf(view)] : null;
  if (same("board", of, shown, opened, picker?.outerHTML, c.width, c.height) && shown) return;
  board.dataset.kind = of;
  board.className = `board is-${of}`;
  board.hidden = of === "tote" && !opened && (!view.odds || !c.infield);
  put(of, of === "luck");
  if (of === "tote") {
    showTote();
    return;
  }
  fillBoard(of, wrong, trust);
  if (of === "pick" && !fitsBoard()) put(of, true);
  if (of === "luck") $(".luck", board).classList.toggle("dense", !fitsBoard());
  if (of === "panel") fitPanel(still);
}

/** The panel on the board: the one that was asked for, else the first. */
const shownPanel = () => view.panels.find(p => p.name === (opened ?? view.panels[0]?.name));

/**
 * Draw what the board holds, if that has changed.
 * @param {Shown} of
 * @param {AlertView[]} wrong
 * @param {FixView[]} trust
 */
function fillBoard(of, wrong, trust) {
  const shown = shownPanel();
  /** @type {Record<string, () => unknown>} */
  const facts = {
    pick: () => picker?.outerHTML,
    panel: () => [shown, opened, betsOf(view)],
    luck: () => view.luck,
    round: () => view.roundEnd,
    podium: () => view.standings,
    wrong: () => [wrong, trust, trust.length > 0 && view.seq],
  };
  /** @type {Record<string, () => Child>} */
  const made = {
    pick: () => picker,
    panel: () => [shown && panelTable(shown, tagOf(view, shown), view.odds), opened && closePanel()],
    luck: () => [odds.luck(view.luck), closePanel()],
    round: () => panel.roundEnd(view),
    podium: () => panel.podium(view),
    wrong: () => notices(wrong, trust),
  };
  render(board, [of, facts[of]()], made[of]);
}

function showTote() {
  if (!board.querySelector(".tote") || !opened !== !maybe(".closepanel", board)) {
    board.replaceChildren(h("section", { class: "tote" }), ...(opened ? [closePanel()] : []));
    delete board.dataset.shown;
  }
  odds.tote(view, $(".tote", board));
  delete board.dataset.shown;
}

/**
 * What was refused, each with its sign, and what may be done about it.
 * @param {AlertView[]} wrong
 * @param {FixView[]} trust
 */
const notices = (wrong, trust) => [
  ...wrong.map(a => panel.notice(a, mayPlay ? dismiss : null)),
  trust.length > 0 &&
    h(
      "div",
      { class: "trust" },
      trust.map(t =>
        h(
          "button",
          {
            type: "button",
            "data-action": `trust-${t.side}`,
            "data-trust": t.piece,
            onclick: e =>
              press(e.currentTarget, "api/trust", { seq: view.seq, side: t.side, piece: t.piece }),
          },
          chip(t.piece, 32),
          h("span", {}, t.text),
        ),
      ),
    ),
];

/**
 * A long settlement covers the track, unless something has still to be moved along it.
 * @param {boolean} still
 */
function fitPanel(still) {
  if (fitsSomewhere()) return;
  put("panel", true);
  if (!fitsBoard() && !fitsBoard(true)) $(".pbox", board).classList.add("dense");
  if (still) {
    board.hidden = true;
    board.dataset.kind = "none";
  }
}

/** The lower a board, the wider it may be between the bends of a loop: the first height at which the panel
    fits. */
function fitsSomewhere() {
  const free = track.laid.infield;
  const rows = every("tbody tr", board).length;
  if (free && rows * 32 > free.h) return false;
  for (const low of [false, true]) {
    for (let height = free ? 150 : 400; height <= (free?.h ?? 400); height += 24) {
      put("panel", false, height);
      if (fitsBoard(low)) return true;
    }
  }
  return false;
}

const closePanel = () =>
  h(
    "button",
    {
      type: "button",
      class: "round quiet closepanel",
      "data-action": "close-panel",
      "aria-label": word("close"),
      onclick: () => {
        opened = null;
        draw(showPanels);
      },
    },
    h("span", { "aria-hidden": "true" }, "✕"),
  );

/** What is shown large if somebody asks for it: the odds where the course has no room for them, luck at the
    end. */
const asked = () => [
  ...(view.odds && !view.match?.finished && (view.panels.length || !track.course?.infield)
    ? [{ name: "tote", title: view.odds.title }]
    : []),
  ...(view.luck ? [{ name: "luck", title: view.luck.title }] : []),
];

/** The panels that are not on the board. */
function besides() {
  const on = board.dataset.kind === "panel" && !board.hidden ? shownPanel() : null;
  return view.panels.filter(p => p !== on);
}

/** The panels beside the course: for them the story gives way, then the column is set tighter; what still has
    no room can be opened. */
function beside() {
  const box = $("#panels");
  const more = $("#more");
  const story = $("#more .story");
  const unseen = $("#unseen");
  const list = besides();
  if (
    same(
      "beside",
      betsOf(view),
      asked().map(one => one.name),
      list,
      view.match?.colours,
      sizes.get(side),
      view.standings.map(row => [row.name, row.staked]),
      view.story,
      panel.broken(view),
      view.join,
    )
  ) {
    return;
  }
  panelList(view, list, box);
  const sections = every(":scope > *", box);
  /** @param {HTMLElement} el */
  const wide = el => el.scrollWidth > el.clientWidth + 1;
  const low = () => more.scrollHeight > more.clientHeight + 1 || (!story.hidden && story.clientHeight < 92);
  const full = () => {
    fitTables(box);
    return sections.some(el => !el.hidden && (low() || wide(el)));
  };
  side.classList.remove("compact", "compacter");
  for (const el of [story, ...sections]) el.hidden = false;
  unseen.hidden = true;
  const offer = () => {
    const away = [...asked(), ...list.filter((_, i) => sections[i].hidden)];
    unseen.hidden = !away.length;
    render(
      unseen,
      away.map(p => [p.name, p.title]),
      () =>
        away.map(p =>
          h(
            "button",
            {
              type: "button",
              class: "quiet",
              "data-action": "open-panel",
              "data-open": p.name,
              onclick: () => {
                opened = p.name;
                draw(showPanels);
              },
            },
            p.title,
          ),
        ),
    );
  };
  offer();
  if (full() && !panel.broken(view).length) story.hidden = true;
  for (const tight of ["compact", "compacter"]) if (full()) side.classList.add(tight);
  while (full()) {
    const last = sections.find(el => !el.hidden && wide(el)) ?? sections.findLast(el => !el.hidden);
    if (last) last.hidden = true;
    offer();
  }
  for (const el of sections.filter(one => one.hidden)) {
    // a lower one may fit where a higher one did not
    el.hidden = false;
    offer();
    if (full()) el.hidden = true;
    offer();
  }
}

/** Where the taps need the room, the buttons beside them do without words. */
function crowded() {
  if (same("dock", dock.innerHTML, sizes.get(dock))) return;
  /** @param {boolean} on */
  const wordless = on => maybe("[data-action=undo] span")?.classList.toggle("sr", on);
  dock.classList.remove("tight", "tighter");
  wordless(false);
  const cut = () =>
    dock.scrollWidth > dock.clientWidth + 1 ||
    every(".seatbtn b, .hold b", dock).some(el => el.scrollWidth > el.clientWidth + 1) ||
    every(".tools span:not(.sr)", dock).some(el => el.offsetParent && el.scrollHeight > el.clientHeight + 2);
  if (cut()) {
    dock.classList.add("tight");
    wordless(true);
  }
  if (cut()) dock.classList.add("tighter");
}

/**
 * @param {string} name
 * @param {{ text: string } | null} action
 */
const actionButton = (name, action) => {
  const button = $(`[data-action=${name}]`);
  if (!button) return;
  button.hidden = !action;
  if (!action) return;
  text($("span", button), action.text);
  button.title = action.text;
};

/**
 * @param {HTMLElement} el
 * @param {string} now
 */
const text = (el, now) => {
  if (el.textContent !== now) el.textContent = now;
};

function say() {
  panel.mocked(view);
  wear(view.match?.colours);
  stage.dataset.tone = view.say.tone;
  stage.classList.toggle("idle", !view.match);
  const wrong = panel.saysWrong(view);
  const close = $("#say [data-action=next]");
  stage.classList.toggle("refusing", wrong);
  if (close) close.hidden = !wrong;
  $("#start").hidden = !!view.match;
  for (const el of [course, side, dock]) el.hidden = !view.match;
  if (sizeOf(stage)[0]) sentence();
  // who reads it may tap at once
  ({ extra, picker } = view.match && mayPlay ? taps.draw(view) : { extra: {}, picker: null });
  actionButton("undo", view.actions.undo);
  actionButton("redo", view.actions.redo);
  const again = $("#again");
  /** @type {HTMLAnchorElement} */
  const back = $("#look-back");
  const ended = !!view.match?.finished;
  back.hidden = !ended;
  if (ended) back.href = `history/${view.match?.id}`;
  if (again) again.hidden = !ended;
}

function play() {
  if (view.match) crowded();
  const [width, height] = sizeOf(course);
  if (!view.course || !width) return;
  stage.classList.toggle("no-infield", !track.lay(view.course, width, height, view.pieces.length).infield);
  track.show(view, extra);
}

function tell() {
  const join = seatJoin(view) ?? view.join;
  for (const el of every("[data-join]")) {
    el.hidden = !join;
    if (!join) continue;
    /** @type {HTMLImageElement} */
    const img = $("img", el);
    if (img.getAttribute("src") !== join.qr) img.src = join.qr;
    text($("[data-join-text]", el), join.text);
  }
  /** @type {HTMLImageElement} */
  const choose = $("[data-host-code]");
  if (view.join && !view.match) choose.src = `${codeOf(view)}&to=host`;
  if (!view.match) return;
  const inside = view.course?.kind === "loop" && view.course.spaces <= 60 && !view.panels.length;
  panel.standings(view, { head: $("#stand-head"), list: $("#stand-list"), odds: !inside });
  if (panel.story(view, lines)) {
    storyRoom.disconnect();
    for (const el of [lines, lines.firstElementChild]) if (el) storyRoom.observe(el);
  }
  $("#stock").hidden = !view.stockText;
  text($("#stock span"), view.stockText ?? "");
  render($("#lost"), panel.broken(view), () =>
    panel.broken(view).map(a => panel.notice(a, null, a.kind === "wait" ? null : "hardware")),
  );
}

function showPanels() {
  if (!view.match || !track.course) return;
  if (![...view.panels, ...asked()].some(p => p.name === opened)) opened = null;
  placeholder(track.course);
  showBoard();
  beside();
  panel.reveal(view, $("#reveal"));
}

/** What is still to be drawn, a step a frame, so that no frame takes long: first what is to be done now. */
/** @type {(() => void)[]} */
const STEPS = [say, play, tell, showPanels];
/** @type {Set<() => void>} */
const todo = new Set();
/** @type {View | null} */
let coming = null;
let waiting = 0;
/** @type {number | null} */
let painted = null;
const wake = () => {
  waiting ||= requestAnimationFrame(frame);
};
/** @param {...(() => void)} steps */
function draw(...steps) {
  for (const one of steps) todo.add(one);
  wake();
}
const refresh = () => draw(...STEPS);

function frame() {
  if (coming) {
    // a slow tablet skips what is old already
    if (coming.match?.id !== view?.match?.id) {
      taps.forget();
      opened = null;
    }
    sound?.heard(view, coming);
    [view, coming] = [coming, null];
    refresh();
  }
  const next = STEPS.find(one => todo.has(one));
  waiting = 0;
  if (!next) return;
  todo.delete(next);
  if (todo.size) wake();
  next();
  if (!todo.size) tellPainted();
}

/** Say once that what stands at a new entry is on the screen: so the time from sensor to screen is measured.
 */
function tellPainted() {
  const { seq } = view;
  const first = painted === null;
  if (seq === painted) return;
  painted = seq;
  if (mayPlay && !first) requestAnimationFrame(() => send("api/painted", { seq }, { quiet: true }));
}

/**
 * @param {Event} event
 * @param {"undo" | "redo"} name
 */
async function step(event, name) {
  taps.forget();
  const { ok, data } = await press(event.currentTarget, `api/${name}`, { seq: view.seq });
  if (ok && name === "undo") (await import("./taken-back.js")).takenBack(data);
}
maybe("[data-action=undo]")?.addEventListener("click", event => step(event, "undo"));
maybe("[data-action=redo]")?.addEventListener("click", event => step(event, "redo"));

maybe("#say [data-action=next]")?.addEventListener("click", dismiss);

maybe("[data-action=doubt]")?.addEventListener("click", () => {
  doubt = !doubt;
  draw(showPanels);
});

const door = maybe("#door");
maybe("[data-action=unlock]")?.addEventListener("click", () => {
  if (!door) return;
  door.hidden = false;
  $("input", door).focus();
});
door?.addEventListener("keydown", e => {
  if (e.key === "Escape") {
    door.hidden = true;
    $("[data-action=unlock]").focus();
  }
});
maybe("[data-action=close-door]")?.addEventListener("click", () => {
  if (door) door.hidden = true;
  $("[data-action=unlock]").focus();
});

live(now => {
  coming = now;
  wake();
});

/** Where a browser lets a page keep the screen on (the Pi's own does), it is kept on; elsewhere the start
    screen says where that is set. */
const awake = () => {
  if (!document.hidden) {
    navigator.wakeLock?.request("screen").catch(() => {
      maybe("#awake")?.removeAttribute("hidden");
    });
  }
};
if (!navigator.wakeLock) maybe("#awake")?.removeAttribute("hidden");
document.addEventListener("visibilitychange", awake);
awake();

/* How numbers are written takes as long as a frame to find out: in an idle moment, not with the first odds.
 */
window.requestIdleCallback?.(() => odds.percent(1));

/** Sounds are fetched once somebody wants them: by the button, or before. */
/** @type {typeof import("../common/sound.js") | null} */
let sound = null;
const loud = $("[data-action=sound]");
const hear = async () => {
  sound = await import("../common/sound.js");
};
try {
  if ((localStorage.getItem("sound") ?? "off") !== "off") hear();
} catch {
  /* this device keeps nothing */
}
loud?.addEventListener(
  "click",
  async event => {
    if (sound) return;
    event.stopImmediatePropagation();
    await hear();
    loud.click();
  },
  { capture: true },
);
for (const button of every("[data-action=join]")) {
  button.addEventListener("click", async () => (await import("./join.js")).join(button, view));
}
document.fonts?.ready.then(() => view && refresh());
