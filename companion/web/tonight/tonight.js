// The page of an evening: its score over all games.
import { $, face, h, patch, word } from "../common/draw.js";
import { save } from "../common/keepsake.js";
import { live } from "../common/live.js";
import { mocked } from "../common/panels.js";
import { getJson } from "../common/send.js";

/** @type {string | null} */
let shown = null;

/**
 * @param {number} n
 * @param {string} name
 */
const counted = (n, name) => word(`${name} ${n === 1 ? "one" : "many"}`, { n });

/** @param {TonightView} now */
function draw(now) {
  $("#tonight-say").textContent = now.say;
  $("#tonight-next").textContent = now.next ?? "";
  $("#tonight-next").hidden = now.next === null;
  $("#cup").toggleAttribute("hidden", !now.champion);
  $("[data-action=keep-tonight]").hidden = !now.games.length;
  $("#tonight-games-box").hidden = !now.games.length;
  patch(
    $("#tonight-people"),
    now.people.map(one =>
      h(
        "li",
        { key: one.name, class: one.leads ? "leads" : "" },
        face(one.face, one.seat, 56),
        h("b", one.name),
        h("span.pts", counted(one.points, "points")),
        h("span.soft", counted(one.wins, "wins")),
      ),
    ),
  );
  patch(
    $("#tonight-games"),
    now.games.map(game =>
      h(
        "li",
        { key: game.id },
        h(
          "a",
          { href: `history/${game.id}` },
          word("won by", { game: game.title, names: game.winners.join(", ") }),
        ),
      ),
    ),
  );
}

/** Ask again whenever a game has ended, or begun. @param {View} view */
async function follow(view) {
  const now = `${view.match?.id} ${view.over}`;
  if (now === shown) return;
  shown = now;
  /** @type {TonightView | null} */
  const evening = await getJson("api/tonight");
  if (evening) draw(evening);
  else shown = null;
}

$("[data-action=keep-tonight]").addEventListener("click", ({ currentTarget }) =>
  save(currentTarget, "paper/tonight.svg", "tonight.png"),
);
live(view => {
  mocked(view);
  follow(view);
});
