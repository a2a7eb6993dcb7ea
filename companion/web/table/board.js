// The board: what is shown large next to the race. It covers nothing of the course: what does not fit the
// infield is at the head of the column next to it, where story and panels give way.
import { fit as fitTables, panelList, panelTable, tagOf } from "../common/boards.js";
import { $, calm, chip, every, h, maybe, patch, word } from "../common/draw.js";
import { Measured } from "../common/measured.js";
import { chances } from "../common/odds.js";
import * as panel from "../common/panels.js";
import { press } from "../common/send.js";
import { roomIn } from "../course/geometry.js";

/**
 * How many rows the standings or the odds have.
 * @param {View} view
 */
const rowsOf = view => Math.max(view.odds?.rows.length ?? 0, view.standings.length);

const TURNS = 3_800; // ms that a leaf of a race is looked at

/**
 * What the board shows.
 * @typedef {"wrong" | "pick" | "tote" | "panel" | "gamble"} Shown
 */

const stage = $("#stage");
const board = $("#board");
const course = $("#course");
const side = $("#side");
const more = $("#more");
const story = $("#more .story");
const unseen = $("#unseen");
const luck = $("#luck");
const panels = $("#panels");

/** @param {HTMLElement} el */
const tooHigh = el => el.scrollHeight > el.clientHeight + 1;
/** @param {HTMLElement} el */
const tooWide = el => el.scrollWidth > el.clientWidth + 1;

/** Whether what the board holds fits into it; `low`: with lower rows. */
function fits(low = false) {
  board.classList.toggle("low", low);
  fitTables(board);
  const box = board.firstElementChild instanceof HTMLElement ? board.firstElementChild : board;
  const names = every(".nm", board).filter(el => !el.closest("details"));
  const cut = names.some(el => el.scrollHeight > el.clientHeight + 8); // a line, not the foot of a letter
  return !tooHigh(box) && !tooHigh(board) && !tooWide(box) && !cut;
}

/**
 * The panel of the cards that were turned over last, if this view has one.
 * @param {View} view
 */
const turnedOver = view => view.panels.find(p => p.name === "order" || p.name === "table");

/**
 * What tells one turning over from another.
 * @param {View} view
 */
const turning = ({ match, round }) => JSON.stringify([match?.id, round?.race, round?.round, round?.turn]);

/** @param {View} view */
const keyOf = ({ finale, match }) => (finale ? `${match?.id}:${finale.key}` : "");

export class Board {
  /**
   * `refresh` draws the board and what is next to it again, `again` all of the page.
   * @param {import("../course/track.js").Track} track
   * @param {boolean} mayPlay
   * @param {() => void} refresh
   * @param {() => void} again
   */
  constructor(track, mayPlay, refresh, again) {
    this.again = again;
    /** The last race that was opened to its end, so that the winner of the game is shown. */
    this.openedRace = "";
    this.track = track;
    this.mayPlay = mayPlay;
    this.refresh = refresh;
    /** @type {View | null} */
    this.seen = null;
    /**
     * The panel that a viewer opened.
     * @type {string | null}
     */
    this.opened = null;
    this.doubt = false;
    /** @type {typeof import("../common/luck-late.js") | null} */
    this.late = null;
    /** How a race is settled, leaf by leaf: loaded with the first one. */
    /** @type {typeof import("./unfold.js") | null} */
    this.settling = null;
    /** @type {VNode | null} */
    this.picker = null;
    this.column = new Measured(side);
    /** What the board showed last, and how large: what is unchanged is not laid anew. */
    this.laid = "";
    /** The race run last; whether this page looked on; whether the winner runs home `alone`. */
    this.finale = { key: "", seen: false, alone: false };
    /** The board that had no room, as it was shown. */
    this.away = { key: "", shown: "" };
    /** The last card of the round that is being drawn. */
    /** @type {VNode | null} */
    this.stake = null;
    /** Which turning over of cards was shown last; how to show one is loaded with the first cards. */
    this.turned = "";
    /** @type {typeof import("./turned.js") | null} */
    this.cards = null;
    /**
     * The standings before the last race was settled.
     * @type {{ key: string, rows: StandingsRow[] }}
     */
    this.unpaid = { key: "", rows: [] };
    /** Which leaf of which race is open. */
    this.leaf = { of: "", at: 0, timer: 0, turned: false };
    maybe("[data-action=doubt]")?.addEventListener("click", () => {
      this.doubt = !this.doubt;
      refresh();
    });
  }

