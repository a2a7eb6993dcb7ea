// The table page: the live course, the sentence, and the taps that stand in for what is not sensed.
import { $, chip, h, hat, parts, picture, render, sign, word } from "./draw.js";
import { roomIn } from "./geometry.js";
import { live } from "./live.js";
import * as panel from "./panels.js";
import { press } from "./send.js";
import { fitStage, turnStage } from "./stage.js";
import { Track } from "./track.js";
import "./unlock.js";

const stage = $("#stage"), course = $("#course"), board = $("#board"), dock = $("#taps");
const mayPlay = document.body.dataset.roles.split(" ").includes("table") || document.body.dataset.roles.split(" ").includes("host");
const track = new Track($("#track"));
let view = null, order = [], byTap = false, doubt = false, fitted = "";        // `order`: the line-up tapped so far

fitStage(stage);
addEventListener("resize", () => { fitStage(stage); layout(); });
$("[data-action=turn]").addEventListener("click", () => { turnStage(stage); layout(); });
new ResizeObserver(() => layout()).observe(course);

const decide = (button, line) => press(button, "/api/decide", { seq: view.seq, decision: line });
const dismiss = event => press(event.currentTarget, "/api/next", {});

/** The sentence at 44 px, never under 40: what is too long for that goes to the small line, clause by clause.
    Only a first clause that is too long by itself (four long names) is made smaller. */
function fit() {
  const box = $("#say .words"), big = $("#big"), then = $("#then");
  const key = JSON.stringify([view.say.parts, view.say.then, box.clientWidth, box.clientHeight, document.fonts.status]);
  if (key === fitted) return;               // what has been said is not said again to a screen reader
  fitted = key;
  const fits = (size, small, lines = 9) => {
    big.style.fontSize = `${size}px`;
    then.style.fontSize = `${small}px`;
    return box.scrollHeight <= box.clientHeight + 1 && big.scrollWidth <= big.clientWidth + 1 && big.clientHeight < size * (lines + 0.5);
  };
  const sizes = [[44, 22], [42, 20], [40, 20], [40, 18]];
  for (let clauses = panel.clauses(view.say.parts).length; clauses > 0; clauses--) {
    panel.say(view, big, then, clauses);
    for (const [stacked, lines] of [[true, 2], [false, 2], [true, 9]]) {     // stacked: a clause begins a line
      big.classList.toggle("stacked", stacked);
      if (sizes.some(([size, small]) => fits(size, small, lines))) return;
    }
  }
  then.hidden = true;
  [40, 38, 36, 33, 30, 27].some(size => fits(size, 18));
}

function layout() {
  if (!view?.course || !course.clientWidth) return;
  const c = track.lay(view.course.spaces, course.clientWidth, course.clientHeight);
  stage.classList.toggle("no-infield", !c.infield);
  place();
  sentence();
  const lines = $("#story-list");         // a notice above may leave no room for a whole line
  lines.style.visibility = lines.clientHeight < (lines.firstElementChild?.offsetHeight ?? 0) ? "hidden" : "";
}

function sentence() {
  const portrait = stage.clientHeight > stage.clientWidth, small = stage.clientWidth < 1150;
  panel.sketch(view, $("#pic"), portrait ? 0.82 : small ? 0.8 : 1);
  fit();
}

/** Put the board into the infield: odds, or what has to be said there first. */
function place() {
  const c = track.course;
  if (!c) return;
  const free = c.infield, rows = Math.max(view.odds?.rows.length ?? 0, view.standings.length);
  const busy = board.dataset.kind !== "tote";
  const high = { tote: 62 + rows * 48, wrong: 230, round: free && free.w < 520 ? 66 + rows * 44 : 96 + rows * 54, podium: 286 }[board.dataset.kind] ?? 300;
  const room = free ? roomIn(free, busy ? 640 : 560, Math.min(high, free.h - (busy ? 12 : 20))) : { x: c.width / 2, y: c.height / 2, w: Math.min(560, c.width - 40), h: Math.min(420, c.height - 40) };
  Object.assign(board.style, { left: `${room.x}px`, top: `${room.y}px`, width: `${room.w}px`, maxHeight: `${room.h}px` });
  board.classList.toggle("narrow", room.w < 470);
  board.classList.toggle("wide", room.w > 400);
  board.classList.toggle("flat", !busy && room.h < 50 + rows * 44);
}

