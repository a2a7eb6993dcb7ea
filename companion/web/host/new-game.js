// The form of a new game: which, who, who deals, colours, names of the animals, options.
import { $, chip, every, face, h, html, maybe, patch, sign, touched, word } from "../common/draw.js";
import { placed } from "../common/lists.js";
import { ordering } from "../common/ordering.js";
import { recallJson, remember } from "../common/remember.js";
import { tell } from "../common/send.js";
import { boxes } from "./box.js";
import { questions } from "./questions.js";
import { keepTilesMarked, markTiles } from "./tiles.js";

const STORAGE_KEY = "new-game";
const USUAL_ROBOT = "medium";
/** A name as faces are remembered by it. @param {string} name */
const same = name => name.normalize("NFKC").replace(/\s+/g, "").toLowerCase();

/**
 * Whether the game that was left open is to be explained.
 * @param {HTMLInputElement} box
 * @param {Begun} left
 */
function markExplained(box, left) {
  const explained = JSON.parse(box.dataset.explained ?? "{}");
  box.dataset.explained = JSON.stringify({ ...explained, [left.game]: left.explain });
}

/**
 * What the form begins with: the last game, or nothing of it.
 * @param {Begun | null | undefined} last
 */
const beginning = last => ({
  game: last?.game,
  deal: last?.deal,
  seats: last?.seats ?? [],
  colours: [...(last?.colours ?? [])],
  start: last?.start ?? 0,
  bots: [...(last?.bots ?? [])],
  nicknames: { ...last?.nicknames },
  options: { ...last?.options },
  question: last?.question ?? 0,
});

/**
 * `begin(button, body)` starts the game; gives {begun(names)}, to be called once these people play,
 * and {draw()}, once the same game is offered or no longer.
 * @param {HostData} data
 * @param {(button: HTMLElement, body: Begun) => void} begin
 */
