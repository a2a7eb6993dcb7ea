// Cards are turned over together: faces flip, the rows sort by order of moving, then the sentence is read.
import { $, every } from "../common/draw.js";
import { pieceOf } from "../common/sentence.js";

const WHOLE = 1_700; // ms
const FLIP = 450;

/**
 * Play the moment in the table that shows this panel; the rows come from the order of the seats.
 * @param {HTMLElement} section
 * @param {PanelView} panel
 * @param {(string | null)[]} colours
 */
export function turnOver(section, panel, colours) {
  const rows = every("tbody tr", section);
  const seats = panel.rows.map(row => colours.indexOf(row.flat().map(pieceOf).find(Boolean) ?? null));
  const before = [...rows.keys()].sort((a, b) => seats[a] - seats[b]);
  const tops = rows.map(row => row.offsetTop);
  for (const [i, row] of rows.entries()) {
    const from = `translateY(${tops[before.indexOf(i)] - tops[i]}px)`;
    row.animate([{ transform: from }, { transform: from, offset: 0.45 }, { transform: "none" }], {
      duration: WHOLE,
      easing: "ease-in-out",
    });
    for (const cell of row.querySelectorAll(":scope > .n, .ncard")) {
      cell.animate(
        [
          { transform: "rotateX(90deg)", opacity: 0 },
          { transform: "none", opacity: 1 },
        ],
        { duration: FLIP, delay: 120, fill: "backwards" },
      );
    }
  }
  for (const selector of ["#pic", "#words"]) {
    $(selector).animate([{ opacity: 0 }, { opacity: 0, offset: 0.8 }, { opacity: 1 }], WHOLE);
  }
}
