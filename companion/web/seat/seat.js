// The page of a seat: choose it, then see and decide what is its own; secrets only while a finger holds the
// cover up.
import {
  $,
  acorn,
  calm,
  h,
  hat,
  labelled,
  maybe,
  parts,
  picture,
  patch,
  touched,
  wear,
  word,
} from "../common/draw.js";
import { mayHold } from "../common/cookies.js";
import { hold } from "../common/hold.js";
import { guard, live } from "../common/live.js";
import { Choosing, fact, sorted } from "./hand.js";
import { long, mocked, score } from "../common/panels.js";
import { press, tell } from "../common/send.js";
import { Track } from "../course/track.js";

const slip = $("#slip");
const bar = $("#hold");
/** @type {HTMLButtonElement} */
const go = $("#go");
/** @type {HTMLInputElement} */
const code = $("#code");
const choosing = new Choosing(() => refresh());
/** @type {SeatPage} */
let view;
/** @type {{ seat: number, number: number } | null} */
let request = null; // for which seat this phone asks the host, and what it shows for that
let lifted = false;
let turn = false;
let felt = ""; // what something that is over meant, when it was last shown
const track = new Track($("#track"));

code.value = new URLSearchParams(location.search).get("code") ?? "";
$("#code-box").hidden = !!code.value;

const fall = hold(bar, slip, {
  open() {
    lifted = true;
    refresh();
  },
  stay() {
    $("span", bar).textContent = word("hide");
    navigator.vibrate?.(30);
  },
  shut() {
    if (slip.contains(document.activeElement)) bar.focus();
    lifted = false;
    refresh();
  },
  enter() {
    maybe("button", slip)?.focus();
  },
});

/**
 * Take a free seat; ask the host for one that another phone holds.
 * @param {HTMLElement} button
 * @param {SeatView} of
 */
async function take(button, { seat, joined }) {
  if (!mayHold()) return;
  if (!code.value.trim()) {
    tell(word("need code"));
    code.focus();
    return;
  }
  const { ok, data } = await press(button, joined ? "api/ask" : "api/join", { code: code.value, seat });
  if (ok && data.number) {
    request = { seat, number: data.number };
    again(); // what it shows from here on is later than the question
  } else if (ok) {
    history.replaceState(null, "", "seat");
    again(); // the seat is held by the name in the new cookie
  } else if (data?.kind === "wrong-code") {
    $("#code-box").hidden = false;
    code.select();
  }
}

/** The number that the host compares, as long as this phone asks for a seat. */
function asking() {
  const of = request && view.seats[request.seat];
  if (request && of?.asks !== request.number) {
    request = null;
    if (!view.own) tell(word("not handed"));
  }
  $("#asked").hidden = !request;
  if (request && of) $("#asked").textContent = word("asked", { n: request.number, name: of.name });
}

/**
 * Who sits there: the animal that this seat owns, if it owns one, and its hat.
 * @param {number} seat
 */
function sitter(seat) {
  const colour = view.match?.colours[seat] ?? null;
  if (!view.match || colour === null) return h("span.sitter", hat(seat, 92));
  return h("span.sitter.up", picture(view.match.animal, colour, 110), hat(seat, 56));
}

function choose() {
  patch(
    $("#seat-list"),
    view.seats.map(s =>
      h(
        "li",
        { key: s.seat },
        h(
          "button",
          {
            "data-seat": s.seat,
            disabled: s.bot,
            "aria-label":
              s.joined || s.bot
                ? labelled(s.name, word(s.bot ? "bot" : "taken"))
                : word("sit here", { name: s.name }),
            onclick: e => take(e.currentTarget, s),
          },
          sitter(s.seat),
          h("b", s.name),
          (s.joined || s.bot) && h("span.soft", word(s.bot ? "bot" : "taken")),
        ),
      ),
    ),
  );
}

/**
 * What may be decided now and is on the screen: what is covered counts only while it is lifted.
 * @param {OwnSeat} own
 */
const offered = own => [...own.open, ...(lifted ? (own.covered?.ways ?? []) : [])];

function mine() {
  const { own, match } = view;
  if (!own || !match) return;
  const ways = [...own.open, ...(own.covered?.ways ?? [])];
  choosing.animal = match.animal;
  choosing.colour = own.piece ?? "";
  choosing.keep(ways);
  $("#me").className = `me ${own.piece ?? ""}`;
  guard("sentence", () => {
    result(own);
    sentence(own);
  });
  patch($("#open"), ...sorted(own.open).map(way => choosing.draw(way)));
  patch($("#known"), ...own.known.map(one => fact(one, own.piece ?? "", match.animal)));
  if (!own.covered && lifted) {
    fall();
    return;
  }
  cover(own, match);
  const chosen = choosing.chosen(offered(own));
  go.hidden = !ways.length; // it keeps its place next to the bar, which must not move under a finger
  go.disabled = !chosen;
  go.textContent = chosen?.text ?? choosing.missing(offered(own));
  go.classList.toggle("long", go.textContent.length > 12);
  $("#foot").hidden = bar.hidden && go.hidden;
}

