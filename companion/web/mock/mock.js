// The virtual table: moves modelled tags between pad, track and off; everything above them is the real code.
import {
  $,
  every,
  chip,
  h,
  labelled,
  make,
  maybe,
  parts,
  patch,
  piece as drawPiece,
  s,
  sign,
  svg,
  touched,
  wear,
  word,
} from "../common/draw.js";
import { Latest } from "../common/latest.js";
import { live } from "../common/live.js";
import { broken, mocked, refused } from "../common/panels.js";
import { recall, recallJson, remember } from "../common/remember.js";
import { getJson, press, send, tell } from "../common/send.js";
import { Track } from "../course/track.js";

const FAULTS_OPEN = "mock-faults-open";
const LAID = ["line-up", "play", "show"]; // what is decided with pieces and cards, not by tap
const track = new Track($("#track"));
const course = $("#course");
const pad = $("#pad");
const off = $("#off");
/** @type {View} */
let view;
/** @type {MockTable} */
let mock = { tags: {}, faults: [] };
/** @type {string | null} */
let game = null;
/** @type {string | null} */
let heldTag = null; // the one that was tapped
/** @type {Map<string, number>} */
const laid = new Map(); // card tag → seq when it was laid
/** @type {string | null} */
let fan = null;
let fanned = ""; // the colour whose numbers lie open; for whom by themselves
/** @param {string} uid */
const thing = uid => {
  const [of, kind, colour, n] = (mock.tags[uid]?.means ?? "").split("/");
  return { of, kind, colour, n: +n };
};
/** @param {string} uid */
const placeOf = uid => mock.tags[uid]?.at ?? "off";
/** @param {string} place */
const tagsAt = place => Object.keys(mock.tags).filter(uid => placeOf(uid) === place);
/** @param {string} colour */
const plays = colour =>
  !view?.match?.colours?.[0] ||
  view.match.colours.includes(colour) ||
  view.pieces.some(p => p.piece === colour);
/** @param {string} kind */
const mine = kind =>
  Object.keys(mock.tags).filter(uid => {
    const t = thing(uid);
    return t.kind === kind && t.of === game && plays(t.colour);
  });
const course_ = () => view?.course ?? { kind: "loop", spaces: 22 };
const described = () => games.find(g => g.name === game);
/** @param {string} colour */
const owner = colour => view?.match?.colours?.indexOf(colour) ?? -1;

// Cards that were played and lifted again lie aside until the round is over; where the numbers count they
// come back at once.
const shelf = () => `mock-used:${view?.match?.id}:${view?.round?.round}`;
/** @returns {Set<string>} */
const used = () => new Set(recallJson(shelf(), "sessionStorage"));
/** @param {Set<string>} set */
const keepUsed = set => {
  if (!described()?.numbered) remember(shelf(), JSON.stringify([...set]), "sessionStorage");
};
/** @type {Map<string, number>} */
const counted = new Map(); // cards that brought something while they lay → seq then
/** @param {string} uid */
const accepted = uid => counted.has(uid);
/** @type {Set<string>} */
const usedLines = new Set(); // lines of the story that a card has brought
function count() {
  for (const [uid, seq] of laid) {
    if (placeOf(uid) !== "pad" || counted.has(uid)) continue;
    const { colour, n } = thing(uid);
    /** @param {StoryLine} l */
    const of = l => (described()?.numbered ? l.seat === owner(colour) : l.piece === colour);
    const line = [...(view.story || [])].reverse().find(l => +l.key > seq && of(l) && !usedLines.has(l.key));
    if (line) {
      usedLines.add(line.key);
      counted.set(uid, view.seq);
    }
    if ((view.gathered || []).some(g => g.seat === owner(colour) && g.numbers.includes(n))) {
      counted.set(uid, view.seq);
    }
  }
}

/** A card whose number counts is taken away once something else has happened: it may be due again. */
function clear() {
  const done = tagsAt("pad").filter(
    uid => described()?.numbered && (counted.get(uid) ?? Infinity) < view.seq,
  );
  if (!done.length) return;
  for (const uid of done) {
    mock.tags[uid].at = "off";
    laid.delete(uid);
    counted.delete(uid);
  }
  putPad(tagsAt("pad"));
}

