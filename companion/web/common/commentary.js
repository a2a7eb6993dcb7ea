// What there is to hear of a picture of the table; how it sounds is in sound.js.

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
  if (now.over && !was.over) return "end"; // also of a piece that is put where it ran: no entry tells that
  if (newest(now) > newest(was) && now.seq !== was.seq) return brought(was, now);
  const before = refusals(was);
  return refusals(now).some(text => !before.includes(text)) ? "wrong" : "";
}

/**
 * What is said of the race between two pictures of the same match; "" if nothing new is.
 * @param {View | null | undefined} was
 * @param {View} now
 */
export function commentary(was, now) {
  if (!was?.match || was.match.id !== now.match?.id || !now.comment) return "";
  return Number(now.comment.key) > Number(was.comment?.key ?? 0) ? now.comment.text : "";
}