  get view() {
    if (!this.seen) throw new Error("nothing is shown yet: call show before");
    return this.seen;
  }

  /** Another match: nothing is asked for any more. */
  forget() {
    this.opened = null;
  }

  /**
   * Draw the board, and what has room next to it in the column, which is so large.
   * @param {View} view
   * @param {VNode | null} picker
   * @param {[number, number]} size
   */
  show(view, picker, size) {
    const met = this.seen !== null;
    this.seen = view;
    if (view.panels.some(p => p.grouped)) this.loadSettling();
    if (turnedOver(view)) this.loadCards();
    this.picker = picker;
    this.finish(met);
    if (![...view.panels, ...this.asked()].some(p => p.name === this.opened)) this.opened = null;
    const { wrong, trust } = this.trouble();
    this.draw(wrong, trust, size);
    this.beside(size);
    this.turn(met);
  }

  /** What is to be said to the table, and the ways to agree about a piece that stands wrong. */
  trouble() {
    const { view } = this;
    const wrong = panel.refused(view);
    const fixes = this.mayPlay ? view.actions.trust : [];
    if (!fixes.length) this.doubt = false;
    const hasFaults = view.say.tone === "wrong" || wrong.length > 0;
    const ask = maybe("[data-action=doubt]");
    if (ask) {
      ask.hidden = !fixes.length || (hasFaults && fixes.every(fix => fix.wrong));
      ask.setAttribute("aria-expanded", String(this.doubt));
    }
    return { wrong, trust: this.doubt ? fixes : hasFaults ? fixes.filter(fix => fix.wrong) : [] };
  }

  /**
   * What the board says: what is wrong, a set to choose, the winners, a panel, the odds.
   * @param {AlertView[]} wrong
   * @param {FixView[]} trust
   * @returns {Shown}
   */
  kind(wrong, trust) {
    const { view, opened } = this;
    if (wrong.length || trust.length) return "wrong";
    if (this.picker) return "pick";
    if (opened) return opened === "tote" ? opened : "panel";
    if (view.over) return "tote"; // the finish has it all
    if (this.stake) return "gamble";
    return view.panels.length && this.track.course?.infield ? "panel" : "tote";
  }

  /** The panel on the board: the one that was asked for, else the first. */
  shownPanel() {
    const { panels: all } = this.view;
    return all.find(p => p.name === (this.opened ?? all[0]?.name));
  }

  /**
   * Whether the infield bears the odds by themselves, so that the standings need not.
   * @param {View} view
   */
  bears(view) {
    const c = this.track.course;
    if (!c?.infield || view.panels.length) return false;
    return this.room("tote", this.wished(view, "tote")).h >= 46 + rowsOf(view) * 42;
  }

  // --- the finish ----------------------------------------------------------------------------------

  /**
   * A view as it is shown here: while the last race is opened leaf by leaf, there is no winner yet.
   * @param {View} view
   * @returns {View}
   */
  staged(view) {
    const { finale } = view;
    const key = keyOf(view);
    const met = this.finale.key === key ? this.finale.seen : this.seen !== null;
    const bets = met && view.panels.find(p => p.grouped);
    // with another panel open, the winner is shown at once
    if (finale?.say && bets && ![null, bets.name].includes(this.opened)) this.openedRace = key;
    if (!finale?.say || !bets || this.openedRace === key || calm() || document.hidden) return view;
    return {
      ...view,
      over: false,
      say: finale.say,
      standings: this.before(key, view),
      odds: null,
      luck: null,
    };
  }