const answers = new Latest();
let moving = 0; // what hands did and the companion has not felt yet
let felt = Promise.resolve();

/** Fetch which tag is where; while hands move, the answer is older than what they did. */
async function fetchMock() {
  if (moving) return;
  const now = await answers.of(getJson("api/mock"));
  if (!now) return;
  mock = now;
  $("#no-tags").hidden = Object.values(now.tags).some(tag => tag.means);
  draw();
  tidied();
}

/** What lay somewhere while a match was on the table, and what of it is to leave for another game. */
const things = { lying: /** @type {string[]} */ ([]), leaving: /** @type {string[]} */ ([]) };

/** Another match begins: things of other games leave the table, which is said once they are gone. */
function leave() {
  things.leaving = things.lying.filter(u => thing(u).of && thing(u).of !== view.match?.game);
}

function tidied() {
  const gone = (/** @type {string} */ u) => placeOf(u) === "off";
  if (things.leaving.length > 0 && things.leaving.every(gone)) {
    things.leaving = [];
    tell(word("put away"), "done");
  }
  if (view?.match) things.lying = Object.keys(mock.tags).filter(u => !gone(u));
}

/**
 * Let just these tags lie at a place ("pad", "track/7"), after what hands did before.
 * @param {string} place
 * @param {string[]} tags
 */
function put(place, tags) {
  moving += 1;
  answers.forget();
  felt = felt.then(async () => {
    await send(`api/mock/${place}`, { tags }, { method: "PUT" });
    moving -= 1;
  });
  return felt;
}
/** @param {string[]} tags */
const putPad = tags => put("pad", tags);
/**
 * @param {number} space
 * @param {string[]} tags
 */
const putSpace = (space, tags) => put(`track/${space}`, tags);

/**
 * Lay a tag on "pad", "track/7" or "off", as a hand does; a piece that was dragged is there already.
 * @param {string} uid
 * @param {string} place
 */
async function move(uid, place, byHand = false) {
  const from = placeOf(uid);
  const isCard = thing(uid).kind === "card";
  heldTag = null;
  if (from === place) {
    draw();
    return;
  }
  if (isCard && place === "pad" && from === "off") {
    await layCard(uid);
    return;
  }
  if (from === "pad" && accepted(uid) && isCard) keepUsed(used().add(uid));
  laid.delete(uid);
  if (isCard && place === "pad") putOnPad(uid);
  mock.tags[uid].at = place;
  if (byHand && place.startsWith("track/")) track.drop(thing(uid).colour, spaceOf(place));
  draw();
  await tellPlace(place === "off" ? from : place);
  await fetchMock();
}

/**
 * The space of a place such as "track/7".
 * @param {string} place
 */
const spaceOf = place => Number(place.slice(6));

/**
 * Send the modelled reader the tags that are there now.
 * @param {string} place
 */
const tellPlace = place =>
  place === "pad" ? putPad(tagsAt("pad")) : putSpace(spaceOf(place), tagsAt(place));

/**
 * Put a card on the pad.
 * @param {string} uid
 */
function putOnPad(uid) {
  laid.set(uid, view?.seq ?? 0);
  counted.delete(uid);
}

/**
 * Lay a card on the pad: cards that have been accepted are taken away first.
 * @param {string | undefined} uid
 */
async function layCard(uid) {
  if (!uid) return;
  const done = tagsAt("pad").filter(accepted);
  const shelfNow = used();
  done
    .filter(u => thing(u).kind === "card")
    .forEach(u => {
      shelfNow.add(u);
      mock.tags[u].at = "off";
      laid.delete(u);
    });
  keepUsed(shelfNow);
  mock.tags[uid].at = "pad";
  putOnPad(uid);
  draw();
  await putPad(tagsAt("pad"));
  await fetchMock();
}
/** How many cards of each colour this game is played with: the tags are those of its largest box. */
const copies = () => {
  const usual = described()?.options.find(o => o.name === "cards_per_colour")?.default;
  return Number(view?.match?.options.cards_per_colour ?? usual ?? Infinity);
};
/** @param {string} colour */
const fanOf = colour =>
  mine("card")
    .filter(u => thing(u).colour === colour && (thing(u).n ?? 0) <= copies())
    .sort((a, b) => thing(a).n - thing(b).n);
