// The table page: the live course, the sentence, and the taps that stand in for what is not sensed.
import { codeOf } from "../common/panels.js";
import { $, calm, every, maybe, patch, wear, word } from "../common/draw.js";
import { tagOf } from "../common/boards.js";
import { Board } from "./board.js";
import { guard, live } from "../common/live.js";
import { Measured } from "../common/measured.js";
import * as odds from "../common/odds.js";
import * as panel from "../common/panels.js";
import { seatJoin } from "./reveal.js";
import { recall } from "../common/remember.js";
import { getJson, press, send } from "../common/send.js";
import { clauses } from "../common/sentence.js";
import { fitStage, turnStage } from "./stage.js";
import { Taps } from "./taps.js";
import { Track } from "../course/track.js";

const stage = $("#stage");
const course = $("#course");
const dock = $("#dock");
const side = $("#side");
const words = $("#words");
const lines = $("#story-list");
const ROLES = (document.body.dataset.roles ?? "").split(" ");
const mayPlay = ROLES.includes("table") || ROLES.includes("host");
/** @type {Track} */
const track = new Track($("#track"));
const taps = new Taps($("#taps"), () => draw(say, play, showPanels));
const onceMore = () => {
  coming ??= latest;
  wake();
};
const board = new Board(track, mayPlay, () => draw(showPanels), onceMore);
/** What is shown in turn, and a last card: loaded with the first move. */
/** @type {typeof import("../finish/part.js") | null} */
let part = null;
/** @type {import("../finish/director.js").Director | null} */
let director = null;
async function loadPart() {
  const loaded = await import("../finish/part.js");
  await loaded.styled;
  if (part) return;
  part = loaded;
  director = new part.Director(onceMore, {
    result: word("the result"),
    quiet: () => calm() || document.hidden,
  });
  onceMore();
}
$("#reveal").addEventListener("click", () => director?.skip());
/** @type {View} */
let view;
/** @type {VNode | null} */
let picker = null;
/** @type {Offer} */
let extra = {};
const sentenceFits = new Measured(words);
const dockFits = new Measured(dock);

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
new MutationObserver(() => view && uncrowd()).observe($("#holds") ?? dock, { childList: true });

/** @type {Element | null} */
let newest = null;
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
 * A course that is not the printed one says so, next to the gate or, where that is too narrow, below.
 * @param {Geometry} c
 */
function placeholder(c) {
  const isPlaceholder = view.course?.placeholder && !view.panels.some(p => tagOf(view, p));
  const el = $("#placeholder");
  const foot = $("#placeholder-foot");
  el.hidden = !isPlaceholder || !c.sign;
  foot.hidden = !isPlaceholder || !!c.sign;
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
  sentenceFits.again(fit, view.say, sizes.get(words)); // nor said again to a screen reader
}

/** Where the taps need the room, the buttons next to them do without words. */
function crowded() {
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

const uncrowd = () => dockFits.again(crowded, sizes.get(dock));

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
  wear(view.match);
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
  if (view.match) uncrowd(); // at once: a button that moved in the next frame would be missed
  const again = $("#again");
  /** @type {HTMLAnchorElement} */
  const back = $("#look-back");
  const ended = !!view.over;
  for (const el of [back, $("[data-action=keep]")]) el.hidden = !ended;
  curtain();
  if (ended) back.href = `history/${view.match?.id}`;
  if (again) again.hidden = !ended;
}

/** The finish, over all but the buttons: loaded with the first game that ends. */
/** @type {import("../finish/finish.js").Finish | null} */
let finish = null;
/** Whether the numbers are looked at instead. */
let numbers = false;
const toNumbers = $("[data-action=numbers]");
function curtain() {
  const on = !!view.over && view.say.tone === "end" && !panel.refused(view).length;
  if (view.over && !finish) loadFinish();
  if (!view.over) numbers = false;
  const shown = on && !numbers && finish;
  if (shown) shown.show(view, { plays: !!part && director?.ended === part.keyOf(view) });
  else finish?.hide(!on);
  stage.classList.toggle("finished", !!shown);
  stage.classList.toggle("finishing", !!shown && shown.playing);
  toNumbers.hidden = !on || !finish;
  text(toNumbers, word(numbers ? "finish" : "numbers"));
}

async function loadFinish() {
  const loaded = await import("../finish/finish.js");
  await loaded.styled;
  finish ??= new loaded.Finish($("#finish"), {
    cue: (name, said) => sound?.cue(name, said),
    ended: () => draw(say, showPanels),
  });
  draw(say, showPanels);
}

toNumbers.addEventListener("click", () => {
  numbers = !numbers;
  refresh();
});