  /**
   * The standings before the last race: its money is in them once its last leaf was looked at.
   * @param {string} key
   * @param {View} view
   */
  before(key, view) {
    if (this.unpaid.key !== key) this.unpaid = { key, rows: this.seen?.standings ?? view.standings };
    return this.unpaid.rows;
  }

  /** All leaves of the last race were looked at: now the game's winner. */
  close() {
    const { view } = this;
    if (!view.finale?.say || view.over || this.openedRace === keyOf(view)) return;
    this.openedRace = keyOf(view);
    this.again();
  }

  /**
   * A race that was run while this page looked on has its moment: the course alone, the winner running home.
   * @param {boolean} met
   */
  finish(met) {
    const { view } = this;
    const { finale } = view;
    const key = keyOf(view);
    if (key === this.finale.key) return;
    const another = !!finale && (!finale.last || !!finale.say); // the finish shows the game's end
    const runs = another && met && !calm() && !document.hidden && !!this.track.course;
    this.finale = { key, seen: !!finale && met, alone: runs };
    this.leaf = { of: "", at: 0, timer: 0, turned: false };
    stage.classList.toggle("alone", runs);
    if (runs) this.run(view, key);
  }

  /**
   * @param {View} view
   * @param {string} key
   */
  async run(view, key) {
    const { runHome } = await import("./finale.js");
    runHome(this.track, view, () => {
      if (this.finale.key !== key) return;
      this.finale.alone = false;
      stage.classList.remove("alone");
      this.refresh();
    });
  }

  /**
   * Cards that were turned over while this page looked on have their moment.
   * @param {boolean} met
   */
  turn(met) {
    const { view } = this;
    const panelOf = turnedOver(view);
    const now = panelOf ? turning(view) : "";
    if (now === this.turned) return;
    const first = view.round?.turn === 1; // nothing was turned over yet
    const flies = met && !first && panelOf && !calm() && !document.hidden && !this.finale.alone;
    this.turned = now;
    if (flies) this.fly(panelOf);
  }

  /** @param {PanelView} panelOf */
  fly(panelOf) {
    const section = maybe(`[data-panel="${panelOf.name}"]`, stage);
    const { colours } = this.view.match ?? { colours: [] };
    if (section && panelOf.rows.length) this.cards?.turnOver(section, panelOf, colours);
  }

  async loadCards() {
    this.cards ??= await import("./turned.js");
  }

  /**
   * The settlement of a race, leaf by leaf; each is shown for a while, until a viewer turns to one.
   * @param {PanelView} bets
   * @param {typeof import("./unfold.js")} settling
   */
  unfold(bets, { leaves, unfolded }) {
    const { view } = this;
    const sums = view.panels.find(p => p.name === "ledger");
    const all = leaves(bets, sums, view);
    const of = `${view.match?.id}:${bets.title}`;
    if (this.leaf.of !== of) {
      const quiet = calm() || !this.finale.seen || this.opened !== null;
      this.leaf = { of, at: quiet ? all.length - 1 : 0, timer: 0, turned: false };
      if (!quiet) this.turnSoon(all.length);
      else this.close();
    }
    this.leaf.at = Math.min(this.leaf.at, all.length - 1);
    return unfolded(bets, all, this.leaf.at, view.match?.seats ?? [], i => {
      clearTimeout(this.leaf.timer);
      this.leaf.at = i;
      if (view.finale?.say) this.turnSoon(all.length);
      this.refresh();
      this.leaf.turned = true;
    });
  }

  async loadSettling() {
    if (this.settling) return;
    const part = await import("./unfold.js");
    await part.styled;
    this.settling = part;
    this.refresh();
  }

  /** @param {number} count */
  turnSoon(count) {
    clearTimeout(this.leaf.timer);
    const { leaf } = this;
    leaf.timer = setTimeout(() => {
      if (this.leaf !== leaf) return;
      if (leaf.at + 1 >= count) {
        this.close();
        return;
      }
      leaf.at += 1;
      this.turnSoon(count);
      this.refresh();
    }, TURNS);
  }

