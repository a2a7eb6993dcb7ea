// From sensor to screen: a bar for each of the last times, the newest on the right, and a line at the middle.
import { numbers, s, word } from "../common/draw.js";
import { roundUp } from "../common/lists.js";

const HIGH = 170;
const LEFT = 66;
const TOP = 16;
const LOW = 26;
const MOST = 200;
const whole = numbers({ maximumFractionDigits: 0 });

/**
 * Return the chart for a box that is `width` px wide.
 * @param {LatencyView} of
 * @param {number} width
 */
export function latencyChart({ ms, median }, width) {
  const wide = Math.max(260, width);
  const top = roundUp(Math.max(100, ...ms));
  /** @param {number} value */
  const y = value => TOP + (HIGH - TOP - LOW) * (1 - value / top);
  const room = wide - LEFT - 4;
  const count = Math.max(ms.length, 20);
  const step = Math.min(room / count, 16);
  const from = LEFT + room - step * ms.length;
  /** @param {number} value */
  const line = value => [
    s("path.lat-base", { d: `M${LEFT} ${y(value)}H${wide - 4}` }),
    s("text.lat-axis", { x: LEFT - 8, y: y(value) }, word("ms", { n: whole(value) })),
  ];
  return s(
    "svg.latency",
    { viewBox: `0 0 ${wide} ${HIGH}`, width: wide, height: HIGH, role: "img", "aria-label": word("chart") },
    line(0),
    line(top / 2),
    line(top),
    ms
      .slice(-MOST)
      .map((value, i) =>
        s("rect.lat-bar", {
          x: (from + step * i + step * 0.12).toFixed(1),
          y: y(value).toFixed(1),
          width: (step * 0.76).toFixed(1),
          height: (y(0) - y(value)).toFixed(1),
        }),
      ),
    s("path.lat-middle", { d: `M${LEFT} ${y(median ?? 0)}H${wide - 4}` }),
    s("text.lat-end", { x: wide - 4, y: HIGH - 8 }, word("newest")),
    s("text.lat-begin", { x: LEFT, y: HIGH - 8 }, word("older")),
  );
}
