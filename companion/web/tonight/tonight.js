// The page of an evening: its score over all games.
import { $, face, h, parts, patch, word } from "../common/draw.js";
import { cover, save } from "../common/keepsake.js";
import { live } from "../common/live.js";
import { mocked } from "../common/panels.js";
import { getJson, tell } from "../common/send.js";
import { rounded } from "../finish/beats.js";

/** @type {string | null} */
let shown = null;
/** @type {ImageBitmap | null} */
let photo = null; // it never leaves this device but in a picture that its owner sends

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
  $("#tonight-keep").hidden = !now.games.length;
  $("main").classList.toggle("alone", !now.games.length);
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
  drawMoment(now.moment);
}

/** @param {MomentTonight | null} moment */
function drawMoment(moment) {
  $("#tonight-moment").hidden = !moment;
  if (!moment) return;
  const chances = { from: rounded(moment.before), to: rounded(moment.after) };
  patch(
    $("#tonight-moment .moment"),
    h("b.told", parts(moment.headline ?? moment.parts, { food: false })),
    h("p", `${moment.stage} · `, parts(moment.parts, { food: false })),
    h("p.chances", face(moment.face, moment.seat, 40), h("b", moment.name), word("chance moved", chances)),
  );
}

/** Ask again whenever a game has ended, begun, or been worked out. @param {View} view */
async function follow(view) {
  const now = `${view.match?.id} ${view.over} ${!!view.luck?.headline}`;
  if (now === shown) return;
  shown = now;
  /** @type {TonightView | null} */
  const evening = await getJson("api/tonight");
  if (evening) draw(evening);
  else shown = null;
}

/** @param {ImageBitmap | null} taken */
function show(taken) {
  photo = taken;
  const canvas = /** @type {HTMLCanvasElement} */ ($("#tonight-keep canvas"));
  canvas.hidden = !photo;
  $("[data-action=drop-photo]").hidden = !photo;
  if (photo) cover(canvas, photo);
}

$("[data-action=keep-tonight]").addEventListener("click", ({ currentTarget }) =>
  save(currentTarget, "paper/tonight.svg", "tonight.png", photo),
);
$("[data-action=add-photo]").addEventListener("change", async event => {
  const input = /** @type {HTMLInputElement} */ (event.currentTarget);
  try {
    if (input.files?.[0]) show(await createImageBitmap(input.files[0]));
  } catch {
    tell(word("no photo"));
  }
  input.value = "";
});
$("[data-action=drop-photo]").addEventListener("click", () => show(null));
live(view => {
  mocked(view);
  follow(view);
});
