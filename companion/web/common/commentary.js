// What there is to hear of a picture of the table, as words; how it sounds is in sound.js.
import { plain } from "./sentence.js";

/** @param {View} view */
const newest = view => Number(view.story[0]?.key ?? 0);
/** @param {View} view */
const refusals = view => view.alerts.filter(a => a.kind !== "held").map(a => a.kind + a.text);

/**
 * The weightiest of what a decision brought.
 * @param {View} was
 * @param {View} now
 */
function brought(was, now) {
  if (now.over) return "end";
  if (now.reward && now.reward.key !== was.reward?.key) return now.reward.kind;
  if (now.roundEnd && now.roundEnd.key !== was.roundEnd?.key) return "round";
  return now.standings.some(row => row.lastCard) ? "last-card" : "ok";
}

/**
 * The weightiest of what happened between two pictures of the same match; "" if nothing is to be heard.
 * @param {View | null | undefined} was
 * @param {View} now
 */
export function moment(was, now) {
  if (!was?.match || was.match.id !== now.match?.id) return "";
  if (newest(now) > newest(was) && now.seq !== was.seq) return brought(was, now);
  const before = refusals(was);
  return refusals(now).some(text => !before.includes(text)) ? "wrong" : "";
}

/**
 * What happened, and who is next. The big sentence of a piece to be moved tells both.
 * @param {View} now
 */
export function commentary(now) {
  const { parts, then } = now.say;
  const story = now.moves.length || now.over ? [] : (now.story[0]?.parts ?? []);
  return [story, parts, then]
    .map(plain)
    .filter(Boolean)
    .map(said => said.replace(/[.\s]*$/, ""))
    .join(". ");
}
