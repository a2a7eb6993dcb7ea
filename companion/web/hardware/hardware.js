// The page of the hardware: what is wrong, every sensor, tests, bench figures. It asks again each second
// while it is seen.
import {
  $,
  chip,
  draw,
  every,
  h,
  headed,
  heading,
  labelled,
  make,
  maybe,
  numbers,
  patch,
  picture,
  touched,
  word,
} from "../common/draw.js";
import { inFigures } from "../common/dates.js";
import { latencyChart } from "./latency-chart.js";
import { Readers, sign } from "./readers.js";
import { getJson, press, send, tell } from "../common/send.js";
import "../common/unlock.js";

const GROUP = 8;
const EVERY = 1_000;
const LOOKS = 50;
const one = numbers({ maximumFractionDigits: 1 });
const two = numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
/** @type {HardwareView} */
let view;
/** @type {number | null} */
let opened = null;
/** @type {"track" | "groups" | null} */
let from = null;
/** @type {Readers | null} */
let readers = null; // the hardware, the number of the space that is looked at, and what was pressed for it

if ($("#findings")) hardware();

/**
 * What is on a space: a small picture of the piece, the sign of a card, a dot.
 * @param {SensorView} sensor
 * @param {number} size
 */
function tagPictures(sensor, size) {
  if (sensor.lies === true) return h("i.dot9", { "aria-hidden": "true" });
  return (sensor.lies || []).map(tag =>
    tag.kind === "piece"
      ? picture(tag.animal, tag.colour, size)
      : tag.colour
        ? chip(tag.colour, size * 0.6)
        : h("i.dot9.strange", { "aria-hidden": "true" }),
  );
}
/** @param {Lies} tags */
const tagsText = tags =>
  tags === null
    ? word("unknown")
    : tags === true
      ? word("piece")
      : tags === false || !tags.length
        ? word("empty")
        : tags.map(tag => tag.label).join(", ");

/** @param {number | null} seconds */
function ago(seconds) {
  if (seconds === null) return word("not yet");
  if (seconds < 90) return word("ago s", { n: Math.round(seconds) });
  return seconds < 5400
    ? word("ago min", { n: Math.round(seconds / 60) })
    : word("ago h", { n: Math.round(seconds / 3600) });
}

/**
 * Rows of a list of facts; one that is not known is left out.
 * @param {HTMLElement} list
 * @param {[string, string | number | null | undefined][]} rows
 */
function facts(list, rows) {
  const known = rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
  patch(list, ...known.map(([name, value]) => h("div", h("dt", name), h("dd", String(value)))));
}
/**
 * @param {number | null} value
 * @param {string} name
 * @param {(value: number) => string} [format]
 */
const unit = (value, name, format = one) => (value === null ? null : `${format(value)} ${name}`);

function findings() {
  patch(
    $("#findings"),
    view.findings.length
      ? view.findings.map(finding =>
          h(
            "li",
            { class: `finding ${finding.grave}`, "data-part": finding.part },
            h(
              "p.what9",
              sign(finding.grave === "hint" ? "missed" : finding.grave === "dead" ? "silent" : "fault"),
              h("b", `${finding.what}.`),
            ),
            h(
              "dl",
              h("dt", word("why")),
              h("dd", `${finding.cause}.`),
              h("dt", word("try")),
              h("dd.next9", `${finding.try[0]}.`),
              finding.try.length > 1 && [
                h("dt", word("then")),
                h("dd", h("ol.tries", ...finding.try.slice(1).map(text => h("li", `${text}.`)))),
              ],
            ),
          ),
        )
      : h("li.well", h("b", { "aria-hidden": "true" }, "✓"), word("well")),
  );
}

function track() {
  $("#sensors").hidden = !view.track?.sensors.length;
  $("#link").hidden = !view.track;
  if (!view.track) return;
  const { sensors } = view.track;
  /** @type {SensorView[][]} */
  const groups = [];
  for (const sensor of sensors) (groups[Math.floor(sensor.space / GROUP)] ??= []).push(sensor);
  patch(
    $("#groups"),
    groups.map((list, n) =>
      h(
        "section.group",
        { "aria-label": word("group", { n: n + 1 }) },
        h(
          "h3",
          word("group", { n: n + 1 }),
          " ",
          h("small", sensors[0].kind === "tag" ? word("group wire", { n }) : ""),
        ),
        h("ol", ...list.map(sensor => h("li", { key: sensor.space }, cell(sensor)))),
      ),
    ),
  );
  drawn();
  detail();
}

/** @param {{ space: number, state: string, said?: string, lies: Lies }} sensor */
const calls = sensor =>
  sensor.state === "none"
    ? word("no sensor", { n: sensor.space })
    : [
        word("sensor", { n: sensor.space, said: sensor.said }),
        word("there", { what: tagsText(sensor.lies) }),
      ].join(", ");