/**
 * Who this is, its place and what it has: as everybody sees it.
 * @param {OwnSeat} own
 * @param {MatchView} match
 */
function header(own, match) {
  const row = view.standings.find(one => one.seat === own.seat);
  patch($("#piece"), own.piece ? picture(match.animal, own.piece, 76) : hat(own.seat, 56));
  $("#name").textContent = own.name;
  $("#name").className = long(own.name);
  const stage = view.round?.text ?? match.title;
  $("#stage-text").textContent = stage.replace(/ (?=[^,]+,)/g, "\u00a0"); // it breaks after its comma
  patch($("#mine"), row && [place(row), holdings(row)]);
}

/**
 * Its place; on the way to a finishing line, which gives none yet, by how far it is.
 * @param {StandingsRow} row
 */
function place(row) {
  const onTheWay =
    view.course?.kind === "course" && row.score > 0 && view.standings.every(one => one.place === null);
  const farther = view.standings.filter(one => one.score > row.score).length;
  const n = row.place ?? (onTheWay ? farther + 1 : null);
  if (n === null) return null;
  const label = word("in place", { name: row.name, n, of: view.standings.length });
  return h("span.myplace", { role: "img", "aria-label": label }, String(n));
}

/**
 * Food that is not safe and food that is, money, or how far the piece is.
 * @param {StandingsRow} row
 */
function holdings(row) {
  if (view.course?.kind === "course") {
    return h("span.has", row.score ? word("space", { n: row.score }) : word("GATE"));
  }
  return h(
    "span.has",
    { "data-score": row.score },
    row.provisional !== null &&
      h(
        "span.loose",
        { "data-provisional": row.provisional, title: view.heads?.provisional },
        acorn(24, "looseart"),
        String(row.provisional),
      ),
    h("span", { title: view.heads?.kept }, score(row.score, view.unit, 26)),
  );
}

/** @type {HTMLDetailsElement} */
const looks = $("#face");
/** The player's face; only this phone shows whether it is chosen. */
function drawFace() {
  const { own, match } = view;
  looks.hidden = !own;
  if (!own || !match) return;
  patch($("#face-now"), hat(own.seat, 44));
  if (looks.open && looks.dataset.whose !== own.name) dressing();
}

async function dressing() {
  const { own, match } = view;
  if (!own || !match) return;
  looks.dataset.whose = own.name;
  const { choose: dress } = await import("../faces/faces.js");
  await dress($(".facepick", looks), { ...own, now: match.faces[own.seat] }, () => {});
}
looks.addEventListener("toggle", () => looks.open && dressing());

/** The course as it is on the table, while there is one. */
function course() {
  const box = $("#course");
  box.hidden = !view.own || !view.course;
  if (box.hidden || !view.course) return;
  box.dataset.kind = view.course.spaces > 60 ? "long" : view.course.kind;
  const { clientWidth: wide, clientHeight: high } = $("#track");
  track.lay(view.course, wide, high, view.pieces.length);
  track.show(view);
}

/**
 * What this phone shows of the end of a game: loaded with the first one.
 * @type {typeof import("../finish/own.js") | null}
 */
let finish = null;
/**
 * What came last, while the table still shows how the game ended.
 * @type {SeatPage | null}
 */
let newest = null;
let later = 0;

async function loadFinish() {
  const part = await import("../finish/own.js");
  await part.styled;
  finish = part;
}

/**
 * Whether the game has just ended: then the table shows it first.
 * @param {SeatPage} now
 */
const endsWith = now =>
  !!view?.own &&
  !view.own.finish &&
  !!now.own?.finish &&
  view.match?.id === now.match?.id &&
  !calm() &&
  !document.hidden;

/** Show what came last: the table has shown the end, or a finger does not want to wait. */
function goOn() {
  clearTimeout(later);
  const now = newest;
  [newest, later] = [null, 0];
  if (now) show(now);
}

/** @param {SeatPage} now */
async function waitFor(now) {
  newest = now;
  if (!now.own?.finish) goOn(); // it was taken back
  if (later || !newest) return;
  later = setTimeout(goOn, 10_000);
  if (!finish) await loadFinish();
  if (!newest || !finish) return;
  clearTimeout(later);
  later = setTimeout(goOn, finish.held(now.standings));
  patch($("#finish"), finish.waiting());
  $("#finish").hidden = false;
  $("#finish").classList.add("fin-waiting");
  scrollTo({ top: 0 });
}
$("#finish").addEventListener("click", goOn);

/**
 * The end of the game for this seat.
 * @param {OwnSeat | null} own
 */
