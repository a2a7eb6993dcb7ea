// Key strokes of a reader that types, put together to texts as companion/devices/typed.py does.
// Touches no page.
// What a text means is for the companion to say (companion/devices/uid_text.py).

/** Makers let up to 250 ms between two keys be set; the rest is for a computer that is late. */
export const GAP_MS = 300;
const FEWEST = 6; // hex digits that may be a tag's number
const QUICK_MS = 60; // no person is quicker for a whole number
const LONGEST = 120;
const TORN = "…"; // at the end of a text that broke off

/** @type {Record<string, string>} of a US keyboard: without and with Shift */
const SIGNS = {
  Minus: "-_",
  Equal: "=+",
  BracketLeft: "[{",
  BracketRight: "]}",
  Semicolon: ";:",
  Quote: `'"`,
  Backquote: "`~",
  Backslash: "\\|",
  Comma: ",<",
  Period: ".>",
  Slash: "/?",
  Space: "  ",
  Tab: "\t\t",
  IntlBackslash: "<>",
  NumpadAdd: "++",
  NumpadSubtract: "--",
  NumpadMultiply: "**",
  NumpadDivide: "//",
  NumpadDecimal: "..",
};
const ABOVE_FIGURES = ")!@#$%^&*(";

/**
 * @typedef {{ key: string, code: string, shiftKey: boolean }} Stroke
 */

/**
 * The character of a key on a US keyboard, by where it is and not by what the layout makes of it: the
 * companion knows readers that are set to French. "" for Shift and the like.
 * @param {Stroke} stroke
 */
export function character({ code, key, shiftKey }) {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter) return letter;
  const figure = /^(Digit|Numpad)([0-9])$/.exec(code);
  if (figure) return figure[1] === "Digit" && shiftKey ? ABOVE_FIGURES[Number(figure[2])] : figure[2];
  const sign = SIGNS[code];
  if (sign) return sign[shiftKey ? 1 : 0];
  if (/^(?:Shift|Caps|Num|Control|Alt|Meta|AltGraph)/.test(code || key)) return "";
  return [...key].length === 1 ? key.toUpperCase() : "\ufffd";
}

/** Texts of one keyboard. A reader that has once ended one with Enter must always do so. */
export class Typist {
  text = "";
  /** @type {"" | "enter" | "tab"} */
  ends = "";
  last = 0;
  slowest = 0;

  /** True if these keys are so quick, or so many digits, that they may press nothing else on the page. */
  get isReader() {
    return this.text.length >= 2 && (this.slowest <= QUICK_MS || digits(this.text) >= FEWEST);
  }

  /**
   * Take in a key other than Enter, at a time in ms.
   * @param {Stroke} stroke
   * @param {number} at
   */
  key(stroke, at) {
    this.tick(at);
    const typed = character(stroke);
    if (!this.text && !typed.trim()) return;
    if (this.text.length <= LONGEST) this.text += typed;
  }

  /**
   * The text that ends with Enter; null if it is no reader's.
   * @param {number} at
   */
  enter(at) {
    this.tick(at);
    const whole = this.end(false);
    if (whole !== null) this.ends = "enter";
    return whole;
  }

  /** The text that ends because no key has come for GAP_MS; null if it is no reader's. */
  quiet() {
    const isTab = this.text.endsWith("\t");
    if (isTab && !this.ends && digits(this.text) >= FEWEST) this.ends = "tab";
    const isTorn = this.ends === "tab" ? !isTab : this.ends === "enter";
    return this.end(isTorn);
  }

  /** Forget the present text. */
  clear() {
    this.text = "";
    this.slowest = 0;
  }

  /** @param {number} at */
  tick(at) {
    if (this.text && at - this.last > GAP_MS) this.clear();
    if (this.text) this.slowest = Math.max(this.slowest, at - this.last);
    this.last = at;
  }

  /** @param {boolean} isTorn */
  end(isTorn) {
    const whole = this.text.trimEnd();
    this.clear();
    if (digits(whole) < FEWEST) return null;
    return isTorn ? whole + TORN : whole;
  }
}

/**
 * How many hex digits there are, in any layout.
 * @param {string} text
 */
const digits = text => text.replace(/[^0-9A-FQ!@#$%^&*()]/g, "").length;