/** The drawn track: the course of the game, or a loop of what is sensed. */
function drawn() {
  const sensors = view.track?.sensors ?? [];
  const works = sensors.filter(sensor => sensor.state === "ok" || sensor.state === "missed").length;
  readers ??= new Readers($("#readers"));
  readers.show({
    course: view.course,
    first: view.course?.first ?? 0,
    sensors,
    opened,
    call: calls,
    summary: sensors.every(sensor => sensor.state === "unknown")
      ? word("unknown")
      : word("so many", { n: works, of: sensors.length }),
    pick: space => {
      from = "track";
      select(space === opened ? null : space);
    },
  });
}

/** @param {SensorView} sensor */
const cell = sensor =>
  h(
    "button",
    {
      class: `sensor ${sensor.state}`,
      "data-action": "look",
      "data-card": sensor.space,
      "data-state": sensor.state,
      "aria-expanded": String(sensor.space === opened),
      "aria-controls": "detail",
      "aria-label": calls(sensor),
      onclick: () => {
        from = "groups";
        select(sensor.space === opened ? null : sensor.space);
      },
    },
    h("b", String(sensor.space)),
    sign(sensor.state, 22),
    h("span.on9", tagPictures(sensor, 40)),
  );

/** @param {number | null} space */
function select(space) {
  opened = space;
  patch($("#detail-result"));
  track();
  if (space === null) return;
  $("#detail").focus({ preventScroll: true });
  $("#detail").scrollIntoView({ block: "nearest" });
}

function detail() {
  const box = $("#detail");
  box.hidden = opened === null;
  $("#pressone").hidden = opened !== null;
  if (opened === null) return;
  const sensor = view.track?.sensors.find(s => s.space === opened) ?? {
    space: opened,
    changed_s: null,
    version: null,
    kind: "none",
    said: word("played by taps"),
    lies: null,
    chip: null,
    misses: null,
    step_ma: null,
    wires: null,
  };
  $("#detail-title").textContent = word("at track", { n: sensor.space });
  facts($("#detail-facts"), [
    [
      word("row printed"),
      view.course?.first ? word("at track", { n: sensor.space + view.course.first }) : null,
    ],
    [word("row kind"), word(`kind ${sensor.kind}`)],
    [word("row fault"), sensor.said],
    [word("row lies"), sensor.kind === "none" ? null : tagsText(sensor.lies)],
    [word("row chip"), sensor.chip && `${sensor.chip} (${sensor.version})`],
    [word("row misses"), sensor.kind === "tag" ? sensor.misses : null],
    [word("row changed"), sensor.kind === "none" ? null : ago(sensor.changed_s)],
    [word("row step"), unit(sensor.step_ma, "mA")],
    [word("row wires"), sensor.wires],
  ]);
  $("#detail-test").hidden = sensor.kind !== "tag";
}

/**
 * How a part is, and why.
 * @param {PartView} part
 */
const state = part => (part.why ? labelled(word(part.state), part.why) : word(part.state));

function parts() {
  const { pad, panel, pi, track: link } = view;
  for (const [name, part] of Object.entries({ pad, panel, pi })) $(`#${name}`).hidden = !part;
  if (pad) padFacts(pad);
  $("#pad-test").hidden = pad?.kind === "usb"; // it cannot be asked
  if (panel && $("#panel-state").textContent !== state(panel)) $("#panel-state").textContent = state(panel);
  if (link) linkFacts(link);
  if (pi) piFacts(pi);
}

/** @param {PadView} pad */
function padFacts(pad) {
  facts($("#pad-facts"), [
    [word("state"), state(pad)],
    [word("row lies"), tagsText(pad.lies)],
    [word("row chip"), pad.chip && `${pad.chip} (${pad.version})`],
    [word("reader"), [pad.device, pad.at_tablet && word("at tablet")].filter(Boolean).join(", ") || null],
    [word("why this"), pad.chosen],
    [word("candidates"), pad.kind === "usb" && pad.found.length ? pad.found.join(", ") : null],
    [word("typed last"), pad.typed],
    [word("library"), pad.library],
    [word(pad.kind === "usb" ? "typed" : "polls"), pad.polls],
    [word("pad misses"), pad.kind === "usb" ? null : pad.misses],
    [word("restarts"), pad.kind === "spi" ? pad.restarts : null],
    [word("row changed"), ago(pad.changed_s)],
  ]);
}

