// What this device remembers. A browser that stores nothing, such as a private window, forgets it at the end.

/**
 * What was stored under this name, or null.
 * @param {string} name
 * @param {"localStorage" | "sessionStorage"} [area] for this device, or only until its window is closed
 */
export function recall(name, area = "localStorage") {
  try {
    return window[area].getItem(name);
  } catch {
    return null;
  }
}

/**
 * What was stored under this name as JSON, or null, also if it cannot be read.
 * @param {string} name
 * @param {"localStorage" | "sessionStorage"} [area]
 */
export function recallJson(name, area) {
  try {
    return JSON.parse(recall(name, area) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Store a value under this name; null removes it.
 * @param {string} name
 * @param {string | null} value
 * @param {"localStorage" | "sessionStorage"} [area]
 */
export function remember(name, value, area = "localStorage") {
  try {
    if (value === null) window[area].removeItem(name);
    else window[area].setItem(name, value);
  } catch {
    /* then it is forgotten */
  }
}
