// Some spaces of a loop or a course laid straight, left to right: the pictures of the rules.
import { s, word } from "../common/draw.js";
import { RIGHT, laid, line as way } from "./geometry.js";
import { gate, groundOf, line, nature, numbers, rails, turned } from "./ground.js";

const SMALLEST = 13; // px of a word that can be read

/** The geometry. `course.stretch` are the first and the last space; on a loop those before the start are
    counted down from 0, on a course 0 is the gate. */
export function stretch(course, width, height) {
  const [from, to] = course.stretch;
  const board = course.kind === "course";
  const cell = width / (to - from + 1);
  const lane = height - 20;
  const before = Math.max(0, 1 - from) * cell;
  const left = Math.min(0, 1 - from) * cell;
  const first = board ? Math.max(1, from) : from;
  const list = Array.from({ length: to - first + 1 }, (_, i) => first + i);
  const size = Math.min(64, cell * 1.3, lane * 0.75);
  const stall = i => ({ x: before * 0.42, y: height / 2 + (i ? 0.22 : -0.2) * lane, direction: 0, size });
  const called = space => (board ? space : ((space % course.spaces) + course.spaces) % course.spaces);
  const drawn = laid({
    kind: "course",
    spaces: to,
    first: 1,
    width,
    height,
    lane,
    infield: null,
    numbers: -1,
    before,
    parts: [way(left, height / 2, RIGHT, before + to * cell)],
  });
  return {
    ...drawn,
    first: from,
    list,
    fits: space => space,
    called,
    stall: board ? stall : null,
    aside: stall,
    asides: 0,
    finish: course.spaces,
    gate: before - cell * 0.02,
  };
}

/** Its ground, with what it has of line, gate and nature. */
export function ground(c, view) {
  const board = view.kind === "course";
  const kind = new Map(c.list.map(space => [space, board ? groundOf(view, space) : ""]));
  const wet = c.list.filter(space => ["river", "moor"].includes(kind.get(space)));
  const from = board && c.first < 1 ? 0.5 - c.gate / c.cell : c.list[0] - 0.5;
  const to = c.last + 0.5;
  const size = Math.min(20, c.lane * 0.24, c.cell * 0.32);
  const under = [
    s("path", { class: board ? "lane grass" : "lane", d: c.along(from, to, 0), "stroke-width": c.lane }),
  ];
  for (const space of c.list) {
    under.push(
      s("path", {
        class: `cell ${kind.get(space)} ${space % 2 ? "alt" : ""}`,
        d: c.outline(space, board ? 0 : 2),
      }),
    );
  }
  under.push(...wet.map(space => nature(c, space, kind.get(space))), ...rails(c, from, to, ""));
  const lines = c.list.filter(space =>
    board ? space === c.finish + 1 : c.called(space) === 1 && space > c.first,
  );
  const start = c.list.filter(space => !board && c.called(space) === 0);
  const said = word("START");
  // no wider than its space beside the line
  const letters = Math.min(size, (c.cell - 16) / (0.7 * said.length));
  const words =
    letters < SMALLEST
      ? []
      : start.map(space =>
          s(
            "text",
            {
              class: "startword",
              "font-size": letters,
              transform: turned(
                c.at(space - Math.min(0.1, 6 / c.cell), c.numbers * (c.lane / 2 - size * 0.72 - 3)),
              ),
            },
            said,
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
