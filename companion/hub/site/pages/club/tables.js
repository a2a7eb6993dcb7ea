// All tables on one page: each a card that says who is here, what is played, who leads.
import { $, h, numbers, patch, picture, word } from "../common/draw.js";
import { score } from "../common/panels.js";
import { follow } from "./follow.js";
import { time } from "./times.js";

const percent = numbers({ style: "percent" });

/** @type {Map<string, Summary>} */
let known = new Map();

/**
 * @param {Summary} one
 * @param {Summary} other
 */
const order = (one, other) => Number(other.here) - Number(one.here) || one.name.localeCompare(other.name);

/**
 * The later of two summaries of the same table.
 * @param {Summary | undefined} before
 * @param {Summary} now
 */
const later = (before, now) =>
  before && before.seq > now.seq && Date.parse(before.heard) >= Date.parse(now.heard) ? before : now;

/**
 * @param {{ tables: Summary[] }} listed
 * @param {boolean} isWhole
 */
function show({ tables }, isWhole) {
  const now = tables.map(table => /** @type {const} */ ([table.name, later(known.get(table.name), table)]));
  known = new Map([...(isWhole ? [] : known), ...now]);
  const all = [...known.values()].sort(order);
  $("#none").hidden = all.length > 0;
  patch($("#tables"), all.map(card));
}

/** @param {Summary} table */
const title = table => word(`game ${table.game}`) || table.title || "";

/** @param {Summary} table */
function card(table) {
  const playing = table.state === "playing";
  return h(
    "a",
    {
      key: table.name,
      class: `panel card ${table.here ? "here" : "away"}`,
      href: `tables/${encodeURIComponent(table.name)}`,
      "data-table": table.name,
    },
    h(
      "span",
      { class: "head" },
      h("b", {}, table.name),
      h("em", { class: "state" }, table.here ? word("here") : word("gone", { when: time(table.heard) })),
    ),
    table.state === "empty"
      ? h("span", { class: "soft" }, word("empty"))
      : [
          h(
            "span",
            { class: "what" },
            picture(table.animal, "red", 64),
            h(
              "span",
              {},
              h("b", {}, title(table)),
              h(
                "span",
                { class: "soft" },
                playing ? table.due.length > 0 && word("due", { names: table.due.join(", ") }) : word("over"),
              ),
            ),
          ),
          h(
            "span",
            { class: "first3" },
            table.first.map(row =>
              h(
                "span",
                {},
                h("i", {}, row.place === null ? "–" : `${row.place}.`),
                h("span", { class: "nm" }, row.name),
                score(row.score, table.unit, 20),
              ),
            ),
          ),
          playing &&
            table.favourite &&
            h(
              "span",
              { class: "soft" },
              word("favourite", { name: table.favourite.name, p: percent(table.favourite.p) }),
            ),
        ],
  );
}

show(JSON.parse($("script[data-first]").textContent ?? ""), true);
follow("live/tables", "tables.json", show);