function play() {
  if (view.match) uncrowd();
  const [width, height] = sizeOf(course);
  if (!view.course || !width) return;
  track.lay(view.course, width, height, view.pieces.length);
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
  guard("standings", () =>
    panel.standings(view, { head: $("#stand-head"), list: $("#stand-list"), odds: !board.bears(view) }),
  );
  guard("story", () => panel.story(view, lines));
  if (lines.firstElementChild !== newest) {
    newest = lines.firstElementChild;
    storyRoom.disconnect();
    for (const el of [lines, newest]) if (el) storyRoom.observe(el);
  }
  $("#stock").hidden = !view.stockText;
  text($("#stock span"), view.stockText ?? "");
  const broken = panel.broken(view);
  $("#more").classList.toggle("with-faults", broken.length > 0);
  patch(
    $("#lost"),
    broken.map(a => panel.notice(a, null, a.kind === "wait" ? null : "hardware")),
  );
}

function showPanels() {
  if (!view.match || !track.course) return;
  const stake = part?.gamble(view);
  board.stake = (stake && part?.gambled(stake)) ?? null;
  placeholder(track.course);
  board.show(view, picker, sizeOf(side));
  const reward = $("#reveal");
  panel.reveal(view, reward);
  if (!reward.hidden) board.lay(reward);
}

/** What is still to be drawn, a step a frame, so that no frame takes long: first what is to be done now. */
/** @type {Map<() => void, import("../common/trouble.js").Part>} */
const STEPS = new Map([
  [say, "sentence"],
  [play, "course"],
  [tell, "page"],
  [showPanels, "panels"],
]);
/** @type {Set<() => void>} */
const todo = new Set();
/** @type {View | null} */
let coming = null;
/** What came last. @type {View | null} */
let latest = null;
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
const refresh = () => draw(...STEPS.keys());

function frame() {
  if (coming) {
    // a slow tablet skips what is old already
    if (coming.match?.id !== view?.match?.id) {
      taps.forget();
      board.forget();
    }
    [latest, coming] = [coming, null];
    if (latest.story.length && !part) loadPart();
    const whole = withTipsters(latest);
    const now = board.staged(director ? director.staged(whole) : whole);
    sound?.heard(view, now);
    view = now;
    refresh();
  }
  const [next, name] = [...STEPS].find(([one]) => todo.has(one)) ?? [];
  waiting = 0;
  if (!next || !name) return;
  todo.delete(next);
  if (todo.size) wake();
  guard(name, next);
  if (!todo.size) tellPainted();
}

/**
 * The tipsters' table of the game that is over, once it is here.
 * @type {{ match: number, panel: PanelView | null }}
 */
let tipsters = { match: 0, panel: null };
/** @param {View} of */
const withTipsters = of => {
  const match = of.crowd === "over" ? (of.match?.id ?? 0) : 0;
  if (match !== tipsters.match) askTipsters(match);
  return tipsters.panel ? { ...of, panels: [...of.panels, tipsters.panel] } : of;
};
/** @param {number} match */
async function askTipsters(match) {
  const request = { match, panel: null };
  tipsters = request;
  /** @type {CrowdView | null} */
  const crowd = match ? await getJson("api/crowd") : null;
  if (tipsters !== request || !crowd?.tipsters) return;
  tipsters = { match, panel: crowd.tipsters };
  coming ??= latest;
  wake();
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
maybe("[data-action=practice]")?.addEventListener("click", event =>
  press(event.currentTarget, "api/practice", {}),
);
maybe("#again")?.addEventListener("click", event =>
  press(event.currentTarget, "api/again", { seq: view.seq }),
);
$("[data-action=keep]").addEventListener("click", async ({ currentTarget }) =>
  (await import("../common/keepsake.js")).keep(currentTarget, view.match?.id ?? 0),
);
maybe("[data-action=redo]")?.addEventListener("click", event => step(event, "redo"));

maybe("#say [data-action=next]")?.addEventListener("click", dismiss);

live(now => {
  coming = now;
  wake();
});

/* What those who watch cheer is drawn by a part that is loaded with the first cheer. */
document.addEventListener("cheers", async ({ detail }) => {
  if (view?.course) (await import("../crowd/infield.js")).rise(detail.cheers, track);
});

/* The screen stays on by a wake lock, which a browser gives by https and on the table's own machine, else by
   a silent video; the start screen says where that is set. */
const awake = () => {
  if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {}); // its battery is nearly empty
};
document.addEventListener("visibilitychange", awake);
awake();
if (!navigator.wakeLock) {
  maybe("#awake")?.removeAttribute("hidden");
  import("../common/awake.js").then(video => video.play());
}

/* How numbers are written takes as long as a frame to find out: in an idle moment, not with the first odds.
 */
window.requestIdleCallback?.(() => odds.percent(1));

/** Sounds are fetched when they are first switched on, or were before. */
/** @type {typeof import("../common/sound.js") | null} */
let sound = null;
const loud = $("[data-action=sound]");
const hear = async () => {
  sound = await import("../common/sound.js");
};
if ((recall("sound") ?? "off") !== "off") hear();
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
