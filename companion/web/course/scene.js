// A picture of the rules: a scene that the rules have played, drawn like the table page draws the game.
import { acorn, chip, h, hat, maybe, s, sign, svg } from "../common/draw.js";
import { hop } from "./motion.js";
import { stretch } from "./straight.js";
import { ground } from "./stretch.js";
import { Track } from "./track.js";

const HIGHEST = 112;

/**
 * How high the course of a scene is that is so wide.
 * @param {SceneView} of
 * @param {number} width
 */
function heightOf({ course }, width) {
  if (!course.stretch) {
    return course.spaces > 60 ? width : Math.max(240, width * (course.kind === "course" ? 0.56 : 0.62));
  }
  const [from, to] = course.stretch;
  const cell = width / (to - from + 1);
  return Math.round(Math.max(76, Math.min(HIGHEST, cell * 1.45)) + 20);
}

/**
 * What is on the stretch that is drawn.
 * @param {SceneView} scene
 */
function visible({ course, ...scene }) {
  if (!course.stretch) return { course, ...scene };
  const [from, to] = course.stretch;
  /** @param {number} space */
  const on = space => space >= from && space <= to;
  return {
    ...scene,
    course: { ...course, obstacles: course.obstacles?.filter(on) },
    food: scene.food.filter(on),
  };
}

/**
 * The way to an obstacle, and the sign that it ends there.
 * @param {Track} track
 * @param {SceneView} scene
 */
function stopped(track, scene) {
  const c = track.laid;
  const at = new Map(scene.pieces.map(p => [p.piece, p.zone === "gate" ? 0 : p.space]));
  return scene.stops.map(stop => {
    const p = c.at(stop.space, c.lane * 0.17);
    const size = Math.min(44, c.cell * 0.8);
    return svg(
      "g.stop",
      { "data-stop": stop.space },
      hop(c, at.get(stop.piece) ?? 0, stop.space, c.piece),
      s("use", { href: "#ic-refuse", x: p.x - size / 2, y: p.y - size / 2, width: size, height: size }),
    );
  });
}

/** @param {SceneCard} one */
const card = one =>
  h(
    "span",
    { class: `scenecard ${one.piece ?? ""}` },
    one.number === null ? chip(one.piece, 34) : h("b", one.number),
  );

/**
 * Food at risk and food that is safe, before the cards and after them.
 * @param {Purse} of
 */
function purse({ seat, loose, kept }) {
  /**
   * @param {number} count
   * @param {string} cls
   */
  const box = (count, cls) =>
    h("span", { class: `f ${cls}` }, acorn(30, cls === "loose" ? "looseart" : ""), h("b", String(count)));
  /** @param {0 | 1} i */
  const state = i => [box(loose[i], "loose"), box(kept[i], "kept")];
  return h("div.purse", hat(seat, 40), state(0), sign("arrow", 34), state(1));
}

/**
 * The picture of a scene, `width` px wide.
 * @param {SceneView} scene
 * @param {number} width
 */
export function picture(scene, width) {
  const drawn = svg("svg.track", { "aria-hidden": "true" });
  const height = heightOf(scene, width);
  const track = new Track(drawn, scene.course.stretch ? { stretch, ground } : null);
  const view = visible(scene);
  Object.assign(drawn.style, { width: `${width}px`, height: `${height}px` });
  track.lay(view.course, width, height, Math.max(1, view.pieces.length));
  track.show({ ...view, match: { animal: view.animal } });
  if (view.moves.some(m => m.from === 0 || m.to === 0)) maybe(".startword", drawn)?.classList.add("lit");
  drawn.append(...stopped(track, view));
  const seats = [...new Map(view.cards.map(c => [c.seat, c])).keys()];
  return h(
    "div.scenepic",
    { "aria-hidden": "true" },
    seats.length > 0 &&
      h(
        "div.scenecards",
        seats.map(seat => h("span", hat(seat, 40), view.cards.filter(c => c.seat === seat).map(card))),
      ),
    drawn,
    view.purse && purse(view.purse),
  );
}
