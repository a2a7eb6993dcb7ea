// The signs that are cheered, our own drawings.
import { s } from "../common/draw.js";
import "./style.js";

/**
 * What each is drawn of, in a box of 48 × 48: class and outline.
 * @type {Record<string, [string, string][]>}
 */
const SIGNS = {
  heart: [
    ["fill", "M24 43C10 32 4 25 4 16A10.5 10.5 0 0 1 24 12 10.5 10.5 0 0 1 44 16C44 25 38 32 24 43Z"],
    ["gleam", "M11 17A5 5 0 0 1 15 11"],
  ],
  star: [["fill", "M24 3 30 17 45 18.5 33.5 28.5 37 43.5 24 35.5 11 43.5 14.5 28.5 3 18.5 18 17Z"]],
  horseshoe: [
    ["fill", "M9 4H18L17 21A7.5 8.5 0 0 0 31 21L30 4H39L42 21A18 22 0 0 1 6 21Z"],
    ["nail", "M12 12h.1M11 21h.1M14 30h.1M24 35h.1M34 30h.1M37 21h.1M36 12h.1"],
  ],
  rosette: [
    ["ribbon", "M17 26 9 44 17 41 22 46 26 30ZM31 26 39 44 31 41 26 46 22 30Z"],
    [
      "fill",
      "M24 3 29 6 35 6 37 12 41 16 39 21 39 27 33 29 29 33 24 31 19 33 15 29 9 27 9 21 7 16 11 12 13 6 19 6Z",
    ],
    ["heart", "M24 10A8 8 0 1 0 24 26 8 8 0 1 0 24 10Z"],
  ],
  flag: [
    ["cloth", "M10 6H43V30H10Z"],
    [
      "check",
      "M10 6H18V14H10ZM26 6H35V14H26ZM18 14H26V22H18ZM35 14H43V22H35ZM10 22H18V30H10ZM26 22H35V30H26Z",
    ],
    ["pole", "M9 4V45"],
  ],
};
export const NAMES = Object.keys(SIGNS);

/**
 * @param {string} name
 * @param {number} size
 */
export const cheerSign = (name, size) =>
  s(
    "svg",
    {
      class: `ic cheersign ${name}`,
      width: size,
      height: size,
      viewBox: "-2 -2 52 52",
      "aria-hidden": "true",
    },
    (SIGNS[name] ?? []).map(([of, d]) => s("path", { class: of, d })),
  );
