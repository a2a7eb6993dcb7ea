// The page of tags: choose a box, then hold its things to the pad one by one, in the order shown.
import { $, chip, h, patch, picture, word } from "../common/draw.js";
import { live } from "../common/live.js";
import { mocked } from "../common/panels.js";
import { press, tell } from "../common/send.js";
import "../common/unlock.js";
import { textOf } from "./listfile.js";

if ($("#due")) tags();

function tags() {
  /** @type {TagsPage} */
  let view;
  let stopsHere = false;
  /** @type {AudioContext | null} */
  let sounds = null; // `stopsHere`: this page itself stops the enrolment

  addEventListener(
    "pointerdown",
    () => {
      sounds = new AudioContext();
    },
    { once: true },
  ); // a page may sound once it was touched

  /**
   * @param {HTMLElement} button
   * @param {string} what
   * @param {object} [body]
   * @param {{ method?: string, quiet?: boolean }} [options]
   */
  const post = (button, what, body = {}, options) => press(button, `api/tags/${what}`, body, options);
  /**
   * @param {string} name
   * @param {(button: HTMLElement) => void} go
   */
  const on = (name, go) =>
    $(`[data-action=${name}]`).addEventListener("click", event =>
      go(/** @type {HTMLElement} */ (event.currentTarget)),
    );

  /**
   * @param {HTMLElement} button
   * @param {BoxView} box
   */
  function start(button, { name, edition }) {
    stopsHere = false;
    post(button, "enrol", { game: name, edition });
    scrollTo({ top: 0 });
  }

  on("undo", button => post(button, "undo"));
  on("skip", button => post(button, "next", { means: view.now?.skip }));
  on("again", button => {
    post(button, "again");
    scrollTo({ top: 0 });
  });
  on("stop", button => {
    stopsHere = true;
    post(button, "stop");
  });

  $("#typed").addEventListener("submit", async event => {
    event.preventDefault();
    /** @type {HTMLInputElement} */
    const field = $("#uid");
    const { status, data } = await post(
      event.submitter ?? $("#typed button"),
      "hold",
      { uid: field.value },
      { quiet: true },
    );
    // what was turned away stands above
    if (status !== 200 && data.kind !== "turned-away") tell(data.reason || word("failed"));
    field.value = "";
    field.focus();
  });
  /** @type {HTMLInputElement} */
  const file = $("[data-action=import]");
  file.addEventListener("change", async () => {
    const list = await file.files?.[0]?.arrayBuffer();
    file.value = "";
    if (list === undefined) return;
    const { ok, data } = await press(file, "api/tags", { tags: textOf(list) });
    if (ok) tell(word("learnt", { n: data.learnt }), "done");
  });

  /**
   * A short sound, as the panel's, where the table has none: high once, or low twice.
   * @param {boolean} good
   */
  function beep(good) {
    navigator.vibrate?.(good ? 60 : [120, 60, 200]);
    if (!view.beeps || !sounds) return;
    for (const [tone, from, long] of good
      ? [[880, 0, 0.07]]
      : [
          [440, 0, 0.15],
          [440, 0.2, 0.25],
        ]) {
      const voice = new OscillatorNode(sounds, { frequency: tone });
      const loud = new GainNode(sounds, { gain: 0.2 });
      voice.connect(loud).connect(sounds.destination);
      voice.start(sounds.currentTime + from);
      voice.stop(sounds.currentTime + from + long);
    }
  }

  /**
   * What is due, drawn: the animal, or a card with its colour's sign and its number.
   * @param {ThingView} thing
   * @param {string} animal
   */
  const drawn = (thing, animal) =>
    thing.kind === "piece"
      ? picture(animal, thing.colour, 150)
      : h("div", { class: `bigcard ${thing.colour}` }, chip(thing.colour, 72), h("b", String(thing.number)));

  /**
   * @param {EnrolmentView | null} now
   * @param {EnrolmentView | null | undefined} was
   */
  function due(now, was) {
    $("#due").hidden = !now;
    if (!now) return;
    $("#box-title").textContent = now.title;
    $("#count").textContent = word("of", { n: now.done, of: now.of });
    const bar = $("#bar");
    bar.setAttribute("aria-valuemax", String(now.of));
    bar.setAttribute("aria-valuenow", String(now.done));
    $("i", bar).style.width = `${(100 * now.done) / now.of}%`;
    patch($("#thing-pic"), now.next ? drawn(now.next, now.animal) : h("span.tick", "✓"));
    patch(
      $("#thing"),
      now.next
        ? [h("b", now.next.label), h("span", word(view.pad === "ok" ? "hold" : "hold or type"))]
        : [h("b", word("all done", { of: now.of })), h("span", word("touch one"))],
    );
    const turned = $("#turned");
    turned.hidden = !now.turned;
    patch(
      turned,
      now.turned && [
        h("p", { key: now.turns }, now.turned.text), // said again if it is turned away again
        now.turned.uid &&
          h(
            "button",
            {
              "data-action": "anyway",
              onclick: e => post(e.currentTarget, "hold", { uid: now.turned?.uid, anyway: true }),
            },
            word("anyway"),
          ),
      ],
    );
    if (now.turned && now.turns !== was?.turns) turned.scrollIntoView({ block: "nearest" });
    const undo = $("[data-action=undo]");
    undo.hidden = !now.undo;
    undo.setAttribute("aria-label", word("undo", { what: now.undo }));
    $("[data-action=skip]").hidden = !now.skip || !now.next;
    const again = $("[data-action=again]");
    again.hidden = !now.again;
    again.textContent = word(now.next && now.next.means !== now.things[0].means ? "from here" : "all again");
    $("[data-action=stop]").textContent = word(now.next ? "stop" : "finish");
  }

  /**
   * All things of the box: what has its tag, what is due, what is missing.
   * @param {EnrolmentView | null} now
   */
  function things(now) {
    $("#all").hidden = !now;
    if (!now) return;
    patch(
      $("#things"),
      [...grouped(now.things)].map(([name, list]) =>
        h(
          "section",
          { key: name, "aria-label": titleOf(name) },
          h("h3", name !== "pieces" && chip(name, 30), titleOf(name)),
          h("ol", ...list.map(t => h("li", { key: t.means }, cell(t, now)))),
        ),
      ),
    );
  }
  /** @param {ThingInBox[]} list */
  const grouped = list => {
    /** @type {Map<string, ThingInBox[]>} */
    const rows = new Map();
    for (const one of list) {
      const name = one.kind === "piece" ? "pieces" : one.colour;
      rows.set(name, [...(rows.get(name) ?? []), one]);
    }
    return rows;
  };
  /** @param {string} name */
  const titleOf = name => {
    const said = name === "pieces" ? word("pieces") : word("cards", { colour: word(name) || name });
    return said[0].toUpperCase() + said.slice(1);
  };

  /**
   * @param {ThingInBox} thing
   * @param {EnrolmentView} now
   */
  function cell(thing, now) {
    const state = now.next?.means === thing.means ? "due" : thing.done ? "done" : "missing";
    return h(
      "button",
      {
        class: `cell9 ${state} ${thing.colour}`,
        "data-action": "go",
        "data-card": thing.means,
        "data-state": state,
        "aria-label": word(state, { what: thing.label }),
        "aria-current": state === "due" ? "step" : null,
        onclick: e => {
          post(e.currentTarget, "next", { means: thing.means });
          scrollTo({ top: 0 });
        },
      },
      thing.kind === "piece" ? chip(thing.colour, 34) : h("b", String(thing.number)),
      thing.done && state !== "due" && h("i", { "aria-hidden": "true" }, "✓"),
    );
  }

  /** @param {BoxView} box */
  const labelsOf = ({ name, edition }) =>
    `paper/labels/${name}.pdf${edition && `?edition=${encodeURIComponent(edition)}`}`;

  /** @param {EnrolmentView | null} now */
  function boxes(now) {
    $("#boxes").hidden = !!now?.next;
    patch(
      $("#games"),
      view.games
        .filter(g => g.name !== now?.game || g.edition !== now.edition)
        .map(g =>
          h(
            "button.tile",
            {
              key: `${g.name} ${g.edition}`,
              "data-game": g.name,
              "data-edition": g.edition,
              onclick: e => start(e.currentTarget, g),
              "aria-label": word(g.done === g.of ? "whole" : g.done ? "go on" : "begin", {
                title: g.title,
                n: g.done,
                of: g.of,
              }),
            },
            h("span.art2", { "aria-hidden": "true" }, ...g.colours.map(c => picture(g.animal, c, 74))),
            h("b", g.title),
            h("span.soft", word("of", { n: g.done, of: g.of }), g.done === g.of && " ✓"),
            h(
              "span.progress",
              { "aria-hidden": "true" },
              h("i", { style: `width:${(100 * g.done) / g.of}%` }),
            ),
          ),
        ),
    );
    patch(
      $("#labels"),
      view.games.map(g => h("li", h("a.button", { href: labelsOf(g) }, word("labels", { title: g.title })))),
    );
  }

  /**
   * Say that another device has stopped the enrolment.
   * @param {TagsPage | undefined} was
   */
  function stopped(was) {
    const notice = $("#stopped");
    if (view.now) {
      notice.hidden = true;
    } else if (was?.now && !stopsHere) {
      notice.textContent = word("stopped");
      notice.hidden = false;
    }
  }

  /** Where no tag can be read, it is typed. */
  function typed() {
    const box = $("#typed");
    $("#pad-says").hidden = view.pad === "ok";
    $("#pad-says").textContent = `${view.padSays ? `${view.padSays}.` : word("no pad")} ${word("type them")}`;
    box.hidden = view.pad === "ok" || !view.now?.next;
    const keys = matchMedia("(pointer: fine)").matches && document.activeElement === document.body;
    if (!box.hidden && keys) $("#uid").focus();
  }

  live((/** @type {TagsPage} */ now) => {
    const was = view;
    view = now;
    mocked(view);
    if (
      was?.now &&
      view.now &&
      was.now.game === view.now.game &&
      was.now.edition === view.now.edition &&
      view.now.turns > was.now.turns
    ) {
      beep(!view.now.turned);
    }
    stopped(was);
    due(view.now, was?.now);
    things(view.now);
    boxes(view.now);
    typed();
  }, "tags");
}
