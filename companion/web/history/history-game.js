// One past game: a slider through its moments, and what there is to tell about it.
import { amount, fit, numberCard, panelList } from "../common/boards.js";
import {
  $,
  acorn,
  calm,
  chip,
  draw,
  every,
  h,
  headed,
  heading,
  hat,
  maybe,
  parts,
  patch,
  touched,
  wear,
  word,
} from "../common/draw.js";
import { Chart, sign, table } from "./history-chart.js";
import { day } from "../common/dates.js";
import { percent, tenths } from "../common/odds.js";
import { keep } from "../common/keepsake.js";
import { report } from "../common/luck.js";
import * as panel from "../common/panels.js";
import { podium } from "../common/podium.js";
import { getJson, press, tell } from "../common/send.js";
import { capital, pieceOf, plain } from "../common/sentence.js";
import { Track } from "../course/track.js";

const AGAIN = 2_000;
const STEP = 1_200;
const id = $("main").dataset.match;
/** @type {HTMLInputElement} */
const slider = $("#at");
/** @type {HTMLDetailsElement} */
const oddsTable = $("#odds-table");
const track = new Track($("#track"));
const chart = new Chart($("#chart"), moment => goTo(moment));
/** @type {PastGame} */
let past;
let at = 0;
/** @type {PastView} */
let view;
let playing = 0;
let opened = false;

// --- the moments -------------------------------------------------------------------------------

/** @type {Map<string, PastView>} */
const views = new Map();
/** @param {number} moment */
const key = moment => `${moment}${opened ? "?cards=open" : ""}`;
/** @type {Promise<void> | null} */
let working = null;

/** The moment nearest to where the slider is that is not here yet; null once all are. */
function nearest() {
  const { length } = past.moments;
  for (let far = 0; far < length; far++) {
    for (const moment of [at + far, at - far]) {
      if (moment >= 0 && moment < length && !views.has(key(moment))) return moment;
    }
  }
  return null;
}

/** Have every moment ready before it is wanted: one after another, so that the one wanted now comes next. */
async function fetchAll() {
  for (let next; !gone && (next = nearest()) !== null;) {
    const name = key(next);
    const moment = await getJson(`api/history/${id}/moments/${name}`);
    if (!moment) {
      offline();
      return;
    }
    views.set(name, moment);
    $("#stale").hidden = true;
    if (name === key(at)) show(moment, false);
  }
}
const have = () => {
  working ??= fetchAll().finally(() => {
    working = null;
  });
};

/**
 * Go to a moment; what is not here yet is drawn as soon as it comes.
 * @param {number} moment
 * @param {{ walk?: boolean }} [of]
 */
function goTo(moment, { walk = false } = {}) {
  at = Math.max(0, Math.min(past.moments.length - 1, moment));
  slider.value = String(at);
  slider.style.setProperty("--at", `${(100 * at) / (past.moments.length - 1 || 1)}%`);
  const now = past.moments[at];
  slider.setAttribute("aria-valuetext", plain(now.parts) || word("not said", { n: at }));
  $("#count").textContent = word("moment", { n: at, of: past.moments.length - 1 });
  patch($("#headline"), [
    now.seat !== null && hat(now.seat, 40),
    h("span", parts(capital(now.parts), { food: false })),
  ]);
  $("[data-action=back]").toggleAttribute("disabled", at === 0);
  $("[data-action=on]").toggleAttribute("disabled", at === past.moments.length - 1);
  odds();
  follow();
  const ready = views.get(key(at));
  if (ready) show(ready, walk);
  have();
}

/**
 * Draw a moment; pieces travel only where one moment follows another.
 * @param {PastView} moment
 * @param {boolean} walk
 */
function show(moment, walk) {
  view = moment;
  wear(view.match);
  $("#stage").textContent = view.round?.text ?? "";
  layTrack();
  if (!walk) {
    for (const p of view.pieces) {
      if (p.zone === "track" && p.space !== null) track.drop(p.piece, track.laid.fits(p.space));
    }
  }
  track.show(view);
  panel.standings(view, { head: $("#stand-head"), list: $("#stand-list") });
  $("#stand").hidden = false;
  panelList(view, view.panels, $("#panels"));
  fit($("#panels"));
  patch($("#hands"), hands());
}

function layTrack() {
  const width = $("#track").clientWidth;
  const height = view.course.spaces > 60 ? width : width * 0.62;
  $("#track").style.height = `${height}px`;
  track.lay(view.course, width, height, view.pieces.length);
}

// --- the whole game ----------------------------------------------------------------------------

/** @type {Promise<void> | null} */
let loading = null;
let gone = false;
const load = () => {
  if (!gone) loading = loaded();
};

