// The finish: the stage is cleared, then third, second, first; the headline of the evening; a badge for each;
// the moment that decided it, once. A touch ends it. Loaded with the first game that ends.
import { calm, h, hat, html, labelled, parts, patch, picture, s, word } from "../common/draw.js";
import { long, score } from "../common/panels.js";
import { Track } from "../course/track.js";
import { getJson } from "../common/send.js";
import { plain } from "../common/sentence.js";
import { keyOf } from "./director.js";
import { rosette } from "./own.js";
import { beats, decisive, lastOf, lineUp, rounded } from "./beats.js";

const PAPERS = 70;
const COLOURS = ["red", "blue", "green", "yellow", "pink", "brown"];
const FLAGS = 24;
const CROWDED = 3; // so many columns leave room for the animals next to the podium
const BEFORE = 800; // ms that the position before the moment is looked at

/**
 * What the moment was, around it: two positions, in words, and each seat's chances.
 * @typedef {{ swing: SwingView, before: PastView, after: PastView }} Moment
 */

export { styled } from "./style.js";

export class Finish {
  /**
   * `cue(name, text)` makes a beat heard; `ended` is called when the last beat is reached; `touched`: whether
   * the page can be touched, so that the moment can be shown again.
   * @param {HTMLElement} el
   * @param {{ cue?: (name: string, text: string) => void, ended?: () => void, touched?: boolean }} [how]
   */
  constructor(el, { cue = () => {}, ended = () => {}, touched = true } = {}) {
    this.el = el;
    this.touched = touched;
    this.cue = cue;
    this.ended = ended;
    this.key = "";
    /** @type {View | null} */
    this.view = null;
    /** @type {import("./beats.js").Beat[]} */
    this.beats = [];
    this.at = 0;
    this.timer = 0;
    /** @type {Moment | null} */
    this.moment = null;
    this.askedFor = "";
    /** Whether the moment was shown, or ended by a touch before. */
    this.momentDone = false;
    el.addEventListener("click", () => this.skip());
    addEventListener("keydown", event => {
      if (this.playing && ["Escape", " ", "Enter"].includes(event.key)) this.skip();
    });
  }

  get playing() {
    return this.beats.length > 0 && this.at < this.beats.length - 1;
  }

  get beat() {
    return this.beats[this.at];
  }

  /**
   * Show the end of this game. `plays`: this page looked on, so it is played beat by beat.
   * @param {View} view
   * @param {{ plays: boolean }} how
   */
  show(view, { plays }) {
    const key = keyOf(view);
    const fresh = key !== this.key;
    this.view = view;
    this.el.hidden = false;
    if (fresh) this.begin(key, plays && !calm() && !document.hidden, plays);
    this.askMoment();
    this.draw();
  }

  /**
   * @param {string} key
   * @param {boolean} plays
   * @param {boolean} heard
   */
  begin(key, plays, heard) {
    clearTimeout(this.timer);
    this.key = key;
    this.moment = null;
    this.momentDone = !plays;
    this.beats = beats(this.view?.standings ?? [], false);
    this.at = plays ? 0 : this.beats.length - 1;
    if (plays) {
      this.wait();
      return;
    }
    if (heard) this.cue("end", this.view?.comment?.text ?? "");
    this.ended();
  }

