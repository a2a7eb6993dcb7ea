// The last card of a round: what is at risk, and how likely it stays, as a dial.
import { acorn, h, hat, s, word, withAttributes } from "../common/draw.js";
import { long } from "../common/panels.js";
import { rounded } from "./beats.js";

const MOST = 12; // acorns that are drawn
const [WIDE, HIGH, R] = [220, 124, 92];

/**
 * Who is about to play a card that decides about food at risk, and how likely it stays, if that is known.
 * @param {View} view
 */
export function gamble({ standings, odds, over, alerts }) {
  const row = standings.find(one => one.lastCard);
  if (!row?.provisional || over || alerts.some(a => a.kind === "refused")) return null;
  const keep = odds && !odds.old ? odds.rows.find(one => one.seat === row.seat)?.also : null;
  return { row, keep: keep ? rounded(Math.round(100 * keep.p)) : null };
}

/**
 * A point of the dial: 0 is left, 1 is right.
 * @param {number} t
 * @param {number} r
 */
function on(t, r) {
  const angle = Math.PI * (1 - t);
  return `${(WIDE / 2 + r * Math.cos(angle)).toFixed(1)} ${(HIGH - 12 - r * Math.sin(angle)).toFixed(1)}`;
}

/**
 * @param {number} from
 * @param {number} to
 */
const arc = (from, to) => `M${on(from, R)}A${R} ${R} 0 0 1 ${on(to, R)}`;

/**
 * The dial: green as far as the food is likely to stay, red beyond, the needle between.
 * @param {number | null} keep in percent
 */
const dial = keep =>
  s(
    "svg.dial",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" },
    s("path.dial-all", { d: arc(0, 1) }),
    keep !== null && [
      s("path.dial-lost", { d: arc(keep / 100, 1) }),
      keep > 0 && s("path.dial-kept", { d: arc(0, keep / 100) }),
      s("path.dial-needle", { d: `M${on(keep / 100, R + 8)}L${on(keep / 100, 24)}` }),
    ],
    s("circle.dial-hub", { cx: WIDE / 2, cy: HIGH - 12, r: 9 }),
  );

/** @param {NonNullable<ReturnType<typeof gamble>>} of */
export const gambled = ({ row, keep }) =>
  h(
    "section.gamble",
    { "data-gamble": row.seat, "data-keep": keep },
    h("div.gamble-who", hat(row.seat, 64), h("b", { class: `nm ${long(row.name)}` }, row.name)),
    h(
      "div.gamble-dial",
      dial(keep),
      keep !== null && [h("b", word("percent", { n: keep })), h("span", word("gamble keep"))],
    ),
    h(
      "div.gamble-nuts",
      { "aria-hidden": "true" },
      Array.from({ length: Math.min(MOST, row.provisional ?? 0) }, (_, i) =>
        withAttributes(acorn(34, "looseart"), { style: `--i:${i}` }),
      ),
    ),
    h("p", word("gamble", { n: row.provisional })),
  );
