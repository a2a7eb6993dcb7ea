// Draws the ground of some spaces laid straight (straight.js), with what it has of line, gate and nature.
import { s, word } from "../common/draw.js";
import { groundOf } from "./course.js";
import { gate, line, nature, numbers, rails, turned } from "./ground.js";

const SMALLEST = 13; // px of a word that can be read

/**
 * The ground in two layers: under what stands on it, and over it.
 * @param {Geometry} c
 * @param {CourseView} view
 */
export function ground(c, view) {
  const board = view.kind === "course";
  /** @param {number} space */
  const kind = space => (board ? groundOf(view, space) : "");
  const wet = c.list.filter(space => ["river", "moor"].includes(kind(space)));
  const from = board && c.first < 1 ? 0.5 - c.gate / c.cell : c.list[0] - 0.5;
  const to = c.last + 0.5;
  const size = Math.min(20, c.lane * 0.24, c.cell * 0.32);
  /** @type {VNode[]} */
  const under = [
    s("path", { class: board ? "lane grass" : "lane", d: c.along(from, to, 0), "stroke-width": c.lane }),
  ];
  for (const space of c.list) {
    under.push(
      s("path", {
        class: `cell ${kind(space)} ${space % 2 ? "alt" : ""}`,
        d: c.outline(space, board ? 0 : 2),
      }),
    );
  }
  under.push(...wet.map(space => nature(c, space, kind(space))), ...rails(c, from, to, ""));
  const lines = c.list.filter(space =>
    board ? space === c.finish + 1 : c.called(space) === 1 && space > c.first,
  );
  const start = c.list.filter(space => !board && c.called(space) === 0);
  const label = word("START");
  // no wider than its space next to the line
  const letters = Math.min(size, (c.cell - 16) / (0.7 * label.length));
  const words =
    letters < SMALLEST
      ? []
      : start.map(space =>
          s(
            "text.startword",
            {
              "font-size": letters,
              transform: turned(
                c.at(space - Math.min(0.1, 6 / c.cell), c.numbers * (c.lane / 2 - size * 0.72 - 3)),
              ),
            },
            label,
          ),
        );
  return {
    under,
    over: [
      ...lines.map(space => line(c, space)),
      ...(board && c.first < 1 ? [gate(c)] : []),
      ...words,
      ...numbers(c, new Set(wet)),
    ],
  };
}