/** @param {string} colour */
const free = colour => {
  const gone = used();
  return fanOf(colour).filter(u => placeOf(u) === "off" && !gone.has(u));
};

const ORDER = ["red", "blue", "green", "yellow", "pink", "brown"];
/** @param {string} c */
const rank = c => ORDER.indexOf(c) + 1 || 99;
const colours = () =>
  [...new Set([...mine("card"), ...mine("piece")].map(u => thing(u).colour))].sort(
    (a, b) => rank(a) - rank(b),
  );
/** @type {{ games: GameForm[] }} */
const { games } = JSON.parse($("#mock-data").textContent ?? "");
/** @param {string} name */
const title = name => games.find(g => g.name === name)?.title ?? name.replaceAll("-", " ");
/** @param {string} uid */
const names = uid => {
  const t = thing(uid);
  return !t.kind ? uid : word(t.kind === "card" ? "card" : "piece", { colour: t.colour, n: t.n });
};
const horsey = () => view?.match?.animal ?? games.find(g => g.name === game)?.animal ?? "horse";

/**
 * @param {string} uid
 * @param {{ class?: string, attrs?: Attributes }} [extra]
 */
function card(uid, extra = {}) {
  const t = thing(uid);
  if (!t.kind) {
    return h("button.card.other", { key: uid, "data-tag": uid, ...extra.attrs }, "?");
  }
  return h(
    "button",
    {
      key: uid,
      class: `card ${t.colour} ${heldTag === uid ? "held" : ""} ${extra.class ?? ""}`,
      "data-tag": uid,
      ...extra.attrs,
    },
    chip(t.colour, 44),
    h("b", String(t.n)),
  );
}

/**
 * A pile of cards of a colour: its first card is laid, or its numbers are opened.
 * @param {string} colour
 * @param {boolean} numbered
 */
function pile(colour, numbered) {
  const rest = free(colour);
  const label = word(numbered ? "open pile" : "pile", { colour, n: rest.length });
  return h(
    "button",
    {
      key: colour,
      class: `pile ${colour}`,
      "data-pile": colour,
      "data-tag": numbered ? null : rest[0],
      disabled: !rest.length,
      "aria-label": label,
      "aria-expanded": numbered && String(colour === fan),
      style: `--n:${Math.min(6, rest.length)}`,
    },
    chip(colour, 44),
    h("b", String(rest.length)),
  );
}

/**
 * The numbers of the seat that is due lie open by themselves, until another pile is opened.
 * @param {string[]} piled
 */
function openFan(piled) {
  const due = view.standings?.find(row => row.now)?.seat;
  const key = `${view.match?.id}:${view.due}:${due}`;
  if (key !== fanned) {
    fanned = key;
    fan = view.match?.colours[due ?? -1] ?? fan;
  }
  if (!fan || !piled.includes(fan)) fan = piled[0] ?? null;
}

function draw() {
  if (!view) return;
  chooseGame();
  resize();
  const list = mine("piece");
  drawTrack(list.filter(u => placeOf(u).startsWith("track/")));
  strangers();
  const aside = list.filter(u => placeOf(u) === "off");
  $("#off").classList.toggle("occupied", aside.length > 0);
  patch(
    $("#off-pieces"),
    aside.map(u => toy(u, 58, 44, { "data-piece": thing(u).colour, "aria-pressed": String(heldTag === u) })),
  );
  drawPad();
  drawPiles();
  drawTodo(list);
  $("[data-action=line-up-pieces]").hidden = !list.length || !described()?.linesUp;
  faults();
}

/** Which game's cards and pieces lie about: that of the match, else the one that is chosen. */
function chooseGame() {
  const all = games.map(g => g.name);
  if (view.match) game = view.match.game;
  else if (!all.includes(game ?? "")) game = all.find(g => g.includes("pig")) ?? all[0];
  $("#choose").hidden = !!view.match || all.length < 2;
  patch(
    $("#games"),
    all.map(g =>
      h(
        "button",
        {
          "aria-pressed": String(g === game),
          onclick: () => {
            game = g;
            draw();
          },
        },
        title(g),
      ),
    ),
  );
}