export function newGame(data, begin) {
  const { games, people, faces, last: before, charts, funny, bots } = data;
  // what was filled in when the page was left or changed its language, in the shape of a game that was played
  const left = recallJson(STORAGE_KEY, "sessionStorage");
  const last = left ?? before;
  let known = people;
  let filled = !!left;
  /** @type {HTMLFormElement} */
  const form = $("#form");
  /** @type {HTMLInputElement} */
  const explain = $("[name=explain]", form);
  const list = $("#seats");
  /**
   * What is chosen of several.
   * @param {string} name
   */
  const chosenOf = name => maybe(`[name=${name}]:checked`, form)?.getAttribute("value") ?? "";
  /**
   * @param {string} name
   * @param {string} value
   */
  function choose(name, value) {
    /** @type {HTMLInputElement | null} */
    const one = maybe(`[name=${name}][value="${value}"]`, form);
    if (one) one.checked = true;
  }
  keepTilesMarked(form);
  const pattern = new RegExp(
    `^${word("default name")
      .replace(/[.*+?^$()|[\]\\]/g, "\\$&")
      .replace("{n}", "\\d+")}$`,
  );
  /** @param {string} name */
  const unnamed = name => pattern.test(name);
  const was = beginning(last);
  const seats = was.seats.map(name => (unnamed(name) ? "" : name));
  /** @type {string[]} */
  let spare = [];
  const { colours } = was;
  let { start } = was;
  const played = was.bots; // by seat: how strong a bot plays it, or ""
  let ages = Array.isArray(was.options.age) ? was.options.age : []; // the seats, oldest first
  const names = was.nicknames; // of the animals, by colour
  /** @type {ReturnType<typeof questions> | null} */
  let asking = null;

  const game = () => games.find(g => g.name === chosenOf("game")) || games[0];
  const options = () =>
    /** @type {HTMLInputElement[]} */ (every(`[data-options="${game().name}"] [data-option]`));
  const box = boxes(form, { games, known: data.boxes, last: was, changed: () => drawSeats() });
  if (games.some(g => g.name === was.game)) choose("game", was.game ?? "");
  if (was.deal) choose("deal", was.deal);
  if (left) markExplained(explain, left);

  /**
   * The name of a seat that has none yet.
   * @param {number} i
   */
  const called = i => seats[i]?.trim() || word("default name", { n: i + 1 });

  /** The face of a seat's player, by the name typed there now. @param {number} i */
  const faceOf = i => (played[i] ? null : faces[same(called(i))]);
  /** @param {number} i */
  const hat = (i, size = 48) => face(faceOf(i), i, size);

  /** The seat below which it is chosen what its person looks like, and where that is chosen. */
  let dressed = -1;
  let wardrobe = html("div.facepick");

  /** The hat of a seat: a touch shows what there is to choose from. @param {number} i */
  const looks = i =>
    h(
      "button.facebtn",
      {
        "data-face": i,
        "aria-expanded": String(i === dressed),
        "aria-label": word("face of", { name: called(i) }),
        onclick: () => dress(i),
      },
      hat(i),
    );

  /**
   * Fold out below a seat what its person may look like, or fold it away.
   * @param {number} i
   */
  async function dress(i) {
    const named = !!seats[i].trim();
    dressed = dressed !== i && named ? i : -1;
    wardrobe = html("div.facepick");
    drawSeats(named ? -1 : i);
    if (!named) tell(word("name first"));
    if (dressed !== i) return;
    const { choose: offer } = await import("../faces/faces.js");
    const name = called(i);
    await offer(wardrobe, { name, seat: i, now: faceOf(i) }, now => {
      if (now) faces[same(name)] = now;
      else delete faces[same(name)];
      drawSeats();
    });
  }

  /** @param {number} i */
  function colourOf(i) {
    const all = game().pieces;
    const taken = colours.slice(0, i);
    if (!all.includes(colours[i] ?? "") || taken.includes(colours[i])) {
      colours[i] =
        all.find(c => !taken.includes(c) && !colours.includes(c)) ??
        all.find(c => !taken.includes(c)) ??
        all[0];
    }
    return colours[i] ?? all[0];
  }

  /**
   * Another colour for a seat; the seat that had it gets the other one.
   * @param {number} i
   * @param {string} colour
   */
  function paint(i, colour) {
    const other = colours.indexOf(colour);
    if (other >= 0 && other < seats.length) colours[other] = colours[i];
    colours[i] = colour;
    drawSeats();
  }

  /**
   * Set the number of seats; players who are left over come back with the next seat.
   * @param {number} count
   */
  function seat(count) {
    spare = [...seats.splice(count), ...spare];
    while (seats.length < count) seats.push(spare.shift() ?? "");
  }

  /**
   * The seats as the form shows them; `focus` is the seat whose name is typed next.
   * @param {number} [focus]
   */
  function drawSeats(focus = -1) {
    const {
      seats: [low],
      owned,
      usesStart,
      pieces,
      labels,
    } = game();
    const high = box.mostSeats(game());
    seat(Math.max(low, Math.min(high, seats.length)));
    if (start >= seats.length) start = 0;
    list.classList.toggle("owned", owned);
    list.classList.toggle("plain", !owned && !usesStart);
    $("#mark-start").hidden = !usesStart;
    patch(
      list,
      seats.map((name, i) =>
        h(
          "li",
          played[i] ? hat(i) : looks(i),
          h("input", {
            type: "text",
            value: name,
            maxlength: 40,
            "aria-label": word("name", { n: i + 1 }),
            placeholder: word("default name", { n: i + 1 }),
            "data-seat": i,
            enterkeyhint: "next",
            oninput: e => {
              seats[i] = e.target.value;
              if (dressed === i) dressed = -1;
              drawSeats();
            },
          }),
          owned &&
            h(
              "label.colour",
              chip(colourOf(i), 34),
              h(
                "select",
                {
                  "aria-label": word("colour", { n: i + 1 }),
                  "data-colour": i,
                  onchange: e => paint(i, e.target.value),
                },
                pieces.map((c, k) => h("option", { value: c, selected: c === colours[i] }, labels[k])),
              ),
            ),
          usesStart &&
            h(
              "label.starts",
              h("input", {
                type: "radio",
                name: "start",
                value: i,
                checked: i === start,
                onchange: () => {
                  start = i;
                  drawSeats();
                },
              }),
              h("span", sign("flag", 24), h("em", word("starts"))),
            ),
          h(
            played[i] ? "select.plays.robot" : "select.plays",
            {
              "aria-label": word("plays", { n: i + 1 }),
              "data-bot": i,
              onchange: e => letPlay(i, e.target.value),
            },
            h("option", { value: "", selected: !played[i] }, word("person")),
            bots.map(b =>
              h(
                "option",
                { value: b.name, selected: b.name === played[i] },
                word("robot is", { how: b.title }),
              ),
            ),
          ),
          h(
            "button.quiet.round",
            {
              "aria-label": word("remove", { n: i + 1 }),
              disabled: seats.length <= low,
              onclick: () => {
                dressed = -1;
                seats.splice(i, 1);
                colours.splice(i, 1);
                played.splice(i, 1);
                if (start > i) start--;
                drawSeats();
              },
            },
            sign("close", 24),
          ),
          i === dressed && wardrobe,
        ),
      ),
    );
    $("[data-action=add-seat]").hidden = seats.length >= high;
    $("[data-action=add-robot]").hidden = robotSeat() < 0;
    for (const d of every("[data-options]")) d.hidden = d.dataset.options !== game().name;
    for (const d of every("[data-chart]")) d.hidden = d.dataset.chart !== game().name;
    drawBots();
    drawChips();
    drawPeople();
    drawNames();
    drawYoungest();
    drawStart();
    asking?.draw();
    if (focus >= 0) every("input[type=text]", list)[focus]?.focus();
  }

  /**
   * Another player for a seat; a bot without a name gets one.
   * @param {number} i
   * @param {string} bot
   */
  function letPlay(i, bot) {
    while (played.length < seats.length) played.push("");
    played[i] = bot;
    dressed = -1;
    if (bot && !seats[i].trim()) seats[i] = word("robot", { n: i + 1 });
    drawSeats();
  }

  /** The seat for one more robot: the last one without a name, else a new one; -1 where there is no room. */
  function robotSeat() {
    const several = seats.filter((_, i) => !played[i]).length > 1;
    const free = several ? seats.map((name, i) => !name.trim() && !played[i]).lastIndexOf(true) : -1;
    return free < 0 && seats.length < box.mostSeats(game()) ? seats.length : free;
  }

  /** The start button says what it starts. */
  function drawStart() {
    for (const b of every("[data-action=players]", form)) {
      b.setAttribute(
        "aria-pressed",
        String(b.dataset.game === game().name && Number(b.dataset.count) === seats.length),
      );
    }
    $("#start-what").textContent = `${game().title}: ${seats.map((_, i) => called(i)).join(", ")}`;
  }

  const anyBot = () => seats.some((_, i) => played[i]);

  /** What bots are; where hands are dealt, a bot must be dealt its own by the companion. */
  function drawBots() {
    const must = anyBot() && game().hands;
    const [byHand] = /** @type {HTMLInputElement[]} */ (every("[name=deal]", form));
    $("#bots-help").hidden = !anyBot();
    $("#bots-deal").hidden = !must;
    byHand.disabled = !!must;
    if (must) choose("deal", "companion");
  }

  function drawChips() {
    const high = box.mostSeats(game());
    const free = known.filter(p => !unnamed(p) && !seats.some(n => n.trim() === p));
    patch(
      $("#chips"),
      free.slice(0, 14).map(name =>
        h(
          "button",
          {
            key: name,
            "aria-label": word("add", { name }),
            disabled: seats.length >= high && !seats.includes(""),
            onclick: () => {
              const at = seats.findIndex(n => !n.trim());
              if (at >= 0) seats[at] = name;
              else if (seats.length < high) seats.push(name);
              spare = spare.filter(n => n !== name);
              drawSeats();
            },
          },
          name,
        ),
      ),
    );
  }

  /** The seats once more, of which the youngest is chosen: that one starts. */
  function drawYoungest() {
    patch(
      $("#youngest"),
      seats.map((_, i) =>
        h(
          "label.tile.seat",
          h("input", {
            type: "radio",
            name: "youngest",
            value: i,
            checked: i === start,
            onchange: () => {
              start = i;
              drawSeats();
            },
          }),
          hat(i),
          h("b", called(i)),
        ),
      ),
    );
    markTiles(form);
  }

  /** Options that are about people: one of them, or all of them in an order. */
  function drawPeople() {
    for (const field of [...options(), /** @type {HTMLInputElement} */ ($("#ages"))]) {
      if (field.dataset.type === "seat") {
        const now = field.value;
        patch(
          field,
          h("option", { value: "" }, word("nobody")),
          seats.map((_, i) => h("option", { value: i, selected: String(i) === now }, called(i))),
        );
      } else if (field.dataset.type === "order") {
        const order = [...ages.filter(i => i < seats.length), ...seats.keys()].filter(
          (i, at, all) => all.indexOf(i) === at,
        );
        ages = order;
        patch(
          field,
          order.map((who, at) =>
            h(
              "li",
              { key: who, "data-place": at, "data-called": called(who) },
              h(
                "button.quiet.grip",
                {
                  "data-grip": "",
                  "aria-label": word("drag", { name: called(who), n: at + 1, of: order.length }),
                },
                h("b", `${at + 1}.`),
                hat(who, 40),
                called(who),
                h("span.bars", { "aria-hidden": "true" }, "≡"),
              ),
              h(
                "button.quiet.round",
                {
                  "data-action": "earlier",
                  disabled: at === 0,
                  "aria-label": word("earlier", { name: called(who) }),
                  onclick: () => {
                    ages = placed(ages, at, at - 1);
                    drawPeople();
                  },
                },
                "↑",
              ),
            ),
          ),
        );
      }
    }
  }

  const racing = () => {
    const { owned, pieces } = game();
    return owned ? seats.map((_, i) => colourOf(i)) : pieces;
  };

  function drawNames() {
    const { pieces, labels } = game();
    patch(
      $("#nicknames"),
      racing().map(colour =>
        h(
          "label",
          chip(colour, 34),
          h("input", {
            type: "text",
            maxlength: 24,
            value: names[colour] ?? "",
            "data-nickname": colour,
            "aria-label": labels[pieces.indexOf(colour)],
            placeholder: labels[pieces.indexOf(colour)],
            oninput: e => {
              names[colour] = e.target.value;
            },
          }),
        ),
      ),
    );
  }

  $("[data-action=funny]").addEventListener("click", () => {
    const pool = [...funny];
    for (const colour of racing()) names[colour] = pool.splice(Math.floor(Math.random() * pool.length), 1)[0];
    drawNames();
  });
  for (const row of every("[data-type=order]")) {
    const moving = ordering((from, to) => {
      ages = placed(ages, from, to);
      drawPeople();
    });
    Object.assign(row, moving);
  }
  for (const b of every("[data-action=players]", form)) {
    b.addEventListener("click", () => {
      choose("game", b.dataset.game ?? "");
      const count = Number(b.dataset.count);
      seat(count);
      const larger = box.makeRoom(game(), count);
      if (larger) tell(word("needs box", { n: count, box: larger.title }));
      drawSeats();
    });
  }
  form.addEventListener("change", e => {
    dressed = touched(e, "[name=game]") ? -1 : dressed;
    if (touched(e, "[name=game]")) drawSeats();
  });
  $("[data-action=add-seat]").addEventListener("click", () => {
    seats.push("");
    drawSeats(seats.length - 1);
  });
  $("[data-action=add-robot]").addEventListener("click", () => {
    const at = robotSeat();
    if (at === seats.length) seats.push("");
    letPlay(at, bots.find(b => b.name === USUAL_ROBOT)?.name ?? bots[0].name);
  });
  drawSeats();
  asking = questions(form, {
    from: was.question,
    isAsked: question =>
      (question !== "youngest" || game().usesStart) &&
      (question !== "ages" || game().options.some(o => o.type === "order")),
    isAnswered: () => !sameName(),
  });
  box.asPlayed();

  /**
   * The value of a field: yes or no, one of its choices, a seat (null for none) or a number.
   * @param {HTMLInputElement} field
   */
  const valueOf = field => {
    const { type } = field.dataset;
    if (type === "flag") return field.checked;
    if (type === "choice") return field.value;
    return type === "seat" && field.value === "" ? null : Number(field.value);
  };

  function chosen() {
    const print = charts[game().name];
    /** @type {Record<string, unknown>} */
    const made = { ...(print?.own ? print.chart : print?.by_seats[seats.length]) };
    for (const field of options()) {
      const { option: name = "", type } = field.dataset;
      const usual = game().options.find(o => o.name === name)?.default;
      if (type === "order") {
        if (ages.some((oldest, at) => oldest !== at)) made[name] = [...ages];
        continue;
      }
      const value = valueOf(field);
      if (value !== usual) made[name] = value;
    }
    return made;
  }

  /**
   * A game as the form has it, of people with these names.
   * @param {string[]} who
   */
  function formValues(who) {
    const { owned, usesStart, name } = game();
    const nicknames = Object.fromEntries(
      racing()
        .map(c => [c, names[c]?.trim()])
        .filter(([, n]) => n),
    );
    return {
      game: name,
      seats: who,
      start: usesStart ? start : 0,
      options: chosen(),
      deal: chosenOf("deal"),
      explain: explain.checked,
      ...(owned ? { colours: seats.map((_, i) => colourOf(i)) } : {}),
      ...(Object.keys(nicknames).length ? { nicknames } : {}),
      ...(anyBot() ? { bots: seats.map((_, i) => played[i] || "") } : {}),
    };
  }

  for (const kind of ["input", "change", "click"]) {
    form.addEventListener(kind, () => {
      filled = true;
    });
  }
  addEventListener("pagehide", () => {
    if (!filled) return;
    const values = { ...formValues(seats), question: asking?.at() };
    remember(STORAGE_KEY, JSON.stringify(values), "sessionStorage");
  });

  /** Whether two seats have the same name: that is said, and the second is typed anew. */
  function sameName() {
    const who = seats.map((_, i) => called(i));
    if (new Set(who).size === who.length) return false;
    tell(word("need names"));
    every("input[type=text]", list)[who.findIndex((n, i) => who.indexOf(n) < i)]?.focus();
    return true;
  }

  form.addEventListener("submit", e => {
    e.preventDefault();
    if (asking?.onward(e.submitter) || sameName()) return;
    begin($("[data-action=start]"), formValues(seats.map((_, i) => called(i))));
  });

  /** @param {string[]} who */
  function begun(who) {
    known = [...new Set([...who, ...known])];
    filled = false;
    asking?.begun();
    remember(STORAGE_KEY, null, "sessionStorage");
  }
  return { begun, draw: () => asking?.draw() };
}