async function loaded() {
  let answer;
  try {
    answer = await fetch(`api/history/${id}`);
  } catch {
    offline();
    setTimeout(load, AGAIN);
    return;
  }
  $("#stale").hidden = true;
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    if (answer.status < 500) {
      stop();
      $("#title").textContent = data.reason;
      for (const part of every(".col, #slider")) part.hidden = true;
      return;
    }
    setTimeout(load, AGAIN);
    return;
  }
  const first = !past;
  past = data;
  drawGame();
  if (first) {
    const [since, until] = location.hash.slice(1).split("-").map(Number);
    if (since < until) replay({ since, at: until });
    else goTo(location.hash && since >= 0 ? since : past.moments.length - 1);
  }
  if ((past.odds.done < past.odds.of || (!past.luck && !past.ended)) && !past.odds.off) {
    setTimeout(load, AGAIN);
  }
}

function offline() {
  $("#stale").hidden = false;
  setTimeout(() => {
    if (past) have();
  }, AGAIN);
}

function drawGame() {
  wear(past);
  const title = past.name || past.title;
  $("#title").textContent = title;
  document.title = title;
  $("#when").textContent =
    `${past.name ? `${past.title} · ` : ""}${day(past.when)} · ${past.seats.join(", ")}`;
  const end = { standings: past.standings, unit: past.unit, match: past };
  for (const part of every(".col")) part.hidden = false;
  $("#podium-box").hidden = false;
  patch($("#podium-box"), past.ended ? h("p.panel.box", word("given up")) : podium(end));
  slider.max = String(past.moments.length - 1);
  $("#slider").hidden = false;
  patch(
    $("#story"),
    past.moments.map((m, i) =>
      h(
        "li",
        h(
          "button",
          { "data-moment": i, onclick: () => goTo(i) },
          m.seat !== null ? hat(m.seat, 34) : h("span.nohat"),
          m.piece && !m.parts.some(p => pieceOf(p) === m.piece) ? chip(m.piece, 28) : null,
          h("span.tx", parts(m.parts, { food: false })),
        ),
      ),
    ),
  );
  odds();
  $("#rounds").hidden = !past.rounds.length;
  patch($("#rounds-table"), rounds());
  const note = past.ended ? word("luck ended") : past.odds.off ? null : word("luck soon");
  $("#luck").hidden = !past.luck && !note;
  const { luck, badges, headline } = past;
  patch(
    $("#luck"),
    luck
      ? report(luck, { seats: past.seats, badges, again: swing => ({ onclick: () => replay(swing) }) })
      : h("p.pbox", note),
  );
  $("#evening").hidden = !headline;
  patch($("#evening"), parts(headline));
  $("#cards").hidden = past.ended;
  /** @type {HTMLInputElement | null} */
  const name = maybe("#name");
  if (name && document.activeElement !== name) name.value = past.name;
  const forget = maybe("[data-action=forget]");
  if (forget && !forget.dataset.sure) forget.textContent = word("forget");
}

function odds() {
  const { done, of, off, wins } = past.odds;
  $("#odds-note").textContent = off ?? (done < of ? word("working", { n: done, of }) : word("odds ready"));
  for (const el of [$("#chart"), $("#odds-table")]) el.hidden = !done;
  patch($("#chart"), done > 0 && chart.draw(wins, past.seats, at), h("ul.legend", ...past.seats.map(chance)));
  fill();
}

/**
 * A seat's mark, and its chance at the moment.
 * @param {string} name
 * @param {number} seat
 */
function chance(name, seat) {
  const now = past.odds.wins[at];
  const error = past.odds.errors[at]?.[seat];
  return h(
    "li",
    { "data-chance": seat, title: now && error ? `± ${tenths(error * 100)} %` : "" },
    sign(seat),
    h("b", name),
    h("span.pc", now ? percent(now[seat]) : "…"),
  );
}

const fill = () => {
  if (oddsTable.open) draw($("#odds-table .scroll"), table, past.odds.wins, past.seats);
};
$("#odds-table").addEventListener("toggle", fill);

/** What each round brought each seat: food that is safe is whole, lost food an empty shell. */
function rounds() {
  /**
   * @param {number} seat
   * @param {"kept" | "lost" | "open"} what
   */
  const sum = (seat, what) => past.rounds.reduce((all, r) => all + r[what][seat], 0);
  /**
   * @param {number} n
   * @param {string} what
   */
  const count = (n, what) =>
    n
      ? h(
          "span",
          { class: `fd ${what}`, "aria-label": word(what, { n }), role: "img", title: word(what, { n }) },
          acorn(24, what === "kept" ? "" : "looseart"),
          h("b", String(n)),
        )
      : null;
  /**
   * @param {number} kept
   * @param {number} lost
   * @param {number} open
   */
  const cell = (kept, lost, open) =>
    kept || lost || open
      ? h("td", count(kept, "kept"), count(lost, "lost"), count(open, "open"))
      : h("td", h("span", { "aria-label": word("nothing"), role: "img" }, "–"));
  return h(
    "table.rounds",
    headed(
      [
        h("td"),
        past.rounds.map(r => heading("col", r.title)),
        past.rounds.length > 1 && heading("col", word("in all")),
      ],
      past.seats.map((name, seat) =>
        h(
          "tr",
          heading("row", hat(seat, 30), h("span", name)),
          past.rounds.map(r => cell(r.kept[seat], r.lost[seat], r.open[seat])),
          past.rounds.length > 1 && cell(sum(seat, "kept"), sum(seat, "lost"), sum(seat, "open")),
        ),
      ),
    ),
  );
}