  // --- where the board is --------------------------------------------------------------------------

  /**
   * How high the board would like to be.
   * @param {View} view
   * @param {Shown} of
   */
  wished(view, of) {
    const rows = rowsOf(view);
    /** @type {Partial<Record<Shown, number>>} */
    const all = { tote: 62 + rows * 48, wrong: 230, gamble: 290 };
    return all[of] ?? 400;
  }

  /**
   * The box in the infield that the board gets, at most `high`.
   * @param {Shown} of
   * @param {number} high
   */
  room(of, high) {
    const c = this.track.laid;
    if (!c.infield) return { x: 0, y: 0, w: 0, h: 0 };
    return roomIn(c.infield, c.lane, of === "tote" ? 560 : 640, high, c.asides);
  }

  /**
   * Lay the board into the infield, at most `high`.
   * @param {Shown} of
   * @param {number} [high]
   */
  inside(of, high = this.wished(this.view, of)) {
    if (board.parentElement !== course) course.append(board);
    const at = this.room(of, high);
    Object.assign(board.style, {
      left: `${at.x}px`,
      top: `${at.y}px`,
      width: `${at.w}px`,
      maxHeight: `${at.h}px`,
    });
    board.classList.remove("beside");
    board.classList.toggle("narrow", at.w < 470);
    board.classList.toggle("wide", at.w > 400);
    board.classList.toggle("flat", of === "tote" && at.h < 50 + rowsOf(this.view) * 44);
  }

  /** Put the board at the head of the column next to the course. */
  outside() {
    if (board.parentElement !== more) more.prepend(board);
    for (const what of ["left", "top", "width", "max-height"]) board.style.removeProperty(what);
    board.classList.remove("wide", "flat", "low");
    board.classList.add("beside", "narrow");
    fitTables(board);
  }

  /**
   * Put the board into the infield; return whether it fits there.
   * @param {Shown} of
   */
  fitsInside(of) {
    const c = this.track.laid;
    if (!c.infield || this.room(of, this.wished(this.view, of)).w < 200) return false;
    if (of === "tote") {
      this.inside(of);
      return fits();
    }
    if (of !== "panel") {
      const high = this.room(of, this.wished(this.view, of)).h;
      return [high, high - 24, high - 48, high - 72]
        .filter(px => px >= Math.min(high, 150))
        .some(px => {
          this.inside(of, px);
          return fits() || fits(true);
        });
    }
    // the lower a board, the wider it may be between the bends of a loop
    if (every("tbody tr", board).length * 32 > c.infield.h) return false;
    for (const low of [false, true]) {
      for (let high = 150; high <= c.infield.h; high += 12) {
        this.inside(of, high);
        if (fits(low)) return true;
      }
    }
    return false;
  }

  /**
   * @param {AlertView[]} wrong
   * @param {FixView[]} trust
   * @param {[number, number]} size
   */
  draw(wrong, trust, size) {
    const { view, opened } = this;
    const c = this.track.course;
    if (!c) return;
    const of = this.kind(wrong, trust);
    const bare =
      of === "tote"
        ? !opened && (!view.odds || !this.bears(view))
        : of === "panel" && this.shownPanel()?.grouped && !this.settling;
    const made = bare || this.finale.alone ? null : this.made(of, wrong, trust);
    const key = JSON.stringify([of, made, c.width, c.height, size, document.fonts.status]);
    board.hidden = !made || this.away.key === key;
    this.away.shown = key;
    if (!board.hidden) patch(board, made);
    const laid = `${board.hidden} ${key}`;
    if (laid !== this.laid) this.place(of);
    this.laid = laid;
  }

