// The watch page: any phone; what is public, and what viewers may do during the game.
import { fit, panelList } from "../common/boards.js";
import { $, calm, maybe, patch, wear, word } from "../common/draw.js";
import { Director, keyOf } from "../finish/director.js";
import { guard, live } from "../common/live.js";
import { sharing } from "../common/shared.js";
import * as odds from "../common/odds.js";
import * as panel from "../common/panels.js";
import { Track } from "../course/track.js";

const track = new Track($("#track"));
const box = $("#track-box");
/** @type {View} */
let view;

function layTrack() {
  if (!view?.course || box.hidden) return;
  const width = $("#track").clientWidth;
  const height = view.course.spaces > 60 ? width : width * 0.62;
  $("#track").style.height = `${height}px`;
  track.lay(view.course, width, height, view.pieces.length);
}

function refresh() {
  const playing = !!view.match;
  const done = !!view.over;
  panel.mocked(view);
  wear(view.match);
  document.body.dataset.tone = view.say.tone;
  guard("sentence", sentence);
  for (const id of ["stand", "story", "track-box", "panels"]) $(`#${id}`).hidden = !playing;
  $("#idle").hidden = playing;
  $("#past").hidden = playing && !done;
  $("#sit").hidden =
    !playing || !!maybe("#sheet") || done || view.seats.every(seat => seat.joined || seat.bot);
  patch($("#lost"), ...panel.broken(view).map(a => panel.notice(a)));
  guard("board", () => board(done));
  $("#tote").hidden = true;
  if (playing) game(done);
}

function sentence() {
  $("#title").textContent = view.match?.title ?? document.title;
  $("#round").textContent = view.round?.text ?? "";
  panel.say(view, $("#big"), $("#then"));
  const p = view.say.picture;
  const small = p && { ...p, arrow: false, to: null, toText: "", seat: p.piece ? null : p.seat };
  panel.sketch({ ...view, say: { ...view.say, picture: small } }, $("#pic"), 0.72);
}

/**
 * The finish: loaded with the first game that ends.
 * @type {import("../finish/finish.js").Finish | null}
 */
let finish = null;
/** @param {boolean} done */
async function board(done) {
  $("#now").hidden = done && !!finish;
  if (!done) {
    finish?.hide();
    return;
  }
  if (!finish) {
    const part = await import("../finish/finish.js");
    await part.styled;
    finish ??= new part.Finish($("#finish"));
    refresh();
    return;
  }
  finish.show(view, { plays: director.ended === keyOf(view) });
}

/** @param {boolean} done */
function game(done) {
  guard("standings", () => panel.standings(view, { head: $("#stand-head"), list: $("#stand-list") }));
  guard("odds", () => done || odds.tote(view, $("#tote"), { whole: true }));
  guard("panels", () => {
    panelList(view, view.panels, $("#panels"));
    fit($("#panels"));
  });
  guard("story", () => panel.story(view, $("#story-list")));
  $("#story").hidden = !view.story?.length;
  $("#stock").hidden = !view.stockText;
  $("#stock").textContent = view.stockText ?? "";
  guard("course", () => {
    layTrack();
    track.show(view);
  });
  panel.reveal(view, $("#reveal"));
}

addEventListener("resize", layTrack);
/**
 * What they may do is loaded with the first game in which they may.
 * @type {Promise<typeof import("../crowd/crowd.js")> | null}
 */
let crowd = null;
/**
 * The report is loaded with the first game that is over.
 * @type {Promise<typeof import("../common/luck-late.js")> | null}
 */
let late = null;
async function luck() {
  const report = view.luck && (await (late ??= import("../common/luck-late.js")));
  await report?.styled;
  $("#luck").hidden = !report || !view.luck;
  if (report) report.show($("#luck"), view);
}
/** @type {View} */
let latest;
const director = new Director(() => show(), {
  result: word("the result"),
  quiet: () => calm() || document.hidden,
});
function show() {
  view = director.staged(latest);
  refresh();
}
live(
  async now => {
    latest = now;
    show();
    if (now.crowd) crowd ??= import("../crowd/crowd.js");
    luck();
    (await crowd)?.show(now);
  },
  "page",
  sharing,
);
