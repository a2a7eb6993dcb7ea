// What is printed in the owner's game: a course that is tapped together, or a table of odds.
import { $, maybe, every, h, numbers, patch, word } from "../common/draw.js";
import { press, send } from "../common/send.js";
import { kindOf, turned } from "./board.js";
import { Track } from "../course/track.js";

const RACES = [1, 2, 3];
const DOUBLES = ["1-2", "1-3", "1-4", "2-3", "2-4", "3-4"];
/**
 * @param {number} value
 * @param {string} label
 * @param {(value: number) => void} change
 * @param {Attributes} [more]
 */
const number = (value, label, change, more = {}) =>
  h("input", {
    type: "number",
    inputmode: "decimal",
    value,
    min: 1,
    max: 1000,
    required: true,
    "aria-label": label,
    onchange: e => change(Number(e.target.value)),
    ...more,
  });

/**
 * @template T
 * @param {T} value
 * @returns {T}
 */
const copied = value => JSON.parse(JSON.stringify(value));

class Editor {
  /**
   * @param {HTMLElement} section
   * @param {Record<string, KeptChart>} charts
   */
  constructor(section, charts) {
    this.section = section;
    this.charts = charts;
    this.name = section.dataset.chart ?? "";
    /** @type {SVGSVGElement} */
    this.pic = $(".chartpic", section);
    this.track = new Track(this.pic);
    const { chart, own, computed } = charts[this.name];
    /** @type {Chart} */
    this.chart = chart;
    this.own = own;
    this.computed = computed;
  }

  /** Show the stored chart, and handle its buttons. */
  show() {
    const { section } = this;
    this.take(this.charts[this.name]);
    $("details", section).addEventListener("toggle", () => this.draw());
    addEventListener("resize", () => this.draw());
    /**
     * @param {string} action
     * @param {string} event
     * @param {(el: HTMLInputElement) => void} go
     */
    const on = (action, event, go) =>
      $(`[data-action=${action}]`, section).addEventListener(event, e =>
        go(/** @type {HTMLInputElement} */ (e.currentTarget)),
      );
    on("chart-keep", "click", async b =>
      this.answered(
        await press(
          b,
          `api/charts/${this.name}`,
          { chart: this.chart, computed: this.computed },
          { method: "PUT" },
        ),
      ),
    );
    on("chart-drop", "click", async b =>
      this.answered(await press(b, `api/charts/${this.name}`, {}, { method: "DELETE" })),
    );
    on("chart-load", "change", async input => {
      const file = input.files?.[0];
      if (file) this.answered(await send("api/charts", { toml: await file.text() }));
      input.value = "";
    });
    if (maybe("[data-action=chart-compute]", section)) on("chart-compute", "click", b => this.compute(b));
    // a chart that was computed and then changed is the owner's own
    $(".chartform", section).addEventListener("change", () => {
      if (this.computed !== null) {
        this.computed = null;
        this.sign();
      }
    });
  }

  /** @param {HTMLElement} button */
  async compute(button) {
    /** @type {HTMLInputElement} */
    const field = $("[data-field=return]", this.section);
    if (!field.reportValidity()) return;
    const { ok, data } = await press(button, `api/charts/${this.name}/computed`, {
      lap: this.chart.lap,
      return: Number(field.value) / 100,
    });
    if (ok) this.take(/** @type {KeptChart} */ (data), false);
  }

  /** @param {{ ok: boolean, data: Answer }} of */
  answered({ ok, data }) {
    if (!ok) return;
    this.charts[data.game] = {
      chart: data.chart,
      own: data.own,
      computed: data.computed,
      by_seats: data.by_seats,
    };
    if (data.game === this.name) this.take(/** @type {KeptChart} */ (data));
  }

  /**
   * Show this chart; `kept`: it is the one that games are played with.
   * @param {KeptChart} of
   */
  take({ chart, own, computed }, kept = true) {
    this.chart = copied(chart);
    this.computed = computed;
    if (kept) this.own = own;
    this.sign(kept);
    $("[data-action=chart-drop]", this.section).hidden = !this.own;
    this.draw();
  }

  sign(kept = true) {
    const sign = $("[data-chart-own]", this.section);
    const made = this.computed !== null;
    const per = numbers({ maximumFractionDigits: 1 });
    const [percent, edge] = [this.computed ?? 0, 1 - (this.computed ?? 0)].map(part => per(part * 100));
    sign.textContent = made
      ? word(kept ? "computed" : "computed now", { percent, edge })
      : word(this.own ? "own chart" : "placeholder");
    sign.className = made ? "computed" : this.own ? "own" : "placeholder";
  }