/**
 * A piece next to the track.
 * @param {string} uid
 * @param {number} width
 * @param {number} height
 * @param {Attributes} attributes
 */
const toy = (uid, width, height, attributes) =>
  h(
    "button",
    {
      key: uid,
      class: `toy ${heldTag === uid ? "held" : ""}`,
      "data-tag": uid,
      "aria-label": names(uid),
      ...attributes,
    },
    s(
      "svg",
      { width, height, viewBox: "-42 -31 84 62", "aria-hidden": "true" },
      drawPiece(horsey(), thing(uid).colour, 76),
    ),
  );

/** @param {string[]} onTrack */
function drawTrack(onTrack) {
  const pieces = onTrack
    .map(u => ({
      piece: thing(u).colour,
      label: names(u),
      zone: /** @type {const} */ ("track"),
      space: spaceOf(placeOf(u)),
    }))
    .filter(p => track.laid.list.includes(p.space));
  track.show(
    {
      match: { animal: horsey() },
      moves: [],
      food: view.food,
      course: view.course && { ...view.course, laps: 1 },
      pieces,
    },
    heldTag
      ? {
          all: true,
          pick: space => heldTag && move(heldTag, `track/${space}`),
          name: space => word("put here", { n: space }),
        }
      : {},
  );
  for (const u of onTrack) {
    const el = track.pieces.get(thing(u).colour)?.el;
    if (!el) continue;
    el.dataset.tag = u;
    el.setAttribute("tabindex", "0");
    el.setAttribute("role", "button");
    el.setAttribute("aria-pressed", String(heldTag === u));
    el.classList.toggle("held", heldTag === u);
  }
}

function drawPad() {
  const onPad = tagsAt("pad");
  patch(
    pad,
    onPad.length
      ? onPad.map(u =>
          thing(u).kind === "piece"
            ? toy(u, 84, 62, {})
            : card(u, {
                class: accepted(u) ? "ok" : "",
                attrs: { "aria-label": word("lift", { card: names(u) }), "data-on-pad": "" },
              }),
        )
      : h("p", word("empty pad")),
  );
  $("[data-action=lift-all]").hidden = !onPad.length;
}

function drawPiles() {
  const numbered = !!described()?.numbered;
  const piled = colours().filter(c => mine("card").some(u => thing(u).colour === c));
  $("#piles").classList.toggle("numbered", numbered);
  if (numbered) openFan(piled);
  patch($("#piles"), [
    ...piled.map(c => pile(c, numbered)),
    numbered &&
      h(
        "div.fan",
        { role: "group", "aria-label": word("fan", { colour: fan }) },
        fanOf(fan ?? "").map(u =>
          card(u, { class: "small", attrs: { "aria-label": names(u), disabled: placeOf(u) !== "off" } }),
        ),
      ),
  ]);
}

/**
 * The button that does the next move of a player who plays alone.
 * @param {string[]} list
 */
function drawTodo(list) {
  /** @param {WayTo} m */
  const target = m => (m.to === null ? "off" : `track/${m.to}`);
  /** @param {WayTo} m */
  const tagOf = m => list.find(u => thing(u).colour === m.piece) ?? "";
  const todo = (view.moves || []).find(m => tagOf(m) && placeOf(tagOf(m)) !== target(m));
  const button = $("[data-action=todo]");
  button.hidden = !todo;
  if (!todo) return;
  const label = view.pieces.find(p => p.piece === todo.piece)?.label ?? todo.piece;
  const to = todo.to === null ? word(todo.zone) : todo.to === 0 ? word("start") : String(todo.to);
  patch(button, [chip(todo.piece, 34), sign("arrow", 28), h("b", to)]);
  button.setAttribute("aria-label", word("do it", { piece: label, n: to }));
  button.onclick = () => move(tagOf(todo), target(todo));
}