/** @param {TrackView} link */
function linkFacts(link) {
  facts($("#link-facts"), [
    [word("line"), link.wire_text],
    [word("port"), link.port],
    [word("board"), link.board],
    [word("firmware"), link.firmware],
    [word("started by"), link.started_by && (word(`started ${link.started_by}`) || link.started_by)],
    [word("track power"), link.power && word(link.power)],
    [word("volts"), unit(link.volts, "V", two)],
    [word("ma"), unit(link.milliamperes, "mA")],
    [word("celsius"), unit(link.celsius, "°C")],
    [word("sweep"), unit(link.sweep_ms, "ms")],
    [word("lines"), link.lines],
    [word("hurt"), link.hurt],
    [word("resyncs"), link.resyncs],
  ]);
}

/** @param {PiView} pi */
function piFacts(pi) {
  const low = pi.undervoltage ? "now" : pi.undervoltage_since_start ? "since start" : "never";
  facts($("#pi-facts"), [
    [word("model"), pi.model],
    [word("undervoltage"), pi.undervoltage_since_start === null ? null : word(low)],
    [word("slowed"), pi.slowed === null ? null : word(pi.slowed ? "yes" : "no")],
    [word("heat"), unit(pi.celsius, "°C")],
    [word("spi"), pi.spi && word(`spi ${pi.spi}`)],
  ]);
}

function latency() {
  const { ms, median, p95 } = view.latency;
  const text = ms.length
    ? word("latency", { n: ms.length, median: one(median ?? 0), p95: one(p95 ?? 0) })
    : word("no latency");
  const box = $("#latency-chart");
  if ($("#latency-said").textContent !== text) $("#latency-said").textContent = text;
  box.hidden = !ms.length;
  if (ms.length) draw(box, latencyChart, view.latency, box.clientWidth);
}

/** @param {string} at */
const where = at => (at === "pad" ? word("at pad") : word("at track", { n: at.split("/")[1] }));
/** @type {Record<string, string>} */
const HELD = { card: "card", sleeve: "sleeve", piece: "piece held", tag: "tag" };
const COLUMNS = [
  "when",
  "held",
  "where",
  "height",
  "offset",
  "hits",
  "torn head",
  "power",
  "row chip",
  "note",
];

function figures() {
  const list = view.figures;
  /** @param {number | null} value */
  const number = value => (value === null ? "–" : one(value));
  $("[data-action=forget]").hidden = !list.length;
  patch(
    $("#figures"),
    list.length
      ? h(
          "table",
          headed(
            COLUMNS.map(name => heading("col", word(name))),
            [...list].reverse().map(f =>
              h(
                "tr",
                [
                  inFigures(f.when),
                  [word(HELD[f.what]), f.mock && h("em.mock9", word("modelled"))],
                  where(f.at),
                  number(f.height_mm),
                  number(f.offset_mm),
                  word("of", { n: f.hits, of: f.polls }),
                  String(f.torn),
                  f.power === null ? word("as set") : String(f.power),
                  f.chip ?? "–",
                  f.note,
                ].map(text => h("td", text)),
              ),
            ),
          ),
        )
      : h("p", word("no figures")),
  );
}

function recorder() {
  const { recorder: recording } = view;
  $("#recorder").hidden = !recording;
  if (!recording) return;
  /** @type {HTMLInputElement} */
  const box = $("[data-action=record]");
  box.checked = recording.on;
  $("#recorder-said").textContent = recording.why
    ? `${recording.why}.`
    : recording.file
      ? word(recording.on ? "recording" : "recorded", { file: recording.file })
      : word("not recording");
}

/**
 * Look with one reader; below it a bar for each tag that it saw, and the form that keeps the figure.
 * @param {HTMLElement} button
 * @param {string} at
 * @param {HTMLElement} box
 * @param {number | null} [power]
 * @param {string | null | undefined} [reader]
 */
async function test(button, at, box, power = null, reader = null) {
  patch(box, h("p.soft", word("testing", { n: LOOKS })));
  const { ok, data } = await press(button, "api/hardware/test", { what: "range", at, polls: LOOKS, power });
  if (at !== "pad" && at !== `track/${opened}`) return; // another space is looked at by now
  if (!ok) return patch(box);
  /** @type {RangeView} */
  const range = data.range;
  const { hits, polls, torn, fault } = range;
  return patch(box, [
    fault && h("p.notice", fault),
    !hits.length && h("p", word("saw nothing", { of: polls })),
    ...hits.map(hit =>
      h(
        "div.hit9",
        h("p", word("seen", { what: hit.label, n: hit.n, of: polls })),
        h("div.progress", { "aria-hidden": "true" }, h("i", { style: `width:${(100 * hit.n) / polls}%` })),
      ),
    ),
    torn > 0 && h("p", word("torn", { n: torn })),
    keep(range, reader, hits[0]?.kind),
  ]);
}

/**
 * @param {RangeView} result
 * @param {string | null | undefined} reader
 * @param {string | null | undefined} kind
 */