  draw() {
    const form = $(".chartform", this.section);
    const { board, odds, lap } = this.chart;
    patch(form, board ? this.boardForm(board) : odds ? this.oddsForm(odds, lap ?? 22) : []);
    /** @type {HTMLDetailsElement} */
    const details = $("details", this.section);
    if (!details.open) return;
    const svg = this.pic;
    const spaces = board?.finish ?? lap ?? 22;
    /** @type {CourseView} */
    const course = board
      ? { kind: "course", spaces, behind: 6, natural: board.natural, sand: board.sand, obstacles: [] }
      : { kind: "loop", spaces };
    if (!svg.clientWidth) return;
    this.track.lay(course, svg.clientWidth, svg.clientHeight);
    /** @type {Offer} */
    const picks = board
      ? {
          picks: Array.from({ length: spaces }, (_, i) => i + 1),
          pick: space => {
            this.chart.board = turned(board, space);
            this.draw();
          },
          name: n => word("space", { n, what: word(kindOf(board, n)) }),
        }
      : {};
    this.track.show(
      { match: { animal: board ? "horse" : "dog" }, course, pieces: [], moves: [], food: [] },
      picks,
    );
  }

  /** @param {Board} board */
  boardForm(board) {
    /**
     * @param {"natural" | "sand"} name
     * @param {string} label
     */
    const list = (name, label) =>
      h(
        "label",
        h("span", word(label)),
        h("input", {
          type: "text",
          inputmode: "numeric",
          value: board[name].join(" "),
          "data-field": name,
          onchange: e => {
            board[name] = (e.target.value.match(/\d+/g) || []).map(Number);
            this.draw();
          },
        }),
      );
    return [
      h(
        "label",
        h("span", word("finish")),
        number(
          board.finish,
          word("finish"),
          n => {
            board.finish = n;
            this.draw();
          },
          { "data-field": "finish" },
        ),
      ),
      list("natural", "natural"),
      list("sand", "sand"),
      h("p.soft", word("draw it")),
    ];
  }

  /**
   * The laps, and what bets pay: once for all races, or race by race.
   * @param {OddsChart | OddsChart[]} odds
   * @param {number} lap
   */
  oddsForm(odds, lap) {
    const each = Array.isArray(odds) ? odds : [odds];
    /** @param {boolean} byRace */
    const split = byRace => {
      this.chart.odds = byRace ? RACES.map(() => copied(each[0])) : each[0];
      this.draw();
    };
    return [
      h(
        "label",
        h("span", word("lap")),
        number(
          lap,
          word("lap"),
          n => {
            this.chart.lap = n;
            this.draw();
          },
          { "data-field": "lap" },
        ),
      ),
      h(
        "label.switch",
        h("input", {
          type: "checkbox",
          checked: each.length > 1,
          "data-field": "by-race",
          onchange: e => split(e.target.checked),
        }),
        h("i", { "aria-hidden": "true" }),
        h("b", word("by race")),
      ),
      h("p.soft", word("pays")),
      ...each.flatMap((one, at) => [
        each.length > 1 && h("h3", word("race", { race: at + 1 })),
        ...this.oddsTables(one, each.length > 1 ? `race-${at + 1}-` : ""),
      ]),
    ];
  }

  /**
   * What bets pay in a race; `before` comes before the names of its fields.
   * @param {OddsChart} odds
   * @param {string} before
   */
  oddsTables(odds, before) {
    const decimals = { step: "any" };
    /** @param {"win" | "place"} kind */
    const row = kind =>
      h(
        "tr",
        h("th", { scope: "row" }, word(kind)),
        odds[kind].map((pays, i) =>
          h(
            "td",
            number(
              pays,
              `${word(kind)} ${word("dog", { n: i + 1 })}`,
              n => {
                odds[kind][i] = n;
                this.draw();
              },
              { ...decimals, "data-field": `${before}${kind}-${i + 1}` },
            ),
          ),
        ),
      );
    return [
      h(
        "table",
        h("tr", h("td"), ...[1, 2, 3, 4].map(n => h("th", { scope: "col" }, word("dog", { n })))),
        row("win"),
        row("place"),
      ),
      h(
        "table",
        h("tr", h("td"), ...DOUBLES.map(pair => h("th", { scope: "col" }, pair.replace("-", "–")))),
        h(
          "tr",
          h("th", { scope: "row" }, word("double")),
          DOUBLES.map(pair =>
            h(
              "td",
              number(
                odds.double[pair],
                `${word("double")} ${pair}`,
                n => {
                  odds.double[pair] = n;
                  this.draw();
                },
                { ...decimals, "data-field": `${before}double-${pair}` },
              ),
            ),
          ),
        ),
      ),
    ];
  }
}

/**
 * The charts of all games on the page; `charts` has the stored ones, and is updated with each change.
 * @param {Record<string, KeptChart>} charts
 */
export function editCharts(charts) {
  for (const section of every("[data-chart]")) new Editor(section, charts).show();
}
