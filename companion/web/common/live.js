// The stream of the page: whole again by itself after sleep, lost Wi-Fi or a restart, without a reload.

import { every, maybe } from "./draw.js";

const SILENT = 12_000;
const GRACE = 3_000;

/**
 * Call `show(view)` with every picture of the table; a bar says so when nothing was heard for 12 s.
 * Who else wants to see it hears the event `view` of the document, and `cheers` for those who watch. Gives
 * what opens the stream anew: it is for the device as the cookie named it when it was opened.
 * @template [T=View]
 * @param {(view: T) => void} show
 */
export function live(show, kind = "page") {
  const bar = document.getElementById("stale");
  /** @type {EventSource | null} */
  let source = null;
  let heard = Date.now();
  let broken = 0;
  let wait = 500;
  let again = 0;
  let opened = 0;

  /** @param {boolean} on */
  const stale = on => {
    if (bar) bar.hidden = !on;
    document.documentElement.toggleAttribute("data-stale", on);
  };
  /** @param {string} data */
  const tell = data => {
    const view = JSON.parse(data);
    show(view);
    document.dispatchEvent(new CustomEvent("view", { detail: view }));
  };
  const alive = () => {
    heard = Date.now();
    broken = 0;
    wait = 500;
    stale(false);
  };
  const close = () => {
    clearTimeout(again);
    source?.close();
    source = null;
  };

  function open() {
    close();
    if (document.hidden) return;
    opened = Date.now();
    source = new EventSource(`events?as=${kind}`);
    source.addEventListener(kind, event => {
      alive();
      tell(event.data);
    });
    source.addEventListener("beat", alive);
    source.addEventListener("cheers", ({ data }) =>
      document.dispatchEvent(new CustomEvent("cheers", { detail: JSON.parse(data) })),
    );
    source.onerror = () => {
      broken ||= Date.now();
      close();
      again = setTimeout(open, wait);
      wait = Math.min(wait * 2, 4_000);
    };
  }

  const wake = () => {
    if (!document.hidden) {
      heard = Math.max(heard, Date.now() - SILENT + GRACE);
      open();
    }
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : wake()));
  addEventListener("pageshow", event => {
    if (event.persisted) wake();
  });
  addEventListener("online", wake);
  addEventListener("pagehide", close);
  setInterval(() => {
    if (document.hidden) return;
    const now = Date.now();
    const silent = now - heard > SILENT;
    if (silent || (broken && now - broken > GRACE)) stale(true);
    if (silent && source && now - opened > SILENT) open(); // looks open, says nothing: a dead connection
  }, 1_000);
  const first = document.querySelector("script[data-view]"); // a page may bring its first picture itself
  if (first) tell(first.textContent);
  open();
  return open;
}

/* What only some pages need is loaded on first use: the focus for keys, explanations of a first game, the
   rules over the table. */
/** What had the focus last before the script for keys was there. @type {EventTarget | null} */
let focusedLast = null;
/** @param {FocusEvent} event */
const note = event => {
  focusedLast = event.target;
};
addEventListener(
  "keydown",
  async () => {
    focusedLast = document.activeElement;
    addEventListener("focusin", note);
    const keys = await import("./keys.js");
    removeEventListener("focusin", note);
    keys.begin(focusedLast);
  },
  { once: true },
);
/** @param {string} selector */
const rules = maybe("[data-action=rules]");
/** @type {Promise<typeof import("../tutorial/explain.js")> | null} */
let explain = null;
rules?.addEventListener("click", async () => (await import("../rules/rules-box.js")).open(rules));
document.addEventListener("view", async ({ detail: view }) => {
  const game = view.match?.game ?? "";
  for (const link of /** @type {HTMLAnchorElement[]} */ (every("[data-rules]"))) link.href = `rules/${game}`;
  if (rules) {
    rules.hidden = !game;
    rules.dataset.game = game;
  }
  if (!game) maybe("#rulesbox")?.remove();
  if (view.explain && maybe("#explain")) explain ??= import("../tutorial/explain.js");
  (await explain)?.show(view);
});
