// The report of the game that has just ended, with its style: loaded when there is one to show.
import { patch } from "./draw.js";
import { report } from "./luck.js";

const style = document.createElement("link");
Object.assign(style, { rel: "stylesheet", href: new URL("luck.css", import.meta.url) });
document.head.append(style);
/** Fulfilled once what is measured has the height that its style gives it. */
export const styled = new Promise(done => {
  style.onload = done; // what is measured before has another height
  style.onerror = done;
});

/**
 * Show it there; a moment that is touched is played again on the page of past games, where there is one
 * (`replays`). `ended`: in the place of the standings.
 * @param {HTMLElement} el
 * @param {View} view
 * @param {{ ended?: boolean, replays?: boolean }} [how]
 */
export function show(el, { luck, match, standings, unit }, { ended = false, replays = true } = {}) {
  if (!luck || !match) return;
  const of = ended ? { standings, unit, match } : undefined;
  patch(
    el,
    report(luck, {
      ...luck,
      seats: match.seats,
      ended: of,
      again: replays ? ({ since, at }) => ({ href: `history/${match.id}#${since}-${at}` }) : undefined,
    }),
  );
}