function keep(result, reader, kind) {
  /**
   * @param {string} name
   * @param {string} label
   * @param {Attributes} more
   */
  const field = (name, label, more) => h("label", h("span", word(label)), h("input", { name, ...more }));
  const mm = { type: "number", min: 0, max: 1000, step: "any", inputmode: "decimal" };
  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  const storeFigure = async event => {
    event.preventDefault();
    const form = event.currentTarget;
    const { what, height_mm: height, offset_mm: offset, note } = Object.fromEntries(new FormData(form));
    /** @param {FormDataEntryValue} text */
    const number = text => (text === "" ? null : Number(text));
    const { ok } = await press(event.submitter ?? form, "api/hardware/figures", {
      what,
      height_mm: number(height),
      offset_mm: number(offset),
      note,
      chip: reader,
      at: result.at,
      polls: result.polls,
      power: result.power,
      torn: result.torn,
      hits: Math.max(0, ...result.hits.map(hit => hit.n)),
    });
    if (!ok) return;
    patch(form, h("p", { role: "status" }, word("kept")));
    refresh();
  };
  return h(
    "form.keep",
    { onsubmit: storeFigure },
    h(
      "label",
      h("span", word("what")),
      h(
        "select",
        { name: "what" },
        Object.entries(HELD).map(([value, name]) =>
          h("option", { value, selected: value === (kind ?? "card") }, word(name)),
        ),
      ),
    ),
    field("height_mm", "height", mm),
    field("offset_mm", "offset", mm),
    field("note", "note", { type: "text", maxlength: 200 }),
    h("button", { type: "submit", "data-action": "keep" }, word("keep")),
  );
}

/** Fetch the current state, unless the page is hidden. */
async function refresh() {
  if (document.hidden) return;
  const answer = await getJson("api/hardware");
  $("#stale").hidden = !!answer;
  if (!answer) return;
  view = answer;
  document.documentElement.toggleAttribute("data-mock", view.mock);
  for (const show of [findings, track, parts, latency, figures, recorder]) show();
}

function hardware() {
  /**
   * @param {string} name
   * @param {(button: HTMLElement) => void} go
   */
  const on = (name, go) =>
    $(`[data-action=${name}]`).addEventListener("click", event =>
      go(/** @type {HTMLElement} */ (event.currentTarget)),
    );
  on("close", () => {
    const space = opened;
    select(null);
    if (from === "track" && space !== null) readers?.focus(space);
    else maybe(`[data-action=look][data-card="${space}"]`)?.focus();
  });
  for (const el of every("[data-sign]")) el.replaceWith(make(sign(el.dataset.sign ?? "unknown")));
  new ResizeObserver(() => {
    if (view?.track?.sensors.length) drawn();
  }).observe($("#readers").parentElement ?? document.body);
  on("restart", async button => {
    const { ok } = await press(button, "api/hardware/restart");
    if (ok) tell(word("restarted"), "done");
  });
  on("copy", async button => {
    const text = await (await fetch("api/hardware/figures.txt")).text();
    try {
      await navigator.clipboard.writeText(text);
      tell(word("copied"), "done");
    } catch {
      open("api/hardware/figures.txt");
    } // on plain http a page may not
    button.focus();
  });
  on("forget", async button => {
    if (!button.dataset.sure) {
      button.dataset.sure = button.textContent;
      button.textContent = word("sure", { n: view.figures.length });
      return;
    }
    button.textContent = button.dataset.sure;
    delete button.dataset.sure;
    const { ok } = await press(button, "api/hardware/figures", {}, { method: "DELETE" });
    if (ok) {
      tell(word("forgotten"), "done");
      refresh();
    }
  });
  $("#detail-test").addEventListener("submit", event => {
    event.preventDefault();
    /** @type {HTMLInputElement} */
    const power = $("[name=power]", $("#detail-test"));
    const sensor = view.track?.sensors.find(s => s.space === opened);
    test(
      $("[data-action=test]"),
      `track/${opened}`,
      $("#detail-result"),
      power.value === "" ? null : Number(power.value),
      sensor?.chip,
    );
  });
  $("#pad-test").addEventListener("submit", event => {
    event.preventDefault();
    test($("[data-action=test-pad]"), "pad", $("#pad-result"), null, view.pad?.chip);
  });
  $("#panel").addEventListener("click", event => {
    const button = touched(event, "[data-lamp],[data-tune]");
    const { lamp, tune } = button?.dataset ?? {};
    if (button) {
      press(button, "api/hardware/test", lamp ? { what: "lamp", colour: lamp } : { what: "buzzer", tune });
    }
  });
  $("[data-action=record]").addEventListener("change", async ({ target }) => {
    if (target instanceof HTMLInputElement) await send("api/hardware/recorder", { on: target.checked });
    refresh();
  });
  document.addEventListener("visibilitychange", refresh);
  setInterval(refresh, EVERY);
  refresh();
}
