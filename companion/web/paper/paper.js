// The match on one sheet of paper: drawn once, as it stood when the page was asked for.
import { amount, tagOf } from "../common/boards.js";
import { $, chip, h, hat, headed, parts, patch, wear, word } from "../common/draw.js";
import { Track } from "../course/track.js";

/**
 * The table with where each piece is in words (`field`), and how a game goes on by hand.
 * @typedef {{ field: { piece: string, label: string, where: string, lap: number | null, far: number }[],
 *   byHand: string[] }} ByHand
 */

/** @type {{ view: View & ByHand & { match: MatchView, course: CourseView }, when: string }} */
const { view, when } = JSON.parse($("#sheet-data").textContent ?? "");
const sheet = $("#sheet");
const WIDE = 718;
const LINES = 30; // px: the track across an A4 page; blank lines, more than fit
/** Size of the letters (pt) and height of the track (px), the first ones that fit. */
const SIZES = [
  [11, 300],
  [10, 280],
  [10, 240],
  [9.5, 230],
  [9, 220],
  [8.5, 210],
  [8, 200],
  [7.5, 190],
  [7, 180],
  [6.5, 170],
  [6, 160],
];

/** @param {Child[]} cells */
const row = cells => h("tr", ...cells.map(cell => h("td", cell)));

function field() {
  const laps = view.field.some(p => p.lap);
  const counted = view.course.kind === "loop";
  patch(
    $("#field"),
    headed(
      [word("animal"), word("stands on"), ...(counted ? [word("to go")] : [])].map(name => h("th", name)),
      view.field.map(p =>
        row([
          h("span.named", chip(p.piece, 22), p.label),
          h("b", p.where + (laps && p.lap ? ` · ${word("lap", { n: p.lap })}` : "")),
          ...(counted ? [String(p.far)] : []),
        ]),
      ),
    ),
  );
}

function scores() {
  const loose = view.standings.some(r => r.provisional !== null);
  const cards = view.standings.some(r => r.cards);
  const heads = [
    word("seat"),
    ...(cards ? [word("cards")] : []),
    ...(loose ? [view.heads?.provisional] : []),
    view.heads?.kept,
  ];
  patch(
    $("#scores"),
    headed(
      heads.map(name => h("th", name)),
      [...view.standings]
        .sort((a, b) => a.seat - b.seat)
        .map(r =>
          row([
            h(
              "span.named",
              hat(r.seat, 24),
              h("b", r.name),
              r.now && !view.match.finished && h("em", word("next")),
            ),
            ...(cards ? [word("of", { n: r.played ?? 0, of: r.cards ?? 0 })] : []),
            ...(loose ? [String(r.provisional ?? 0)] : []),
            h("b", amount(r.kept ?? r.score, view.unit)),
          ]),
        ),
    ),
  );
}

/**
 * A panel as a plain table.
 * @param {PanelView} p
 */
function panel(p) {
  /** @param {Phrase[]} list */
  const cellText = list =>
    list.map(part =>
      typeof part === "string"
        ? part
        : "piece" in part
          ? h("span.pc", chip(part.piece, 18), part.text)
          : h("b", part.text),
    );
  return h(
    "section",
    { "data-panel": p.name },
    h("h2", [p.title, tagOf(view, p)].filter(Boolean).join(" · ")),
    h(
      "table",
      headed(
        p.head.map(text => h("th", cellText(text))),
        p.rows.map(cells => row(cells.map(cellText))),
      ),
    ),
  );
}

/** Everything but the blank lines; the text gets smaller until all of it, and some lines, have room on the
    page. */
function draw() {
  wear(view.match);
  $("#title").textContent = [view.match.title, view.round?.text].filter(Boolean).join(" · ");
  $("#when").textContent = word("as of", { when });
  patch($("#say"), parts(view.say.parts));
  patch($("#then"), parts(view.say.then, { food: false }));
  $("#then").hidden = !view.say.then.length;
  field();
  scores();
  /** @type {[string, number[] | undefined][]} */
  const loose = [
    ["food", view.food],
    ["obstacles", view.course.obstacles],
  ];
  const looseItems = loose
    .filter(([, on]) => on?.length)
    .map(([what, on]) => word(what, { list: on?.join(", ") }));
  $("#lying").textContent = [view.stockText, ...looseItems].filter(Boolean).join(" · ");
  patch($("#panels"), view.panels.map(panel));
  const dealt = view.match.deal === "companion" ? "dealt" : "secret";
  patch(
    $("#hints"),
    h("h2", word("go on")),
    h("ol", ...view.byHand.map(text => h("li", text))),
    h("p", h("b", word(dealt))),
  );
  patch(
    $("#blank"),
    h(
      "table",
      headed(
        ["turn of", "card", "moves", "brings"].map(key => h("th", word(key))),
        Array.from({ length: LINES }, () => row(["", "", "", ""])),
      ),
    ),
  );
  /** @type {SVGSVGElement} */
  const svg = $("#track");
  const fits = () => sheet.scrollHeight <= sheet.clientHeight && sheet.scrollWidth <= sheet.clientWidth;
  const size =
    SIZES.find(([points, high]) => {
      sheet.style.setProperty("--pt", `${points}pt`);
      // until Chromium 88 the sheet has the browser's height for it
      svg.style.aspectRatio = `${WIDE} / ${high}`;
      return fits();
    }) ?? SIZES[SIZES.length - 1];
  const track = new Track(svg);
  track.lay(view.course, WIDE, size[1], view.pieces.length);
  track.show(view);
}

/** On a small screen the sheet is shown smaller, as a picture of the paper. */
function zoom() {
  sheet.style.zoom = String(Math.min(1, (document.documentElement.clientWidth - 16) / sheet.offsetWidth));
}

if (sheet) {
  document.fonts.ready.then(() => {
    draw();
    const full = () => {
      sheet.style.zoom = "1";
    };
    zoom();
    addEventListener("resize", zoom);
    addEventListener("beforeprint", full);
    addEventListener("afterprint", zoom);
    $("[data-action=print]").addEventListener("click", () => print());
    document.documentElement.dataset.drawn = "";
    if (new URLSearchParams(location.search).has("print")) print();
  });
}