  /**
   * Lay the board where it fits. The odds of a game that is over leave the column to its report.
   * @param {Shown} of
   */
  place(of) {
    board.dataset.kind = of;
    board.className = `board is-${of} ${this.opened ? "closable" : ""}`;
    if (board.hidden) {
      if (board.parentElement !== course) course.append(board);
      return;
    }
    if (!this.fitsInside(of)) {
      if (of === "tote" && this.view.over && !this.opened) this.remove();
      else this.outside();
    }
    if (this.leaf.turned) maybe("[role=tab][aria-selected=true]", board)?.focus();
    this.leaf.turned = false;
  }

  /**
   * @param {Shown} of
   * @param {AlertView[]} wrong
   * @param {FixView[]} trust
   * @returns {Child}
   */
  made(of, wrong, trust) {
    const { view } = this;
    const shown = this.shownPanel();
    /** @type {Record<Shown, () => Child>} */
    const all = {
      pick: () => this.picker,
      panel: () => [
        shown?.grouped && this.settling
          ? this.unfold(shown, this.settling)
          : shown && panelTable(shown, tagOf(view, shown), view.odds),
        this.opened ? this.closing() : null,
      ],
      gamble: () => this.stake,
      wrong: () => this.notices(wrong, trust),
      tote: () => [
        view.odds && h("section", { class: `tote ${view.odds.old ? "old" : ""}` }, chances(view.odds)),
        this.opened ? this.closing() : null,
      ],
    };
    return all[of]();
  }

  /**
   * What was refused, each with its sign, and what may be done about it.
   * @param {AlertView[]} wrong
   * @param {FixView[]} trust
   */
  notices(wrong, trust) {
    const { seq } = this.view;
    return [
      ...wrong.map(a =>
        panel.notice(a, this.mayPlay ? event => press(event.currentTarget, "api/next", {}) : null),
      ),
      trust.length > 0 &&
        h(
          "div.trust",
          trust.map(t =>
            h(
              "button",
              {
                "data-action": `trust-${t.side}`,
                "data-trust": t.piece,
                onclick: e => press(e.currentTarget, "api/trust", { seq, side: t.side, piece: t.piece }),
              },
              t.piece && chip(t.piece, 32),
              h("span", t.text),
            ),
          ),
        ),
    ];
  }

  closing() {
    return h(
      "button.round.quiet.closepanel",
      {
        "data-action": "close-panel",
        "aria-label": word("close"),
        onclick: () => {
          this.opened = null;
          this.refresh();
        },
      },
      h("span", { "aria-hidden": "true" }, "✕"),
    );
  }

  /**
   * Where to show something for a moment: in the infield, else over the column.
   * @param {HTMLElement} el
   */
  lay(el) {
    const c = this.track.course;
    const field = c?.infield;
    const tried =
      c && field ? [300, 250, 200, 150].map(high => roomIn(field, c.lane, 640, high, c.asides)) : [];
    const free = tried.find(at => at.w > 360 && at.h > 130);
    const box = free ? course : side;
    if (el.parentElement !== box) box.append(el);
    const where = free
      ? { left: free.x - free.w / 2, top: free.y - free.h / 2, width: free.w, height: free.h }
      : { left: 0, top: 0, width: side.clientWidth, height: side.clientHeight };
    for (const [name, px] of Object.entries(where)) el.style.setProperty(name, `${px}px`);
    el.classList.toggle("flat", where.height < 240);
  }

  // --- the column next to the course ---------------------------------------------------------------

  /** The panel that a viewer opened: the odds where the course has no room for them. */
  asked() {
    const { odds: of, over } = this.view;
    return of && !over && !this.bears(this.view) ? [{ name: "tote", title: of.title }] : [];
  }

  /**
   * The report of the game that is over takes the place of standings and story; its part is loaded with it.
   * @param {boolean} hasBoard whether the column has a board
   */
  report(hasBoard) {
    const { view } = this;
    if (view.luck && !this.late) {
      import("../common/luck-late.js").then(async part => {
        await part.styled;
        this.late = part;
        this.refresh();
      });
    }
    const reportShown = !!(view.luck && this.late) && !hasBoard;
    luck.hidden = !reportShown;
    side.classList.toggle("told", reportShown);
    if (reportShown) this.late?.show(luck, view, { ended: true });
    return reportShown;
  }

