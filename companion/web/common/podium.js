// The winners on their steps: on the page of a past game, and on pages that only show.
import { h, hat, picture } from "./draw.js";
import { long, score, trophy } from "./panels.js";

/** @param {StandingView} row */
const placeOf = row => row.place ?? Infinity;

/**
 * The winners on their steps.
 * @param {Ended} view
 */
export function podium(view) {
  const rows = view.standings.filter(row => row.place !== null).sort((a, b) => placeOf(a) - placeOf(b));
  const first = rows.filter((row, i) => i < 3 || placeOf(row) < 4);
  const order =
    first.length > 2
      ? [first[1], first[0], ...first.slice(2)]
      : first.length > 1
        ? [first[1], first[0]]
        : first;
  /** @param {StandingView} row */
  const runner = row => view.match?.colours?.[row.seat] ?? null;
  /** @param {StandingView} row */
  const winner = row => row.place === 1;
  return h(
    "div.podium",
    { "data-podium": "" },
    order.map(row =>
      h(
        "div",
        { class: `step p${row.place}`, "data-seat": row.seat },
        h(
          "div.up",
          runner(row)
            ? picture(view.match?.animal ?? "pig", runner(row), winner(row) ? 128 : 100)
            : winner(row) && trophy(64),
          hat(row.seat, winner(row) ? 68 : 56),
        ),
        h("b", { class: `nm ${long(row.name)}`, title: row.name }, row.name),
        h("div.block", h("span.pl", String(row.place)), h("span.sc", score(row.score, view.unit, 26))),
      ),
    ),
  );
}
