// A reader at this tablet that types: what it types is a card held to the pad. Loaded only where the settings
// have pad = "usb". A reader types a key in some 20 ms and ends with Enter or Tab; no hand is so quick.
import { send } from "../common/send.js";

const GAP_MS = 50;
const FEWEST = 6; // digits; companion/devices/typed.py has the same

let text = "";
let last = 0;

/**
 * The hex digit of a key, by where it is and not by what the layout makes of it: a reader set to French types
 * A where Q is. "" for Shift and the like, null for any other key.
 * @param {KeyboardEvent} event
 */
function digit({ code, key }) {
  const printed = /^(?:Digit|Numpad|Key)([0-9A-F])$/.exec(code)?.[1];
  if (printed) return printed;
  if (code === "KeyQ") return "A";
  if (/^(?:Shift|CapsLock|NumLock)/.test(code || key)) return "";
  return !code && /^[0-9a-f]$/i.test(key) ? key.toUpperCase() : null;
}

/** @param {EventTarget | null} target */
const isField = target =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));

// first of all that listen: the Enter of a reader presses no button
addEventListener(
  "keydown",
  event => {
    const { key, repeat, target, timeStamp } = event;
    if (repeat || event.ctrlKey || event.altKey || event.metaKey || isField(target)) {
      text = "";
      return;
    }
    if (timeStamp - last > GAP_MS) text = "";
    last = timeStamp;
    if (key !== "Enter" && key !== "Tab") {
      const typed = digit(event);
      text = typed === null ? "" : text + typed;
      return;
    }
    const whole = text;
    text = "";
    if (whole.length < FEWEST) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    send("api/pad/typed", { text: whole });
  },
  { capture: true },
);
