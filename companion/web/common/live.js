// The stream of the page: whole again by itself after sleep, lost Wi-Fi or a restart, without a reload.

import { every, maybe } from "./draw.js";

/** @type {Set<string>} */
const reported = new Set();

/**
 * Call `draw`, which draws this part of the page. If it fails, a small sign is shown, once, and the
 * companion hears of it.
 * @param {import("./trouble.js").Part} part
 * @param {() => unknown} draw
 */
export async function guard(part, draw) {
  try {
    await draw();
  } catch (error) {
    report(part, error);
  }
}

/**
 * @param {import("./trouble.js").Part} part
 * @param {unknown} error
 */
async function report(part, error) {
  console.error(error);
  if (reported.has(part)) return;
  reported.add(part);
  (await import("./trouble.js")).report(part, error);
}

addEventListener("error", ({ error, filename }) => {
  if (error && filename.startsWith(location.origin)) report("page", error); // a late ResizeObserver has none
});
addEventListener("unhandledrejection", ({ reason }) => {
  if (reason instanceof Error) report("page", reason);
});

const SILENT = 12_000;
const GRACE = 3_000;

/**
 * Call `show(view)` with every picture of the table; a bar says so when nothing was heard for 12 s.
 * Who else wants to see it hears the event `view` of the document, and `cheers` for those who watch. Gives
 * what opens the stream anew: it is for the device as the cookie named it when it was opened. Pages of one
 * browser that bring `sharing` share a stream: that is for the view that is the same for every device.
 * @template [T=View]
 * @param {(view: T) => void} show
 * @param {typeof import("./shared.js").sharing} [sharing]
 */
export function live(show, kind = "page", sharing) {
  const bar = document.getElementById("stale");
  /** @type {EventSource | null} */
  let source = null;
  let heard = Date.now();
  let broken = 0;
  let wait = 500;
  let again = 0;
  let opened = 0;
  let newest = "";

  /** @param {boolean} on */
  const stale = on => {
    if (bar) bar.hidden = !on;
    document.documentElement.toggleAttribute("data-stale", on);
  };
  /** @param {string} data */
  const tell = data => {
    const view = JSON.parse(data);
    guard("page", () => show(view));
    document.dispatchEvent(new CustomEvent("view", { detail: view }));
  };
  const alive = () => {
    heard = Date.now();
    broken = 0;
    wait = 500;
    stale(false);
  };
  const disconnect = () => {
    clearTimeout(again);
    source?.close();
    source = null;
  };

  /** What each event of the stream does, here or as another page passes it on. @param {string} type */
  const hear = (type, data = "") => {
    if (type === kind) {
      alive();
      newest = data;
      tell(data);
    } else if (type === "beat") {
      alive();
    } else {
      document.dispatchEvent(new CustomEvent("cheers", { detail: JSON.parse(data) }));
    }
  };

  function connect() {
    disconnect();
    opened = Date.now();
    source = new EventSource(`events?as=${kind}`);
    for (const type of [kind, "beat", "cheers"]) {
      source.addEventListener(type, ({ data }) => {
        hear(type, data);
        pages?.tell(type, data);
      });
    }
    source.onerror = () => {
      broken ||= Date.now();
      disconnect();
      again = setTimeout(connect, wait);
      wait = Math.min(wait * 2, 4_000);
    };
  }

  const pages = sharing?.(
    `${new URL("events", document.baseURI).pathname} ${document.documentElement.lang}`,
    {
      lead: connect,
      stop: disconnect,
      hear,
      broken: since => (broken = since ?? broken),
      last: () => (newest ? { type: kind, data: newest } : {}),
    },
  );
  const close = () => {
    disconnect();
    pages?.leave();
  };

  function open() {
    close();
    if (document.hidden) return;
    if (pages) pages.join();
    else connect();
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
    pages?.tick();
    const now = Date.now();
    const silent = now - heard > SILENT;
    if (silent || (broken && now - broken > GRACE)) stale(true);
    if (silent && source && now - opened > SILENT) open(); // looks open, says nothing: a dead connection
  }, 1_000);
  open(); // before the first view is drawn, so that the next ones come even if that fails
  const first = document.querySelector("script[data-view]"); // a page may bring its first picture itself
  if (first) tell(first.textContent);
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
