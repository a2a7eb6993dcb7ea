// What a page of the hub follows: a stream that a proxy keeps open, or the same asked for every second.

import { maybe } from "../common/draw.js";

const EACH = 1_000;
const AGAIN = 60_000; // until a stream that is not there is tried anew
const GRACE = 3_000;

/**
 * Call `show(body)` with what the stream tells and, whenever it was opened, with the whole that is asked for
 * at `whole`; without a stream the whole is asked for every second. A bar says so when nothing can be had.
 * @template T
 * @param {string} stream
 * @param {string} whole
 * @param {(body: T, isWhole: boolean) => void} show
 */
export function follow(stream, whole, show) {
  /** @type {EventSource | null} */
  let source = null;
  let timer = 0;
  let tried = 0;
  let lost = 0;
  let last = "";
  let asked = 0;

  /** @param {boolean} well */
  const heard = well => {
    lost = well ? 0 : lost || Date.now();
    const stale = !well && Date.now() - lost >= GRACE;
    const bar = maybe("#stale");
    if (bar) bar.hidden = !stale;
    document.documentElement.toggleAttribute("data-stale", stale);
  };

  async function ask() {
    const mine = ++asked;
    try {
      const answer = await fetch(whole, { cache: "no-cache" });
      if (!answer.ok) throw new Error(String(answer.status));
      const text = await answer.text();
      if (mine !== asked) return;
      heard(true);
      if (text !== last) show(JSON.parse(text), true);
      last = text;
    } catch {
      heard(false);
    }
  }

  async function poll() {
    clearTimeout(timer);
    if (document.hidden) return;
    if (Date.now() - tried > AGAIN) {
      open();
      return;
    }
    await ask();
    timer = setTimeout(poll, EACH);
  }

  function close() {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  function open() {
    close();
    tried = Date.now();
    const mine = new EventSource(stream);
    source = mine;
    mine.onopen = () => {
      last = "";
      ask();
    };
    mine.onmessage = ({ data }) => {
      heard(true);
      show(JSON.parse(data), false);
    };
    mine.onerror = () => {
      if (source !== mine) return;
      if (mine.readyState !== EventSource.CLOSED) {
        heard(false); // the browser opens it again by itself
        ask();
        return;
      }
      close();
      poll();
    };
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", event => {
    if (event.persisted) open();
  });
  open();
}