/** Tags on the track that are no piece of this game: a card left there, a piece of another game. */
function strangers() {
  track.layers.strangers ??= track.svg.appendChild(svg("g"));
  const odd = Object.keys(mock.tags).filter(
    u => placeOf(u).startsWith("track/") && (thing(u).kind !== "piece" || thing(u).of !== game),
  );
  patch(
    track.layers.strangers,
    odd.map(u => {
      const p = track.laid.at(spaceOf(placeOf(u)), -track.laid.lane * 0.15);
      return s(
        "g",
        {
          key: u,
          transform: `translate(${p.x} ${p.y})`,
          "data-tag": u,
          tabindex: 0,
          role: "button",
          "aria-label": names(u),
          class: `stranger ${thing(u).colour}`,
        },
        s("rect.chipbg", { x: -18, y: -24, width: 36, height: 48, rx: 7 }),
        s("use.chipmk", { href: `#mk-${thing(u).colour}` }),
      );
    }),
  );
}

function resize() {
  const [w, hh] = [$("#track").clientWidth, $("#track").clientHeight];
  if (!w || !hh) return;
  const c = track.lay(course_(), w, hh, view.pieces.length || 5);
  const room = c.infield;
  course.classList.toggle("no-infield", !room);
  if (room && innerWidth > 820) {
    Object.assign($(".tells").style, {
      width: `${Math.min(470, room.w - room.r * 0.5)}px`,
      left: `${room.x + room.w / 2}px`,
      top: `${room.y + room.h / 2}px`,
      maxHeight: `${room.h - 12}px`,
    });
  }
}

// Faults, one line a kind: where several places can have it, the place is chosen first.
/** @type {Record<string, string>} */
const chosen = {};
// they happen once, nothing stays broken
const moments = new Set(["brown-out", "torn-tag", "traceback", "reboot", "hang"]);
/** @param {string} kind */
const kindName = kind => word(kind) || kind.replaceAll("-", " ").replaceAll("_", " ");
/**
 * @param {MockFault} f
 * @param {boolean} value
 */
const flip = (f, value) => send("api/mock/fault", { kind: f.kind, at: f.at, on: value }).then(fetchMock);
/** @param {string} place */
const placeName = place => {
  const [zone, space] = String(place ?? "").split("/");
  return space ? word("space", { n: space }) : word(`at ${zone}`) || word("everywhere");
};
function faults() {
  const on = mock.faults.filter(f => f.on);
  const kinds = [...new Set(mock.faults.map(f => f.kind))];
  const badge = $("#faults-on");
  badge.hidden = !on.length;
  badge.textContent = word("on", { n: on.length });
  patch(
    $("#faults-now"),
    on.map(f =>
      h(
        "button",
        {
          key: `${f.kind} ${f.at}`,
          "aria-label": labelled(word("mend"), `${kindName(f.kind)} ${placeName(f.at)}`),
          onclick: () => flip(f, false),
        },
        `${kindName(f.kind)} · ${placeName(f.at)}`,
        sign("close", 18),
      ),
    ),
  );
  patch(
    $("#faults"),
    kinds.map(kind => {
      const all = mock.faults.filter(f => f.kind === kind);
      const active = all.filter(f => f.on);
      const now = all.find(f => String(f.at) === chosen[kind]) ?? active[0] ?? all[0];
      return h(
        "li",
        { key: kind, "data-fault": kind },
        h("b", kindName(kind)),
        all.length > 1
          ? h(
              "select",
              {
                "aria-label": labelled(kindName(kind), word("where")),
                onchange: e => {
                  chosen[kind] = e.target.value;
                  faults();
                },
              },
              all.map(f =>
                h("option", { value: f.at, selected: f === now }, `${placeName(f.at)}${f.on ? " ●" : ""}`),
              ),
            )
          : h("span.soft", placeName(now.at)),
        moments.has(kind)
          ? h(
              "button.now",
              {
                key: "now",
                "aria-label": labelled(kindName(kind), placeName(now.at)),
                onclick: () => flip(now, true),
              },
              word("now"),
            )
          : h(
              "button.sw",
              {
                key: "switch",
                role: "switch",
                "aria-checked": String(!!now.on),
                "aria-label": `${kindName(kind)} ${placeName(now.at)}`,
                onclick: () => flip(now, !now.on),
              },
              h("i"),
            ),
      );
    }),
  );
}