/** Who had what, cards open. */
function hands() {
  /** @param {CardView} c */
  const card = c => (c.piece ? chip(c.piece, 34) : numberCard(c.text));
  /** @param {Known} f */
  const fact = f =>
    h(
      "span.fact",
      h("i.soft", word(f.key)),
      f.cards?.map(card),
      f.sets?.map(set => h("span.set", ...set.map(n => numberCard(n)))),
      f.bets?.map(b =>
        h(
          "span.set",
          `${b.title} ${word("stake", { n: amount(b.stake, "money") })} `,
          b.dogs.map(d => chip(d.piece, 30)),
        ),
      ),
    );
  return (view.hands ?? []).map((facts, seat) =>
    h(
      "div.handof",
      { "data-hand": seat },
      hat(seat, 40),
      h("div", h("b", past.seats[seat]), facts.length ? facts.map(fact) : h("span.soft", word("no cards"))),
    ),
  );
}

/** The story's line of the moment, in sight within its list. */
function follow() {
  const list = $("#story");
  const was = $("[aria-current]", list);
  const line = $(`[data-moment="${at}"]`, list);
  was?.removeAttribute("aria-current");
  line?.setAttribute("aria-current", "true");
  if (line) list.scrollTop = line.offsetTop - (list.clientHeight - line.offsetHeight) / 2;
}

// --- hands -------------------------------------------------------------------------------------

function stop() {
  clearInterval(playing);
  playing = 0;
  playButton();
}

function playButton() {
  const button = $("[data-action=play]");
  button.setAttribute("aria-pressed", String(!!playing));
  $("span", button).textContent = word(playing ? "pause" : "play");
}
playButton();

slider.addEventListener("input", () => {
  stop();
  goTo(Number(slider.value));
});
for (const [action, step] of Object.entries({ back: -1, on: 1 })) {
  $(`[data-action=${action}]`).addEventListener("click", () => {
    stop();
    goTo(at + step, { walk: step > 0 });
  });
}

/**
 * Go on by itself to this moment.
 * @param {number} until
 */
function play(until) {
  stop();
  playing = setInterval(() => {
    goTo(at + 1, { walk: true });
    if (at >= until) stop();
  }, STEP);
  playButton();
}

$("[data-action=play]").addEventListener("click", () => {
  if (playing) {
    stop();
    return;
  }
  const last = past.moments.length - 1;
  if (at === last) goTo(0);
  play(last);
});

/**
 * A moment that decided the game once more, where the track can be seen; the slider has the focus, says it.
 * @param {{ since: number, at: number }} swing
 */
function replay(swing) {
  goTo(swing.since);
  $(".moment").scrollIntoView({ block: "nearest", behavior: calm() ? "auto" : "smooth" });
  slider.focus({ preventScroll: true });
  play(swing.at);
}

$("[data-action=open-cards]").addEventListener("click", event => {
  opened = !opened;
  touched(event, "button")?.setAttribute("aria-pressed", String(opened));
  $("#hands").hidden = !opened;
  goTo(at);
});

$("[data-action=keep]").addEventListener("click", event => keep(event.currentTarget, id ?? ""));

maybe("#rename")?.addEventListener("submit", async event => {
  event.preventDefault();
  /** @type {HTMLInputElement} */
  const name = $("#name");
  const { ok } = await press(
    $("[data-action=rename]"),
    `api/matches/${id}`,
    { name: name.value },
    { method: "PATCH" },
  );
  if (ok) {
    name.blur();
    tell(word("named"), "done");
    load();
  }
});

maybe("[data-action=forget]")?.addEventListener("click", async event => {
  const button = touched(event, "button");
  if (!button) return;
  if (!button.dataset.sure) {
    button.dataset.sure = "1";
    button.textContent = word("forget sure", { title: `${past.name || past.title}, ${day(past.when)}` });
    $("#forget-help").hidden = false;
    setTimeout(() => {
      delete button.dataset.sure;
      button.textContent = word("forget");
      $("#forget-help").hidden = true;
    }, 10_000);
    return;
  }
  gone = true; // nothing more is asked about it, and what was asked has come
  await Promise.allSettled([loading, working]);
  const { ok } = await press(button, `api/matches/${id}`, {}, { method: "DELETE" });
  if (ok) {
    location.replace("history");
  } else {
    gone = false;
    load();
  }
});

addEventListener("resize", () => {
  if (view) {
    layTrack();
    odds();
  }
});
load();
