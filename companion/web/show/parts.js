// The parts of a page that only shows: each is drawn if the page has its place.
import { $, h, hat, maybe, patch, wear } from "../common/draw.js";
import { gamble, gambled } from "../finish/gamble.js";
import { guard } from "../common/live.js";
import { bar, roughly } from "../common/odds.js";
import * as panel from "../common/panels.js";
import { podium } from "../common/podium.js";
import { Track } from "../course/track.js";

/**
 * The first first, also where a game has places only at its end.
 * @param {StandingsRow[]} standings
 */
const foremost = standings =>
  [...standings].sort((a, b) => (a.place ?? 99) - (b.place ?? 99) || b.kept - a.kept || a.seat - b.seat);

export class Parts {
  /**
   * `large`: clauses of the sentence that are said large; `first`: so many of the standings are shown.
   * @param {{ large?: number, first?: number }} how
   */
  constructor({ large = 99, first = 99 } = {}) {
    this.large = large;
    this.first = first;
    const svg = maybe("#track");
    this.track = svg && new Track(/** @type {SVGSVGElement} */ (/** @type {unknown} */ (svg)));
    /** @type {View | null} */
    this.view = null;
  }

  /** Lay the course into its place, as large as that is now. */
  lay() {
    const { view } = this;
    if (!this.track || !view?.course) return;
    const { clientWidth: width, clientHeight: height } = $("#course");
    if (!width || !height) return; // nowhere yet
    this.track.lay(view.course, width, height, view.pieces.length);
  }

  /** @param {View} view */
  show(view) {
    this.view = view;
    wear(view.match);
    document.body.dataset.tone = view.say.tone;
    guard("sentence", () => this.sentence(view));
    guard("course", () => this.course(view));
    guard("standings", () => this.standings(view));
    guard("story", () => maybe("#story-list") && panel.story(view, $("#story-list")));
    guard("odds", () => this.odds(view));
  }

  /** @param {View} view */
  sentence(view) {
    if (!maybe("#big")) return;
    panel.say(view, $("#big"), $("#then"), this.large);
    panel.sketch(view, $("#pic"));
  }

  /**
   * The course, or the podium once the game is over.
   * @param {View} view
   */
  course(view) {
    if (!this.track) return;
    this.track.svg.toggleAttribute("hidden", view.over || !view.course);
    const board = maybe("#board"); // the screen in the bar has a finish instead
    if (board) {
      board.hidden = !view.over;
      patch(board, view.over && podium(view));
    }
    if (view.over || !view.course) {
      maybe("#gamble")?.setAttribute("hidden", "");
      return;
    }
    this.lay();
    this.track.show(view);
    this.gamble(view);
  }

  /**
   * The last card of a round, in the infield.
   * @param {View} view
   */
  gamble(view) {
    const box = maybe("#gamble");
    const infield = this.track?.course?.infield;
    if (!box) return;
    const of = infield ? gamble(view) : null;
    box.hidden = !of;
    patch(box, of && gambled(of));
    if (!of || !infield) return;
    const { x, y, w, h: high } = infield;
    Object.assign(box.style, { left: `${x + w / 2}px`, top: `${y + high / 2}px` });
  }

  /**
   * What has room in the infield, in its middle; what has none is hidden.
   * @param {HTMLElement} box
   */
  inMiddle(box) {
    const infield = this.track?.course?.infield;
    if (!infield || box.hidden) return;
    const { x, y, w, h: high } = infield;
    Object.assign(box.style, { left: `${x + w / 2}px`, top: `${y + high / 2}px` });
    box.hidden = box.offsetWidth > w || box.offsetHeight > high;
  }

  /** @param {View} view */
  standings(view) {
    const list = maybe("#stand-list");
    if (!list || !view.match) return;
    $("#stand-head").textContent = view.round?.text ?? view.match.title;
    const rows = foremost(view.standings).slice(0, this.first);
    list.closest(".side")?.classList.toggle("full", rows.length > 4);
    patch(
      list,
      rows.map(row =>
        h(
          "li",
          { class: row.now ? "due" : "" },
          h("span.place", row.place === null ? "–" : String(row.place)),
          hat(row.seat, 56),
          h("b", { class: `name ${panel.long(row.name)}` }, row.name),
          row.provisional ? h("span.risk", { title: view.heads?.provisional }, `+${row.provisional}`) : null,
          h("span.score", panel.score(row.kept, view.unit, 30)),
        ),
      ),
    );
  }

  /**
   * Who wins how likely, each player in a fixed place.
   * @param {View} view
   */
  odds(view) {
    const list = maybe("#odds-list");
    const { odds } = view;
    const middle = list?.closest(".tvodds");
    if (middle instanceof HTMLElement) middle.hidden = !odds || !!odds.off || view.over || !!gamble(view);
    if (!list || !odds) return;
    const rows = odds.anyone ? [] : [...odds.rows].sort((a, b) => a.seat - b.seat).slice(0, this.first);
    $("#odds-head").textContent = odds.anyone ?? odds.title;
    const most = Math.min(1, Math.max(0.6, ...rows.map(row => row.p + 0.1)));
    patch(
      list,
      rows.map(row =>
        h(
          "li",
          hat(row.seat, 56),
          h("b", { class: `name ${panel.long(row.name)}` }, row.name),
          bar(row, most),
          h("span.chance", roughly(row.p)),
        ),
      ),
    );
    if (middle instanceof HTMLElement) this.inMiddle(middle);
  }
}