  /**
   * Hide it; `over`: there is no end any more, another one is to be played.
   * @param {boolean} [over]
   */
  hide(over = true) {
    clearTimeout(this.timer);
    this.at = Math.max(0, this.beats.length - 1);
    this.momentDone = true;
    if (over) Object.assign(this, { key: "", askedFor: "", beats: [], at: 0, moment: null, view: null });
    this.el.hidden = true;
    patch(this.el);
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.next(), this.beat.ms);
  }

  next() {
    if (!this.playing) return;
    this.at += 1;
    const { beat } = this;
    this.sound();
    this.draw();
    if (beat.name === "step" && beat.place === 1) confetti(this.el);
    if (beat.name === "moment") {
      this.momentDone = true;
      this.replay();
    }
    if (this.playing) this.wait();
    else this.ended();
  }

  /** What is heard of this beat: a bell for a step, the fanfare for the first, the headline. */
  sound() {
    const { beat, view } = this;
    if (beat.name === "headline") this.cue("", plain(view?.luck?.headline ?? []));
    if (beat.name !== "step") return;
    if (beat.place === 1) this.cue("end", view?.comment?.text ?? "");
    else this.cue("round", "");
  }

  /** All at once: a touch means that people have seen enough. */
  skip() {
    if (!this.playing) return;
    clearTimeout(this.timer);
    const heard = this.at >= this.beats.findIndex(one => one.place === 1);
    if (!heard) this.cue("end", this.view?.comment?.text ?? "");
    this.at = this.beats.length - 1;
    this.momentDone = true;
    this.draw();
    this.ended();
  }

  // --- the moment --------------------------------------------------------------------------------

  /** Fetch what the decisive moment looked like, once the summary says which that was. */
  async askMoment() {
    const { view, key } = this;
    const swing = decisive(view?.luck?.swings ?? []);
    if (!swing || !view?.match || this.askedFor === key) return;
    this.askedFor = key;
    const url = `api/history/${view.match.id}/moments`;
    const [before, after] = await Promise.all([
      getJson(`${url}/${swing.since}`),
      getJson(`${url}/${swing.at}`),
    ]);
    if (this.key !== key || !before || !after) return;
    this.moment = { swing, before, after };
    if (!this.momentDone) this.withMoment();
    this.draw();
  }

  /** Let the moment follow the headline, or what is shown now if that is later. */
  withMoment() {
    const ended = !this.playing;
    this.beats = beats(this.view?.standings ?? [], true);
    if (ended) {
      this.at = this.beats.length - 3;
      this.next();
    }
  }

  /** Show the moment again, for as long as the first time. */
  again() {
    if (!this.moment || this.playing) return;
    this.momentDone = false;
    this.withMoment();
  }

  /** Move the pieces from where they stood to where the moment took them. */
  replay() {
    const { moment } = this;
    const svg = /** @type {SVGSVGElement | null} */ (this.el.querySelector(".fin-moment svg.track"));
    const box = svg?.parentElement;
    if (!moment || !svg || !box || !moment.before.course) return;
    svg.replaceChildren();
    const track = new Track(svg);
    track.lay(moment.before.course, box.clientWidth, box.clientHeight, moment.before.pieces.length);
    track.show({ ...moment.before, moves: [] });
    setTimeout(() => {
      if (this.moment !== moment) return;
      track.show({ ...moment.after, moves: [] });
      this.el.classList.add("fin-after");
    }, BEFORE);
    this.el.classList.remove("fin-after");
  }

  // --- what is drawn -----------------------------------------------------------------------------

  draw() {
    const { view, beat, el } = this;
    if (!view || !beat) return;
    const line = this.line();
    const size = plain(view.luck?.headline ?? view.say.parts).length > 44 ? "long" : "";
    el.dataset.beat = beat.name === "step" ? `place-${beat.place}` : beat.name;
    el.classList.toggle("fin-playing", this.playing);
    el.classList.toggle("fin-named", ["headline", "moment", "end"].includes(beat.name));
    patch(
      el,
      flags(),
      h(
        "div.fin-head",
        h("h1", { class: `fin-line ${size}`, "aria-live": "polite", "data-headline": "" }, line),
        h("p.fin-won", this.won()),
      ),
      h(
        "div.fin-meadow",
        h(
          "ol.fin-podium",
          { "data-podium": "", "data-players": view.standings.length },
          lineUp(view.standings).map(row => this.column(row)),
        ),
        this.herd(),
        this.momentShown(),
      ),
      this.badges(),
      h("div.fin-next", this.caption(), this.evening()),
    );
  }

  /** The way to the score of all games of tonight. */
  evening() {
    if (!this.touched || this.beat.name !== "end") return null;
    const attributes = { href: "tonight", onclick: (/** @type {Event} */ event) => event.stopPropagation() };
    return h("a.button", attributes, word("tonight"));
  }

  /** The one big line: who is third, second, first; then the headline of the evening. */
  line() {
    const { view, beat } = this;
    if (!view) return [];
    if (beat.name === "curtain") return [word("the result")];
    if (beat.name === "step" && beat.place > 1) {
      const names = view.standings.filter(row => row.place === beat.place).map(row => row.name);
      return [word(`place ${beat.place}`, { names: names.join(", ") })];
    }
    const headline = beat.name === "step" ? null : view.luck?.headline;
    return parts(headline ?? view.say.parts, { food: false });
  }

  /** Who has won, under the headline. */
  won() {
    const { view, beat } = this;
    if (!view?.luck?.headline || !["headline", "moment", "end"].includes(beat.name)) return "\u00a0";
    const chooser = lastOf(view);
    const next = chooser && word("chooses", { name: chooser });
    const won =
      plain(view.say.parts) === plain(view.luck.headline) ? [] : [parts(view.say.parts, { food: false })];
    return [...won, ...(next ? [next] : [])].flatMap((one, i) => (i ? [" · ", one] : [one]));
  }

  /** The animals next to the podium, where no one owns one and the columns leave room. */
  herd() {
    const { match, standings } = this.view ?? {};
    const isOwned = match?.colours.some(colour => colour !== null);
    if (!match || !standings || isOwned || this.beat.name === "moment") return null;
    if (standings.length > CROWDED) return null;
    return [COLOURS.slice(0, 2), COLOURS.slice(2, 4)].map(pair =>
      h(
        "div.fin-herd",
        { "aria-hidden": "true" },
        pair.map(colour => picture(match.animal, colour, 150)),
      ),
    );
  }

  /** @param {StandingsRow} row */
  column(row) {
    const runner = this.view?.match?.colours?.[row.seat] ?? null;
    const animal = this.view?.match?.animal ?? "pig";
    const place = row.place ?? 99;
    return h(
      "li",
      {
        key: row.seat,
        class: `fin-col p${place} ${place >= this.beat.place ? "in" : ""}`,
        "data-seat": row.seat,
      },
      h(
        "div.fin-who",
        runner && picture(animal, runner, 130),
        hat(row.seat, runner ? 64 : 96),
        place === 1 &&
          s(
            "svg.fin-cup",
            { viewBox: "0 0 72 72", width: 72, height: 72, "aria-hidden": "true" },
            s("use", { href: "#trophy", width: 72, height: 72 }),
          ),
      ),
      h("b", { class: `nm ${long(row.name)}`, title: row.name }, row.name),
      this.step(row),
      this.badge(row),
    );
  }

  /** @param {StandingsRow} row */
  step(row) {
    const { place } = row;
    const unit = this.view?.unit;
    const points = row.kept ?? row.score;
    return h(
      "div.fin-step",
      place !== null && h("span.pl", String(place)),
      // where nothing is counted, the score is how far a piece came: the sentence says that of the winner
      unit
        ? h("span.sc", score(points, unit, 26))
        : place === null && h("span.sc", word("space", { n: points })),
    );
  }

  /** @param {StandingsRow} row */
  badge(row) {
    const badge = this.view?.luck?.badges[row.seat]?.[0];
    return h("div.fin-badge", badge && [h("b", rosette(), h("span", badge.name)), h("p", badge.rule)]);
  }

  /** The badges below each other, for a narrow screen. */
  badges() {
    const { luck, standings } = this.view ?? {};
    const rows = (standings ?? []).flatMap(row => {
      const badge = luck?.badges[row.seat]?.[0];
      return badge ? [{ row, badge }] : [];
    });
    return (
      rows.length > 0 &&
      h(
        "ul.fin-badges",
        rows.map(({ row, badge }) =>
          h(
            "li",
            { key: row.seat, "data-badge": row.seat },
            hat(row.seat, 40),
            h("span", h("b", labelled(row.name, badge.name)), h("br"), badge.rule),
          ),
        ),
      )
    );
  }

  /** The meadow as the moment has it, and what it did to the chances. */
  momentShown() {
    const { moment, beat, view } = this;
    if (!moment || beat.name !== "moment") return null;
    const { swing } = moment;
    return h(
      "figure.fin-moment",
      h("div.fin-course", s("svg.track", { role: "img", "aria-label": word("the moment") })),
      h(
        "figcaption",
        h("b", word("the moment")),
        h("span", swing.stage),
        h("p", parts(swing.parts, { food: false })),
        [swing.gainer, swing.loser].map(seat =>
          h(
            "div.fin-chance",
            hat(seat, 44),
            h("b", view?.match?.seats[seat] ?? ""),
            h("span.fin-points", word("chance moved", points(swing, seat))),
            h(
              "span.fin-bar",
              h("i.was", { style: `width:${swing.before[seat]}%` }),
              h("i.is", { style: `--was:${swing.before[seat] / 100};--is:${swing.after[seat] / 100}` }),
            ),
          ),
        ),
      ),
    );
  }

  /** The moment in a line, at the end; touched, it is played again. */
  caption() {
    const { moment, view } = this;
    const swing = moment?.swing ?? decisive(view?.luck?.swings ?? []);
    if (!swing || this.playing) return null;
    const inside = [
      h("b", word("the moment")),
      h("span.fin-what", `${swing.stage} · `, parts(swing.parts, { food: false })),
      h(
        "span.fin-points-of",
        [swing.gainer, swing.loser].map(seat =>
          h("span", hat(seat, 30), h("span", word("chance moved", points(swing, seat)))),
        ),
      ),
    ];
    if (!moment || !this.touched || calm()) return h("div.fin-caption", inside);
    return h(
      "button.fin-caption",
      {
        "data-action": "moment-again",
        "aria-label": word("moment again"),
        title: word("moment again"),
        onclick: event => {
          event.stopPropagation();
          this.again();
        },
      },
      inside,
      s(
        "svg.ic",
        { width: 26, height: 26, viewBox: "0 0 26 26", "aria-hidden": "true" },
        s("path", { d: "M6 3v20l17-10z", fill: "currentColor" }),
      ),
    );
  }
}

