// Over a stream: only the parts that the address asks for, on nothing. Where no game is on, nothing is shown.
import { maybe } from "../common/draw.js";
import { live } from "../common/live.js";
import { sharing } from "../common/shared.js";
import { Parts } from "./parts.js";

const parts = new Parts({ large: 1 });

/** @param {string} id @param {boolean} on */
function turn(id, on) {
  const el = maybe(`#${id}`);
  if (el) el.hidden = !on;
}

addEventListener("resize", () => parts.lay());
live(
  view => {
    const playing = !!view.match;
    for (const id of ["course", "stand", "now", "ticker"]) turn(id, playing);
    turn("odds", playing && !!view.odds && !view.over);
    parts.show(view);
  },
  "page",
  sharing,
);
