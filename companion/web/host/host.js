// The host page: start, set aside, resume and end games.
import { amount } from "../common/boards.js";
import { day } from "../common/dates.js";
import { editCharts } from "./chart-editor.js";
import { $, every, h, maybe, parts, picture, patch, word } from "../common/draw.js";
import { live } from "../common/live.js";
import { newGame } from "./new-game.js";
import { mocked } from "../common/panels.js";
import { askUndo } from "../table/played.js";
import { getJson, press } from "../common/send.js";
import "../common/unlock.js";

const WIDEST_PHONE = 700; // px

const store = $("#host-data");
if (store) host(JSON.parse(store.textContent ?? ""));

/**
 * A match as the form that begins the same one again.
 * @param {MatchView} match
 */
const asBegun = match => ({
  game: match.game,
  seats: [...match.seats],
  start: 0,
  options: match.options || {},
  deal: match.deal,
  ...(match.colours.length ? { colours: match.colours } : {}),
});

/** @param {HostData} data */
function host(data) {
  let last = /** @type {Begun | null} */ (/** @type {unknown} */ (data.last));
  /** @type {View} */
  let view;
  let listed = "";
  let repeated = false;
  const form = newGame(data, begin);
  editCharts(data.charts);

  /**
   * @param {HTMLElement} button
   * @param {Begun} of
   */
  async function begin(button, { explain, ...body }) {
    // whether to explain is asked anew at every game
    const { ok } = await press(button, "api/matches", { ...body, explain });
    if (!ok) return;
    last = body;
    form.begun(body.seats);
    // who came from the table page, on the same device, goes on there
    if (new URLSearchParams(location.search).has("table")) return location.assign("./");
    scrollTo({ top: 0 });
  }

  for (const button of every("[data-action=again]")) {
    button.addEventListener("click", () => last && begin(button, last));
  }

  /**
   * @param {string} name
   * @param {(button: HTMLElement) => void} go
   */
  const on = (name, go) =>
    $(`[data-action=${name}]`).addEventListener("click", e =>
      go(/** @type {HTMLElement} */ (e.currentTarget)),
    );
  on("undo", askUndo);
  on("redo", b => press(b, "api/redo", { seq: view.seq }));
  on("set-aside", b => press(b, "api/set-aside", { seq: view.seq }));
  /** @param {string} name */
  const toggle = name => /** @type {HTMLInputElement} */ ($(`[data-action=${name}]`));
  for (const name of ["used-cards", "landings", "remember-play", "crowd"]) {
    toggle(name).addEventListener("change", ({ currentTarget }) => {
      const box = /** @type {HTMLInputElement} */ (currentTarget);
      press(box, `api/${name}`, { on: box.checked });
    });
  }
  on("end", () => {
    $("#sure").hidden = false;
    $("[data-action=end-no]").focus();
  });
  on("end-no", () => {
    $("#sure").hidden = true;
    $("[data-action=end]").focus();
  });
  on("end-sure", async b => {
    await press(b, "api/end", { seq: view.seq });
    $("#sure").hidden = true;
  });

  /** @type {HTMLTimeElement | null} */
  const night = maybe("[data-night]");
  if (night) night.textContent = day(night.dateTime);

  async function matches() {
    /** @type {FiledMatch[] | undefined} */
    const all = (await getJson("api/matches?most=3"))?.matches;
    if (!all) return;
    /**
     * @param {HTMLElement} el
     * @param {FiledMatch[]} some
     * @param {(game: FiledMatch) => Child} tail
     */
    const rows = (el, some, tail) => {
      el.hidden = !some.length;
      patch(
        $(".matches", el),
        some.map(m =>
          h(
            "li",
            { "data-match": m.id },
            h(
              "div",
              h("b", m.title),
              h("p.soft", `${day(m.when)}${m.state === "ended" ? ` · ${word("ended")}` : ""}`),
              h(
                "p",
                m.standings.length
                  ? m.standings.map(r =>
                      h("span", `${r.place ? `${r.place}. ` : ""}${r.name} ${amount(r.score, m.unit)} `),
                    )
                  : m.seats.join(", "),
              ),
            ),
            tail(m),
          ),
        ),
      );
    };
    rows(
      $("#aside"),
      all.filter(m => m.state === "aside"),
      m =>
        h(
          "button",
          { "data-action": "resume", onclick: e => press(e.currentTarget, `api/matches/${m.id}/resume`, {}) },
          word("resume"),
        ),
    );
    rows($("#done"), all.filter(m => m.state === "finished" || m.state === "ended").slice(0, 3), m =>
      h("a.button", { href: `api/matches/${m.id}/record`, download: "" }, word("record")),
    );
  }

  /** @type {import("../course/track.js").Track | null} */
  let track = null;
  /** The present race; how to draw it is loaded with the first one. */
  async function course() {
    /** @type {SVGSVGElement} */
    const box = $("#run-track");
    if (view.course) track ??= new (await import("../course/track.js")).Track(box);
    const { course: now, match } = view;
    box.toggleAttribute("hidden", !now || !match || match.finished);
    if (!now || !track || box.hasAttribute("hidden")) return;
    box.dataset.kind = now.spaces > 60 ? "long" : now.kind;
    track.lay(now, box.clientWidth, box.clientHeight, view.pieces.length);
    track.show(view);
  }
  addEventListener("resize", () => view && course());

  /**
   * What the running match shows and offers.
   * @param {MatchView} match
   */
  function running(match) {
    $("#run-title").textContent = match.title + (view.round ? ` · ${view.round.text}` : "");
    $("#run-seats").textContent = match.seats.join(", ");
    patch($("#run-pic"), picture(match.animal, "red", 96));
    patch($("#run-say"), parts(view.say.parts));
    course();
    for (const [name, act] of Object.entries({ undo: view.actions.undo, redo: view.actions.redo })) {
      const b = $(`[data-action=${name}]`);
      b.hidden = !act;
      if (act) $("span", b).textContent = act.text;
    }
    for (const [name, now] of Object.entries({
      "used-cards": view.usedCards,
      landings: view.landings,
      "remember-play": view.rememberPlay,
    })) {
      const box = toggle(name);
      /** @type {HTMLElement} */ (box.parentElement).hidden = now === null;
      box.checked = !!now;
    }
    toggle("crowd").checked = view.crowd !== null;
    for (const name of ["set-aside", "end"]) $(`[data-action=${name}]`).hidden = match.finished;
  }

  /**
   * Offer the last game once more, where none goes on.
   * @param {boolean} onTable whether a match is on the table, running or over
   * @param {boolean} over
   */
  function offerAgain(onTable, over) {
    const repeat = !!last && over;
    if ($("#new").classList.toggle("repeat", repeat) !== repeated) form.draw();
    repeated = repeat;
    for (const b of every("[data-action=again]")) {
      b.hidden = !repeat || (!!b.closest("#new") && onTable);
      if (!last) continue;
      const { game, seats } = last;
      $("span", b).textContent = word("again");
      const { title } = data.games.find(g => g.name === game) ?? { title: "" };
      $("small", b).textContent = word("again who", { game: title, names: seats.join(", ") });
    }
  }

  live(now => {
    view = now;
    mocked(view);
    const { match } = view;
    const over = !match || match.finished;
    $("#running").hidden = !match;
    $("#new").hidden = !over;
    if (match) {
      if (!last || last.game !== match.game || last.seats.join() !== match.seats.join()) {
        last = asBegun(match);
      }
      running(match);
    }
    if (over) $("#sure").hidden = true;
    // a host who plays holds a hand on the phone; the table is another screen
    const plays = !over && innerWidth < WIDEST_PHONE && !!view.seatJoin;
    $("#to-seat").hidden = !plays;
    $("#to-seat").classList.toggle("go", plays);
    $("#to-table").classList.toggle("go", !over && !plays);
    $("#to-tonight").hidden = !match?.finished;
    offerAgain(!!match, over);
    const key = `${match?.id}:${match?.finished}:${view.over}`;
    if (key !== listed) {
      listed = key;
      matches();
    }
  });
}
