// The report of the game that has just ended, with its style: loaded when there is one to show.
import { patch } from "./draw.js";
import { report } from "./luck.js";
import { stylesheet } from "./stylesheet.js";

export const styled = stylesheet(new URL("luck.css", import.meta.url));

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
