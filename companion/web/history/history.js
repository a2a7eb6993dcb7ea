// The history page: past games and who leads, by game.
import { amount } from "../common/boards.js";
import { day } from "../common/dates.js";
import {
  $,
  face,
  h,
  hat,
  headed,
  heading,
  labelled,
  numbers,
  patch,
  picture,
  s,
  withAttributes,
  word,
} from "../common/draw.js";
import { bar, percent } from "../common/odds.js";
import { long } from "../common/panels.js";

const BACK = 4_000;
const PAGE = 50; // games that are loaded at once
const decimal = numbers({ maximumFractionDigits: 1 });
/** @type {{ matches: Over[], going_on: GoingOn[], more: number | null }} */
let past;
/** @type {{ boards: Leaderboard[], counted: string, order: string }} */
let leaders;
/** @type {string | null} */
let chosen = null;

/** @param {string} url */
async function got(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

/**
 * A page of past games of the chosen kind: the newest, or those before this one.
 * @param {number | null} [before]
 */
const page = before =>
  got(
    `api/history?${new URLSearchParams({
      most: String(PAGE),
      ...(chosen && { game: chosen }),
      ...(before && { before: String(before) }),
    })}`,
  );

/** Both lists; what cannot be had now is asked for again. */
async function load() {
  try {
    [past, leaders] = await Promise.all([page(), got("api/leaderboard")]);
  } catch {
    $("#stale").hidden = false;
    setTimeout(load, BACK);
    return;
  }
  $("#stale").hidden = true;
  show();
}

/** Older games, below those that are there; if another kind was chosen meanwhile, they are not wanted. */
async function more() {
  const then = past;
  try {
    const older = await page(then.more);
    if (past !== then) return;
    past = { ...past, matches: [...past.matches, ...older.matches], more: older.more };
  } catch {
    return; // the button is still there
  }
  show();
}

const board = () => leaders.boards.find(b => b.game === chosen) ?? leaders.boards[0];

function show() {
  const { boards } = leaders;
  $("#tabs").hidden = boards.length < 2;
  patch(
    $("#tabs"),
    boards.map(b =>
      h(
        "button.tab",
        {
          key: b.game,
          "aria-pressed": String(b === board()),
          "data-action": "tab",
          "data-card": b.game ?? "all",
          onclick: () => {
            chosen = b.game;
            show();
            load();
          },
        },
        b.title,
      ),
    ),
  );
  $("#how").hidden = !board()?.rows.length;
  $("#counted").textContent = leaders.counted;
  $("#order").textContent = leaders.order;
  patch($("#board"), board()?.rows.length ? table(board()) : h("p", word("no games")));
  $("#more").hidden = past.more === null;
  const games = past.matches.filter(m => !chosen || m.game === chosen);
  const going = past.going_on.filter(m => !chosen || m.game === chosen);
  patch(
    $("#games"),
    games.length || going.length
      ? [...going.map(open), ...games.map(game)]
      : h("li", h("p", word("no past"))),
  );
}

/** @param {Leaderboard} of */
function table({ rows, unit, title, games, game }) {
  const best = game !== null; // scores of different games cannot be compared
  return h(
    "table.leaders",
    h("caption.soft", labelled(title, games === 1 ? word("games one") : word("games many", { n: games }))),
    headed(
      [
        h("td"),
        heading("col", word("who")),
        ["games", "wins", "place"].map(name => h("th.n", { scope: "col" }, word(name))),
      ],
      rows.map((r, i) =>
        h(
          "tr",
          { "data-leader": r.name, "data-bot": r.bot, class: i === 0 && r.wins ? "best1" : "" },
          h("td.rk", String(i + 1)),
          heading(
            "row",
            r.face && face(r.face, 0, 34),
            h("b", { class: long(r.name) }, r.name),
            r.bot && h("em.soft", ` ${r.bot}`),
            likely(r),
            best && h("span.best", word("best"), " ", amount(r.best ?? "–", unit)),
          ),
          h("td.n", String(r.games)),
          h("td.n", { "data-won": "" }, h("b", String(r.wins))),
          h("td.n", { title: places(r) }, decimal(r.average)),
        ),
      ),
    ),
  );
}

/** @param {Leader} r */
const places = r =>
  word("places", {
    places: r.places
      .map((n, i) => (n ? word("times", { place: i + 1, n }) : null))
      .filter(Boolean)
      .join(", "),
  });

/**
 * The share of wins as a bar, its whisker saying how sure that is.
 * @param {Leader} r
 */
function likely(r) {
  const label = word("share", { p: percent(r.share), n: Math.round(r.error * 100) });
  return withAttributes(bar({ p: r.share, error: r.error }, 1, "mini"), {
    "aria-label": label,
    title: label,
  });
}

const cup = () =>
  s(
    "svg.ic",
    { width: 22, height: 22, viewBox: "0 0 48 48", role: "img", "aria-label": "1." },
    s("use", { href: "#trophy" }),
  );

/** @param {GoingOn} m */
const open = m =>
  h(
    "li.game.going",
    { "data-match": m.id },
    h(
      "div.in",
      h("span.nm", h("b", m.title), h("span.soft", m.seats.join(", "))),
      h("em.tagged", word("going on")),
    ),
  );

/** @param {Over} m */
const game = m =>
  h(
    "li.game",
    { "data-match": m.id },
    h(
      "a.in",
      { href: `history/${m.id}` },
      h("span.art2", { "aria-hidden": "true" }, picture(m.animal, "red", 64)),
      h(
        "span.nm",
        h("b", m.name || m.title),
        h("span.soft", `${m.name ? `${m.title} · ` : ""}${day(m.when)}`),
        h(
          "span.who3",
          [...m.standings]
            .sort((a, b) => (a.place ?? 9) - (b.place ?? 9))
            .map(r =>
              h(
                "span",
                { class: r.place === 1 ? "first" : "" },
                r.place === 1 ? cup() : r.place && h("i", String(r.place)),
                hat(r.seat, 30),
                `${r.name} ${amount(r.score, m.unit)}`,
              ),
            ),
        ),
      ),
      m.ended && h("em.tagged", word("given up")),
    ),
  );

if ($("#games")) {
  $("#more").addEventListener("click", more);
  load();
  addEventListener("pageshow", event => {
    if (event.persisted) load();
  });
}
