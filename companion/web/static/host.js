// The host page: start, set aside, resume and end games.
import { $, h, hat, parts, picture, render, s, sign, word } from "./draw.js";
import { live } from "./live.js";
import { mocked } from "./panels.js";
import { press, tell } from "./send.js";
import "./unlock.js";

const store = $("#host-data");
if (store) host(JSON.parse(store.textContent));

function host({ games, people, last }) {
  const form = $("#form"), list = $("#seats");
  let view = null, listed = "";
  let seats = [...(last?.seats || [])], start = last?.start || 0;

  const game = () => games.find(g => g.name === form.elements.game.value) || games[0];
  if (last && games.some(g => g.playable && g.name === last.game)) form.elements.game.value = last.game;

  /** The seats as the form shows them; `focus` is the seat whose name is typed next. */
  function drawSeats(focus = -1) {
    const [low, high] = game().seats;
    while (seats.length < low) seats.push("");
    seats.length = Math.min(seats.length, high);
    if (start >= seats.length) start = 0;
    list.replaceChildren(...seats.map((name, i) => h("li", {},
      hat(i, 48),
      h("input", { type: "text", value: name, maxlength: 40, "aria-label": word("name", { n: i + 1 }), placeholder: word("seat", { n: i + 1 }), "data-seat": i, enterkeyhint: "next", oninput: e => { seats[i] = e.target.value; drawChips(); } }),
      h("label", { class: "starts" }, h("input", { type: "radio", name: "start", value: i, checked: i === start, onchange: () => { start = i; } }), h("span", {}, sign("flag", 24), h("em", {}, word("starts")))),
      h("button", { type: "button", class: "quiet round", "aria-label": word("remove", { n: i + 1 }), disabled: seats.length <= low, onclick: () => { seats.splice(i, 1); if (start > i) start--; drawSeats(); } }, sign("close", 24)))));
    $("[data-action=add-seat]").hidden = seats.length >= high;
    for (const d of document.querySelectorAll("[data-options]")) d.hidden = d.dataset.options !== game().name;
    drawChips();
    if (focus >= 0) list.querySelectorAll("input[type=text]")[focus]?.focus();
  }

  function drawChips() {
    const [, high] = game().seats, free = people.filter(p => !seats.some(n => n.trim() === p));
    $("#chips").replaceChildren(...free.slice(0, 14).map(name => h("button", {
      type: "button", "aria-label": word("add", { name }), disabled: seats.length >= high && !seats.includes(""),
      onclick: () => { const at = seats.findIndex(n => !n.trim()); if (at >= 0) seats[at] = name; else if (seats.length < high) seats.push(name); drawSeats(); },
    }, name)));
  }

  form.addEventListener("change", e => { if (e.target.name === "game") drawSeats(); });
  $("[data-action=add-seat]").addEventListener("click", () => { seats.push(""); drawSeats(seats.length - 1); });
  drawSeats();
  if (last?.options) for (const [name, value] of Object.entries(last.options)) {
    const field = $(`[data-options="${last.game}"] [data-option="${name}"]`);
    if (!field) continue;
    if (field.type === "checkbox") field.checked = value; else field.value = value;
  }

  async function begin(button, body) {
    const { ok } = await press(button, "/api/matches", body);
    if (!ok) return;
    last = body;
    people = [...new Set([...body.seats, ...people])];
    scrollTo({ top: 0 });
  }

  form.addEventListener("submit", e => {
    e.preventDefault();
    const names = seats.map(n => n.trim());
    if (names.some(n => !n) || new Set(names).size < names.length) {
      tell(word("need names"));
      return list.querySelectorAll("input[type=text]")[names.findIndex((n, i) => !n || names.indexOf(n) < i)]?.focus();
    }
    const options = {};
    for (const field of document.querySelectorAll(`[data-options="${game().name}"] [data-option]`)) {
      const known = game().options.find(o => o.name === field.dataset.option), value = field.dataset.type === "bool" ? field.checked : Number(field.value);
      if (value !== known.default) options[known.name] = value;
    }
    begin($("[data-action=start]"), { game: game().name, seats: names, start, options, deal: "people" });
  });
  for (const button of document.querySelectorAll("[data-action=again]")) button.addEventListener("click", () => begin(button, last));

  const on = (name, go) => $(`[data-action=${name}]`).addEventListener("click", e => go(e.currentTarget));
  on("undo", b => press(b, "/api/undo", { seq: view.seq }));
  on("redo", b => press(b, "/api/redo", { seq: view.seq }));
  on("set-aside", b => press(b, "/api/set-aside", { seq: view.seq }));
  on("end", () => { $("#sure").hidden = false; $("[data-action=end-no]").focus(); });
  on("end-no", () => { $("#sure").hidden = true; $("[data-action=end]").focus(); });
  on("end-sure", async b => { await press(b, "/api/end", { seq: view.seq }); $("#sure").hidden = true; });

  const day = when => { const d = new Date(when); return isNaN(d) ? when : d.toLocaleString(document.documentElement.lang || undefined, { dateStyle: "medium", timeStyle: "short" }); };

  async function matches() {
    const answer = await fetch("/api/matches").catch(() => null);
    if (!answer?.ok) return;
    const all = (await answer.json()).matches;
    const rows = (el, some, tail) => {
      el.hidden = !some.length;
      render($(".matches", el), some, () => some.map(m => h("li", { "data-match": m.id },
        h("div", {}, h("b", {}, m.title), h("span", { class: "soft" }, ` · ${day(m.when)}`),
          h("p", {}, m.standings?.length ? m.standings.map(r => `${r.place ?? "–"}. ${r.name} ${r.score}`).join("   ") : m.seats.join(", "))),
        tail(m))));
    };
    rows($("#aside"), all.filter(m => m.state === "aside"), m => h("button", { type: "button", "data-action": "resume", onclick: e => press(e.currentTarget, `/api/matches/${m.id}/resume`, {}) }, word("resume")));
    rows($("#done"), all.filter(m => m.state === "finished" || m.state === "ended"), m => h("a", { class: "button", href: `/api/matches/${m.id}/record`, download: "" }, word("record")));
  }

  live(now => {
    view = now;
    mocked(view);
    const match = view.match, over = !match || match.finished;
    $("#running").hidden = !match;
    $("#new").hidden = !over;
    if (match) {
      if (!last || last.game !== match.game || last.seats.join() !== match.seats.join()) last = { game: match.game, seats: [...match.seats], start: 0, options: match.options || {}, deal: "people" };
      $("#run-title").textContent = match.title + (view.round ? ` · ${view.round.text}` : "");
      $("#run-seats").textContent = match.seats.join(", ");
      render($("#run-pic"), match.animal, () => picture(match.animal, "red", 96));
      render($("#run-say"), view.say.parts, () => parts(view.say.parts));
      for (const name of ["undo", "redo"]) {
        const b = $(`[data-action=${name}]`), act = view.actions[name];
        b.hidden = !act;
        if (act) $("span", b).textContent = act.text;
      }
      $("[data-action=set-aside]").hidden = match.finished;
      if (match.finished) $("#sure").hidden = true;
      $("[data-action=end]").hidden = match.finished;
    } else $("#sure").hidden = true;
    for (const b of document.querySelectorAll("[data-action=again]")) {
      b.hidden = !last || !over || (b.closest("#new") && !!match);
      if (last) b.textContent = word("again", { names: last.seats.join(", ") });
    }
    const key = `${match?.id}:${match?.finished}`;
    if (key !== listed) { listed = key; matches(); }
  });
}
