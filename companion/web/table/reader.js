// A reader at this tablet that types: what it types is a card held to the pad. Loaded only where the settings
// have pad = "usb". What is typed into a field is never taken from it.
import { send } from "../common/send.js";
import { GAP_MS, Typist } from "./strokes.js";

const typist = new Typist();
/** @type {Set<string>} keys that are down and may press nothing on the page */
const held = new Set();
let over = 0;

/** @param {EventTarget | null} target */
const isField = target =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));

/** @param {string | null} text */
function take(text) {
  if (text !== null) send("api/pad/typed", { text });
}

/**
 * Keep a key from pressing a button, or from opening the browser's search.
 * @param {KeyboardEvent} event
 */
function swallow(event) {
  held.add(event.code);
  event.preventDefault();
  event.stopImmediatePropagation();
}

// first of all that listen: the Enter of a reader presses no button
addEventListener(
  "keydown",
  event => {
    const { key, repeat, target, timeStamp } = event;
    if (repeat || event.ctrlKey || event.altKey || event.metaKey || isField(target)) {
      typist.clear();
      return;
    }
    clearTimeout(over);
    if (key === "Enter") {
      const text = typist.enter(timeStamp);
      if (text !== null) swallow(event);
      take(text);
      return;
    }
    typist.key(event, timeStamp);
    if (typist.isReader && /^[ \t/'?]$|^Tab$/.test(key)) swallow(event);
    // twice: a busy tablet handles keys late, though their own times are right
    over = setTimeout(() => take(typist.quiet()), 2 * GAP_MS);
  },
  { capture: true },
);
addEventListener(
  "keyup",
  event => {
    if (held.delete(event.code)) event.preventDefault();
  },
  { capture: true },
);
if ("NDEFReader" in window) import("./nfc.js").then(nfc => nfc.begin(take)); // Chrome on Android, over https
