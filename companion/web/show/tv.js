// A screen in the bar: the course, the sentence, the first three, what happened last. Nothing to press.
import { $ } from "../common/draw.js";
import { live } from "../common/live.js";
import { sharing } from "../common/shared.js";
import { Parts } from "./parts.js";

const FIRST = 3;
const parts = new Parts({ large: 1, first: FIRST });

addEventListener("resize", () => parts.lay());
live(
  view => {
    for (const id of ["stand", "ticker"]) $(`#${id}`).hidden = !view.match;
    $("#course").classList.toggle("alone", !view.match);
    parts.show(view);
  },
  "page",
  sharing,
);
