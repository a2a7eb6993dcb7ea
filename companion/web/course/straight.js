// Some spaces of a loop or a course laid straight, left to right: the geometry of the pictures of the rules.
import { RIGHT, laid, line } from "./geometry.js";

/**
 * The geometry. `course.stretch` are the first and the last space; on a loop those before the start are
 * counted down from 0, on a course 0 is the gate.
 * @param {CourseView} course
 * @param {number} width
 * @param {number} height
 */
export function stretch(course, width, height) {
  const [from, to] = course.stretch ?? [1, course.spaces];
  const board = course.kind === "course";
  const cell = width / (to - from + 1);
  const lane = height - 20;
  const before = Math.max(0, 1 - from) * cell;
  const left = Math.min(0, 1 - from) * cell;
  const first = board ? Math.max(1, from) : from;
  const list = Array.from({ length: to - first + 1 }, (_, i) => first + i);
  const size = Math.min(64, cell * 1.3, lane * 0.75);
  /** @param {number} i */
  const stall = i => ({ x: before * 0.42, y: height / 2 + (i ? 0.22 : -0.2) * lane, direction: 0, size });
  /** @param {number} space */
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
    parts: [line(left, height / 2, RIGHT, before + to * cell)],
    strip: 0,
    aside: stall,
    asides: 0,
  });
  return {
    ...drawn,
    first: from,
    list,
    fits: (/** @type {number} */ space) => space,
    called,
    stall: board ? stall : null,
    finish: course.spaces,
    gate: before - cell * 0.02,
  };
}
