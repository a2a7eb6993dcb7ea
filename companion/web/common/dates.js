// Dates as the person at this device writes them.

/**
 * The tag for dates: that of the device in the language of the page, which knows the country; English without
 * a country is British.
 * @param {string} page
 * @param {readonly string[]} device
 */
export function tagOf(page, device) {
  const own = device.find(tag => tag.toLowerCase().startsWith(`${page}-`));
  return own ?? (page === "en" ? "en-GB" : page);
}

/** @param {Intl.DateTimeFormatOptions} how */
const written = how => (/** @type {string} */ when) => {
  const date = new Date(when);
  const tag = tagOf(document.documentElement.lang || "en", navigator.languages ?? []);
  return Number.isNaN(date.valueOf()) ? when : date.toLocaleString(tag, how);
};

/** A day and a time, as in "2 May 2026, 20:30". */
export const day = written({ dateStyle: "medium", timeStyle: "short" });
/** The same in figures. */
export const inFigures = written({ dateStyle: "short", timeStyle: "short" });