async function ownFinish(own) {
  if (own?.finish && !finish) await loadFinish();
  const shown = view.own?.finish;
  $("#finish").hidden = !shown;
  $("#now").hidden = !view.own || !!shown;
  $("#finish").classList.remove("fin-waiting");
  if (shown && view.own) {
    patch($("#finish"), finish?.ownFinish(view.own, shown));
    $("#finish").classList.toggle("fin-after", true);
  }
}

/**
 * Felt in the hand, where browsers allow it: after a touch, and unless little is to move.
 * @param {number | number[]} pattern
 */
function buzz(pattern) {
  if (navigator.userActivation?.hasBeenActive !== false && !calm()) navigator.vibrate?.(pattern);
}

/**
 * What a round, a race or the game meant for this seat; felt once, when it is first shown.
 * @param {OwnSeat} own
 */
function result({ meant, finish: end }) {
  $("#meant").hidden = !meant || !!end;
  patch($("#meant"), meant && parts(meant.parts, { food: false }));
  if (!meant) return;
  const key = `${view.match?.id}:${meant.key}`;
  if (felt !== key) buzz(60);
  felt = key;
}

/**
 * Whose turn it is, and what is due; the phone is felt when it is this seat's.
 * @param {OwnSeat} own
 */
function sentence(own) {
  const due = own.say ?? view.say.parts;
  // what is due is said once: to this seat, or as the table says it
  const then = own.prompt ?? (own.turn ? [] : own.say ? view.say.parts : view.say.then);
  $("#now").dataset.turn = String(own.turn);
  patch($("#big"), parts(due));
  patch($("#then"), parts(then, { food: false }));
  $("#then").hidden = !then?.length;
  patch($("#until"), own.until && parts(own.until));
  $("#until").hidden = !own.until;
  if (own.turn && !turn) buzz([120, 80, 120]);
  turn = own.turn;
}

/**
 * What is secret, under its cover or, while a finger holds that up, on the slip.
 * @param {OwnSeat} own
 * @param {MatchView} match
 */
function cover(own, match) {
  const { covered } = own;
  const colour = own.piece ?? "";
  bar.hidden = !covered;
  $("#cover").hidden = !covered || lifted;
  $("#cover-title").textContent = word(own.sealed ? "sealed" : "covered");
  $("#cover").className = `cover ${colour}`;
  slip.hidden = !lifted;
  // what is done in secret comes before what all may see
  $("#open").classList.toggle("later", !!covered?.ways.length);
  document.body.classList.toggle("looking", lifted);
  if (!lifted) $("span", bar).textContent = word("hold");
  const facts = (covered?.known ?? []).map(one => ({ one, first: one.key === "choice" }));
  /** @param {boolean} first */
  const drawn = first => facts.filter(f => f.first === first).map(f => fact(f.one, colour, match.animal));
  const ways = lifted ? sorted(covered?.ways ?? []).map(way => choosing.draw(way)) : [];
  patch(slip, lifted && [...drawn(true), ...ways, ...drawn(false)]);
}

function refresh() {
  if (!view) return;
  mocked(view);
  const { match, own } = view;
  wear(match);
  document.body.toggleAttribute("data-rest", !!own && !own.open.length && !own.covered);
  const state = own ? "mine" : match ? "join" : "idle";
  if (own && document.body.dataset.state === "join") scrollTo({ top: 0 }); // chosen at the foot of a list
  document.body.dataset.state = state;
  $("#join").hidden = !match || !!own;
  $("#idle").hidden = !!match;
  for (const el of [$("#me"), $("#now")]) el.hidden = !own;
  $("#elsewhere").hidden = !match;
  if (own) return mine();
  fall();
  for (const box of [$("#open"), $("#known"), slip]) patch(box);
  for (const el of [$("#cover"), slip, $("#foot"), $("#meant")]) el.hidden = true;
  document.body.classList.remove("looking");
  choosing.forget();
  turn = false;
  if (match) choose();
}

go.addEventListener("click", async () => {
  const chosen = view.own && choosing.chosen(offered(view.own));
  if (!chosen) return;
  const { ok } = await press(go, "api/decide", { seq: view.seq, decision: chosen.line });
  if (!ok) return;
  choosing.forget();
  fall();
  refresh();
  scrollTo({ top: 0 }); // what is due next is said there
});

/* the second finger of two is no click: it chooses all the same, while the first one holds */
slip.addEventListener("pointerup", event => {
  if (!event.isPrimary) touched(event, "button")?.click();
});

/** What is seen of the match apart from that: drawn anew whenever it is another. */
function around() {
  const { own, match } = view;
  guard("standings", () => own && match && header(own, match));
  guard("page", drawFace);
  guard("course", course);
}

addEventListener("resize", () => view && course());

/** @param {SeatPage} now */
function show(now) {
  view = now;
  asking();
  guard("hand", refresh);
  guard("board", () => ownFinish(view.own));
  around();
}

const again = live((/** @type {SeatPage} */ now) => {
  if (newest || endsWith(now)) waitFor(now);
  else show(now);
}, "seatpage");