$("[data-action=blank]").addEventListener("click", e =>
  press(e.currentTarget, "api/mock/blank", {}).then(fetchMock),
);
$("[data-action=healthy]").addEventListener("click", async () => {
  for (const f of mock.faults.filter(one => one.on)) {
    await send("api/mock/fault", { kind: f.kind, at: f.at, on: false });
  }
  fetchMock();
});
for (const b of every("[data-button]")) {
  b.addEventListener("click", () => press(b, "api/mock/button", { name: b.dataset.button }).then(fetchMock));
}
$("[data-action=gather]").addEventListener("click", async () => {
  keepUsed(new Set());
  laid.clear();
  const cards = tagsAt("pad").filter(u => thing(u).kind === "card");
  if (cards.length) await putPad(tagsAt("pad").filter(u => !cards.includes(u)));
  fetchMock();
});
$("[data-action=lift-all]").addEventListener("click", async () => {
  const gone = used();
  tagsAt("pad")
    .filter(u => accepted(u) && thing(u).kind === "card")
    .forEach(u => gone.add(u));
  keepUsed(gone);
  laid.clear();
  await putPad([]);
  fetchMock();
});
$("[data-action=line-up-pieces]").addEventListener("click", async () => {
  const list = mine("piece").sort((a, b) => rank(thing(a).colour) - rank(thing(b).colour));
  const n = course_().spaces;
  for (const uid of list) {
    if (placeOf(uid).startsWith("track/")) {
      const from = placeOf(uid);
      mock.tags[uid].at = "off";
      await putSpace(spaceOf(from), tagsAt(from));
    }
  }
  for (const [i, uid] of list.entries()) {
    const space = (n - i) % n;
    mock.tags[uid].at = `track/${space}`;
    await putSpace(space, tagsAt(`track/${space}`));
  }
  heldTag = null;
  fetchMock();
});

// Hands: drag with mouse or finger; a tap picks a thing up and a second tap puts it down.
/**
 * What a hand drags: a tag, from where on the screen, and its picture under the finger.
 * @type {{ uid: string | undefined, el: HTMLElement, x: number, y: number, pointer: number,
 *   ghost: HTMLElement | null, pile: string | undefined } | null}
 */
let drag = null;
let swallow = -Infinity; // `swallow`: when a drag ended; the click that ends it is none
/**
 * @param {number} x
 * @param {number} y
 */
const dropPlace = (x, y) => {
  /** @param {Element} el */
  const inside = el => {
    const r = el.getBoundingClientRect();
    return x >= r.left && x <= r.right && y >= r.top && y <= r.bottom;
  };
  if (inside($(".padbox"))) return "pad";
  const box = $("#track").getBoundingClientRect();
  const c = track.laid;
  if (inside($("#track"))) {
    const near = c.nearest(((x - box.left) * c.width) / box.width, ((y - box.top) * c.height) / box.height);
    if (near.distance < Math.max(c.lane * 0.75, c.cell * 0.6)) return `track/${near.space}`;
  }
  return "off";
};

addEventListener("pointerdown", e => {
  swallow = -Infinity;
  const el = touched(e, "[data-tag]");
  if (!el || e.button) return;
  drag = {
    uid: el.dataset.tag,
    el,
    x: e.clientX,
    y: e.clientY,
    pointer: e.pointerId,
    ghost: null,
    pile: el.dataset.pile,
  };
});
addEventListener("pointermove", e => {
  if (!drag || e.pointerId !== drag.pointer) return;
  if (!drag.ghost) {
    if (Math.hypot(e.clientX - drag.x, e.clientY - drag.y) < 8 || !drag.uid) return;
    const t = thing(drag.uid);
    drag.ghost = make(
      t.kind === "card"
        ? card(drag.uid, { class: "flying", attrs: { "data-tag": null } })
        : h(
            "div.toy.flying",
            s(
              "svg",
              { width: 120, height: 88, viewBox: "-60 -44 120 88" },
              drawPiece(horsey(), t.colour, 110),
            ),
          ),
    );
    document.body.append(drag.ghost);
    document.body.classList.add("dragging");
    drag.el.classList.add("lifted");
  }
  drag.ghost.style.left = `${e.clientX}px`;
  drag.ghost.style.top = `${e.clientY}px`;
  const place = dropPlace(e.clientX, e.clientY);
  $(".padbox").classList.toggle("over", place === "pad");
  off.classList.toggle("over", place === "off");
  track.layers.target ??= track.svg.insertBefore(svg("g.drop"), track.layers.pieces);
  patch(
    track.layers.target,
    place.startsWith("track/") && s("path.cell.to", { d: track.laid.outline(spaceOf(place), 3) }),
  );
});
addEventListener("touchmove", e => drag && e.preventDefault(), { passive: false }); // nothing is flung
/**
 * @param {PointerEvent} e
 * @param {boolean} dropped
 */