const flags = () =>
  s(
    "svg.fin-flags",
    { viewBox: `0 0 ${FLAGS * 40} 40`, preserveAspectRatio: "none", "aria-hidden": "true" },
    Array.from({ length: FLAGS }, (_, i) =>
      s("path", { class: `flag${i % 5}`, d: `M${i * 40} 0h40l-20 36Z` }),
    ),
  );

/**
 * @param {SwingView} swing
 * @param {number} seat
 */
const points = (swing, seat) => ({ from: rounded(swing.before[seat]), to: rounded(swing.after[seat]) });

/**
 * Beams of light sweep over the stage, and coloured paper falls, for some seconds; all stays touchable.
 * @param {HTMLElement} stage
 */
function confetti(stage) {
  const sky = html(
    "div.confetti",
    { "aria-hidden": "true" },
    ["12%", "88%"].map(from => h("b", { style: `--x:${from}` })),
    Array.from({ length: PAPERS }, (_, i) =>
      h("i", {
        class: COLOURS[i % COLOURS.length],
        style: `--x:${((i * 61) % 100) + Math.random()}%;--i:${(i * 37) % PAPERS}`,
      }),
    ),
  );
  (stage.parentElement ?? stage).append(sky);
  setTimeout(() => sky.remove(), 6_000);
}
