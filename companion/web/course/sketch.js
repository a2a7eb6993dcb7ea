// A small picture of the course: where the pieces stand now, and the way of each that will stand elsewhere.
import { h, s } from "../common/draw.js";
import { Track } from "./track.js";

const WIDE = 640;
const HIGH = 400;

/**
 * The picture as a figure with `text` under it.
 * @param {Sketch} picture
 * @param {string} text
 */
export function sketch(picture, text) {
  const svg = s("svg", { class: "track", role: "img", "aria-label": text });
  const track = new Track(svg);
  const view = { ...picture, match: { animal: picture.animal } };
  track.lay(picture.course, WIDE, HIGH, picture.pieces.length);
  track.show(view);
  return h("figure", { class: "sketch" }, svg, h("figcaption", {}, text));
}