function showBoard() {
  const wrong = panel.refused(view), fixes = mayPlay ? view.actions.trust : [];
  if (!fixes.length) doubt = false;
  const told = view.say.tone === "wrong" || wrong.length > 0, trust = told || doubt ? fixes : [], ask = $("[data-action=doubt]");
  if (ask) { ask.hidden = told || !fixes.length; ask.setAttribute("aria-expanded", String(doubt)); }
  const kind = wrong.length || trust.length ? "wrong" : view.match?.finished ? "podium" : view.roundEnd ? "round" : "tote";
  board.dataset.kind = kind;
  board.className = `board is-${kind}`;
  board.hidden = kind === "tote" && (!view.odds || !track.course?.infield);
  if (kind === "tote") {
    if (!board.querySelector(".tote")) { board.replaceChildren(h("section", { class: "tote" })); delete board.dataset.shown; }
    panel.tote(view, board.firstElementChild);
    delete board.dataset.shown;
    return;
  }
  render(board, [kind, wrong, trust, view.roundEnd, view.match?.finished && view.standings, view.seq * (trust.length > 0)], () => {
    if (kind === "round") return panel.roundEnd(view.roundEnd);
    if (kind === "podium") return panel.podium(view);
    return [
      wrong.map(a => panel.notice(a, mayPlay && dismiss)),
      trust.length > 0 && h("div", { class: "trust" }, trust.map(t => h("button", {
        type: "button", "data-action": `trust-${t.side}`, "data-trust": t.piece,
        onclick: e => press(e.currentTarget, "/api/trust", { seq: view.seq, side: t.side, piece: t.piece }),
      }, chip(t.piece, 32), h("span", {}, t.text)))),
    ].flat();
  });
}

const actionButton = (name, action) => {
  const button = $(`[data-action=${name}]`);
  if (!button) return;
  button.hidden = !action;
  if (!action) return;
  $("span", button).textContent = action.text;
  button.title = action.text;
};

function taps() {
  const { tap, confirm } = view.actions;
  if (!mayPlay) return {};
  if (tap?.do !== "line-up" || order.some(p => !tap.pieces.includes(p))) order = [];
  if (!confirm) byTap = false;
  const offered = confirm && tap?.do === "line-up" && !byTap && !order.length;
  const animal = view.match?.animal ?? "pig";
  const who = tap && tap.seat !== undefined && tap.seat !== null && h("span", { class: "due" }, hat(tap.seat, 52), h("b", { class: panel.long(tap.name), title: tap.name }, tap.name));
  render(dock, [tap, confirm, order, view.match?.id, offered], () => {
    const out = [];
    if (confirm && !order.length && !byTap) out.push(h("button", { type: "button", class: "go", "data-action": "confirm", onclick: e => press(e.currentTarget, "/api/confirm", { seq: view.seq }) }, sign("ok", 30), h("span", {}, confirm.text)));
    if (!tap) return out;
    out.unshift(who);
    if (offered) return [...out, h("button", { type: "button", class: "quiet", "data-action": "by-tap", onclick: () => { byTap = true; refresh(); } }, word("by tap"))];
    if (tap.do === "play") {
      out.push(h("div", { class: "cards", role: "group", "aria-label": word("play a card") }, tap.choices.map(c => h("button", {
        type: "button", class: `cardbtn ${c.piece}`, "data-action": "play", "data-card": c.piece, title: c.label, "aria-label": c.label, onclick: e => decide(e.currentTarget, c.line),
      }, chip(c.piece, 46)))));
    } else if (tap.do === "place-food") {
      out.push(h("p", { class: "hint" }, word("tap a space")));
      if (track.course?.spaces > 60) out.push(h("select", { "aria-label": word("tap a space"), onchange: e => decide(e.currentTarget, tap.choices[e.currentTarget.value].line) },
        h("option", { value: "" }, "…"), tap.choices.map((c, i) => h("option", { value: i }, c.label))));
    } else if (tap.do === "line-up") {
      const left = tap.pieces.filter(p => !order.includes(p)), name = p => tap.labels?.[tap.pieces.indexOf(p)] ?? p;
      out.push(h("p", { class: "hint" }, word(left.length ? "front first" : "line-up ready")),
        h("div", { class: "cards", role: "group", "aria-label": word("front first") }, left.map(p => h("button", {
          type: "button", class: `cardbtn ${p}`, "data-action": "line-up", "data-card": p, "aria-label": name(p), title: name(p),
          onclick: () => { order.push(p); if (order.length === tap.pieces.length - 1) order.push(tap.pieces.find(q => !order.includes(q))); refresh(); },
        }, picture(animal, p, 76)))),
        order.length > 0 && h("button", { type: "button", class: "quiet", "data-action": "line-up-back", "aria-label": word("one back"), onclick: () => { order.pop(); if (left.length === 0) order.pop(); refresh(); } }, sign("undo", 28)),
        !left.length && h("button", { type: "button", class: "go", "data-action": "line-up-ok", onclick: async e => { if ((await decide(e.currentTarget, { do: "line-up", seat: tap.seat, [tap.key || "order"]: [...order] })).ok) { order = []; refresh(); } } }, sign("ok", 30), h("span", {}, word("ok"))));
    } else if (tap.choices) {
      out.push(h("div", { class: "cards" }, tap.choices.map(c => h("button", { type: "button", "data-action": tap.do, onclick: e => decide(e.currentTarget, c.line) }, c.label))));
    }
    return out;
  });
  if (tap?.do === "place-food") {
    const lines = new Map(tap.choices.map(c => [c.space, c]));
    return { picks: [...lines.keys()], pick: space => decide(dock, lines.get(space).line), name: space => word("food here", { n: lines.get(space).label }) };
  }
  const placed = new Set(view.pieces.map(p => p.piece)), felt = Object.entries(view.seen || {}).filter(([p, space]) => space !== null && !placed.has(p));
  if (tap?.do === "line-up" && !order.length && felt.length) return { preview: felt.map(([piece, space]) => ({ piece, space })) };
  return order.length ? { preview: order.map((p, i) => ({ piece: p, space: -i })) } : {};
}

