// Whether this browser keeps cookies: a device is known by one.
import { tell } from "./send.js";
import { word } from "./draw.js";

/** Return true if this browser stores cookies. */
function storesCookies() {
  document.cookie = "kept=yes; max-age=60; SameSite=Lax";
  return document.cookie.includes("kept=yes");
}

/** Return true if this device can be given a role or a seat; else say what to do. */
export function mayHold() {
  if (storesCookies()) return true;
  tell(word("no cookies"));
  return false;
}
