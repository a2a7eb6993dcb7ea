// Times in the viewer's language and time zone.
import { every } from "../common/draw.js";

/** @param {string} when */
export function time(when) {
  const at = new Date(when);
  const today = at.toDateString() === new Date().toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const how = today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
  return at.toLocaleString(document.documentElement.lang, how);
}

for (const el of /** @type {HTMLTimeElement[]} */ (every("time[datetime]"))) {
  el.textContent = time(el.dateTime);
}