const finish = (e, dropped) => {
  if (!drag || e.pointerId !== drag.pointer) return;
  const { uid, ghost, el } = drag;
  drag = null;
  ghost?.remove();
  el.classList.remove("lifted");
  document.body.classList.remove("dragging");
  for (const box of [$(".padbox"), off]) box.classList.remove("over");
  if (track.layers.target) patch(track.layers.target);
  if (!ghost) return;
  swallow = performance.now();
  if (dropped && uid) move(uid, dropPlace(e.clientX, e.clientY), true);
};
addEventListener("pointerup", e => finish(e, true));
addEventListener("pointercancel", e => finish(e, false));

/** @param {HTMLElement} el */
function tap(el) {
  const { pile: colour, tag: uid } = el.dataset;
  if (colour && described()?.numbered) fan = colour;
  else if (colour) layCard(free(colour)[0]);
  else if (el.closest(".fan")) layCard(uid);
  else if (uid && placeOf(uid) === "pad" && thing(uid).kind !== "piece") move(uid, "off");
  else heldTag = heldTag === uid ? null : (uid ?? null);
  draw();
}
addEventListener(
  "click",
  e => {
    if (performance.now() - swallow < 250) {
      e.preventDefault();
      e.stopPropagation();
      return;
    }
    const el = touched(e, "[data-tag],[data-pile]");
    if (el && !(heldTag && el.closest("#track") && el.dataset.tag !== heldTag)) {
      tap(el);
      return;
    }
    if (!heldTag) return;
    if (el) {
      move(heldTag, placeOf(el.dataset.tag ?? ""));
    } // tapped onto another piece: on its space
    else if (touched(e, ".padbox")) {
      move(heldTag, "pad");
    } else if (touched(e, "#off")) {
      move(heldTag, "off");
    }
  },
  true,
);
addEventListener("keydown", e => {
  if (e.key === "Escape" && heldTag) {
    heldTag = null;
    draw();
    return;
  }
  if ((e.key === "Delete" || e.key === "Backspace") && heldTag && !touched(e, "input, select")) {
    move(heldTag, "off");
    return;
  }
  const el = touched(e, "svg [data-tag]");
  if (el && (e.key === "Enter" || e.key === " ")) {
    e.preventDefault();
    tap(el);
    maybe(`[data-hit="${placeOf(el.dataset.tag ?? "").slice(6)}"]`, track.layers.picks)?.focus();
  }
});
document.addEventListener("contextmenu", e => {
  if (touched(e, "[data-tag]")) e.preventDefault();
});

new ResizeObserver(() => {
  if (view) draw();
}).observe(course);
/** @type {HTMLDetailsElement} */
const folded = $("[data-faults]");
folded.open = recall(FAULTS_OPEN) === "yes";
folded.addEventListener("toggle", () => remember(FAULTS_OPEN, folded.open ? "yes" : "no"));

live(now => {
  const another = view && now.match && now.match.id !== view.match?.id;
  view = now;
  mocked(view);
  wear(view.match);
  count();
  clear();
  patch($("#big"), parts(view.say.parts));
  $("#by-tap").hidden = !view.due || view.moves.length > 0 || LAID.includes(view.due);
  const alerts = [...refused(view), ...broken(view)]; // what the sentence says already is not said twice
  patch($("#alerts"), ...alerts.map(a => h("span", a.text)));
  draw();
  if (another) leave();
  fetchMock();
});