  /**
   * The panels next to the course: for them the story gives way, then the column is set tighter; what still
   * has no room can be opened. A board in the column comes first.
   * @param {[number, number]} size
   */
  beside(size) {
    const { view } = this;
    const hasBoard = board.parentElement === more && !board.hidden;
    const on = board.dataset.kind === "panel" && !board.hidden ? this.shownPanel() : null;
    const reportShown = this.report(hasBoard);
    const list = view.panels.filter(p =>
      reportShown ? p.grouped || p.name === "tipsters" : p !== on && !(on?.grouped && p.name === "ledger"),
    );
    panelList(view, list, panels);
    this.offer(list);
    this.column.again(() => {
      side.classList.remove("compact", "compacter", "given", "scrolls");
      board.classList.remove("dense");
      this.arrange(list, reportShown);
      if (hasBoard && !reportShown) this.giveWay(size);
    }, size);
  }

  /**
   * As many of these panels as have room; next to the report, no story.
   * @param {PanelView[]} list
   * @param {boolean} reportShown
   */
  arrange(list, reportShown) {
    const sections = every(":scope > *", panels);
    const low = () =>
      tooHigh(more) || (reportShown && tooHigh(luck)) || (!story.hidden && story.clientHeight < 92);
    const full = () => {
      fitTables(panels);
      return low() || sections.some(el => !el.hidden && tooWide(el));
    };
    const broken = panel.broken(this.view).length > 0;
    for (const el of sections) el.hidden = false;
    story.hidden = !broken && (reportShown || !this.view.story.length);
    const offer = () => this.offer(list);
    offer();
    if (full() && !broken) story.hidden = true;
    for (const tight of ["compact", "compacter"]) if (full()) side.classList.add(tight);
    while (full()) {
      const last =
        sections.find(el => !el.hidden && tooWide(el)) ?? [...sections].reverse().find(el => !el.hidden);
      if (!last) break;
      last.hidden = true;
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

  /**
   * Buttons for those of these panels that had no room, and for what is asked for.
   * @param {PanelView[]} list
   */
  offer(list) {
    const sections = every(":scope > *", panels);
    const away = [...this.asked(), ...list.filter((_, i) => sections[i].hidden)];
    const closed = away.filter(p => p.name !== this.opened);
    unseen.hidden = !closed.length;
    patch(
      unseen,
      closed.map(p =>
        h(
          "button.quiet",
          {
            key: p.name,
            "data-action": "open-panel",
            "data-open": p.name,
            onclick: () => {
              this.opened = p.name;
              this.refresh();
            },
          },
          p.title,
        ),
      ),
    );
  }

  /**
   * A board in the column that is still too high: lower rows, then the standings' place, then it scrolls. One
   * that no viewer opened and no player needs to decide has to be opened then.
   * @param {[number, number]} size
   */
  giveWay(size) {
    const shown = board.dataset.kind === "panel" && !this.opened ? this.shownPanel() : null;
    const spare = !!shown && !shown.grouped && shown.name !== "odds";
    const steps = [
      () => board.classList.add("low"),
      () => board.classList.add("dense"),
      ...(spare ? [() => this.putAway(size)] : []),
      () => {
        board.classList.remove("low", "dense");
        side.classList.remove("compact", "compacter");
        side.classList.add("given");
      },
      () => board.classList.add("low"),
      () => side.classList.add("scrolls"),
    ];
    for (const step of steps) {
      if (!tooHigh(more) || board.hidden) return;
      step();
      fitTables(board);
    }
  }

  /**
   * @param {[number, number]} size
   */
  putAway(size) {
    this.remove();
    this.beside(size);
  }

  /** Hide the board until it has something else to show, or another room. */
  remove() {
    this.away.key = this.away.shown;
    board.hidden = true;
    course.append(board);
  }
}