function refresh() {
  panel.mocked(view);
  stage.dataset.tone = view.say.tone;
  stage.classList.toggle("idle", !view.match);
  const wrong = panel.saysWrong(view), close = $("#say [data-action=next]");
  stage.classList.toggle("refusing", wrong);
  if (close) close.hidden = !wrong;
  $("#start").hidden = !!view.match;
  for (const el of [course, $("#side"), $("#dock")]) el.hidden = !view.match;
  const join = view.join;
  for (const el of document.querySelectorAll("[data-join]")) {
    el.hidden = !join;
    if (!join) continue;
    const img = $("img", el);
    if (img.getAttribute("src") !== join.qr) img.src = join.qr;
    $("[data-join-text]", el).textContent = join.text;
  }
  if (!view.match) { sentence(); return; }
  const infield = (view.course?.spaces ?? 22) <= 60;
  panel.standings(view, { head: $("#stand-head"), list: $("#stand-list"), odds: !infield });
  panel.story(view, $("#story-list"));
  $("#stock").hidden = !view.stockText;
  $("#stock span").textContent = view.stockText ?? "";
  const again = $("#again");
  if (again) again.hidden = !view.match.finished;
  render($("#lost"), panel.broken(view), () => panel.broken(view).map(a => panel.notice(a)));
  actionButton("undo", view.actions.undo);
  actionButton("redo", view.actions.redo);
  const extra = taps();
  layout();
  showBoard();
  place();
  track.show(view, extra);
  panel.reveal(view, $("#reveal"));
}

for (const name of ["undo", "redo"]) $(`[data-action=${name}]`)?.addEventListener("click", e => { order = []; press(e.currentTarget, `/api/${name}`, { seq: view.seq }); });

$("#say [data-action=next]")?.addEventListener("click", dismiss);

$("[data-action=doubt]")?.addEventListener("click", () => { doubt = !doubt; refresh(); });

const door = $("#door");
$("[data-action=unlock]")?.addEventListener("click", () => { door.hidden = false; $("input", door).focus(); });
door?.addEventListener("keydown", e => { if (e.key === "Escape") { door.hidden = true; $("[data-action=unlock]").focus(); } });
$("[data-action=close-door]")?.addEventListener("click", () => { door.hidden = true; $("[data-action=unlock]").focus(); });

live(now => { if (now.match?.id !== view?.match?.id) order = []; view = now; refresh(); });
document.fonts?.ready.then(() => view && refresh());
