// A small picture of the course: where the pieces stand now, and the way of each that will stand elsewhere.
import { h, svg } from "../common/draw.js";
import { Track } from "./track.js";

const WIDE = 640;
const HIGH = 400;

/**
 * The picture as a figure with `text` under it.
 * @param {Sketch} picture
 * @param {string} text
 */
export function sketch(picture, text) {
  const course = svg("svg.track", { role: "img", "aria-label": text });
  const track = new Track(course);
  const view = { ...picture, match: { animal: picture.animal } };
  track.lay(picture.course, WIDE, HIGH, picture.pieces.length);
  track.show(view);
  return h("figure.sketch", course, h("figcaption", text));
}
