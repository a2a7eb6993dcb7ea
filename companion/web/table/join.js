// How a phone joins: large QR codes, the one of the Wi-Fi first, then the one of the page.
import { $, h, patch, word } from "../common/draw.js";
import { codeOf } from "../common/panels.js";
import { getJson } from "../common/send.js";

const door = $("#joining");
const steps = $("#joining-steps");
const close = $("[data-action=close-joining]");
/** @type {HTMLElement | null} */
let opener = null;

/** @type {string | undefined} */
let shown;

/** @param {string} page */
const addressOf = page => new URL(page, document.baseURI).href;

/** @param {string} url */
const written = url => url.replace("http://", "");

/**
 * What can be typed: by name, where the table has one, and by address.
 * @param {string} url
 * @param {{ home: string | null } | null} known
 */
const typed = (url, known) => (known?.home ? [known.home + new URL(url).pathname, url] : [url]).map(written);

/**
 * Where a phone goes now: to a seat where seats have secrets, else to watch; without a game, to choose one.
 * @param {View | undefined} view
 * @param {JoinCode | null} known
 */
function goal(view, known) {
  if (!view?.match) return { to: "host", url: addressOf("host"), title: word("join host") };
  if (known && view.seatJoin) {
    return { to: "seat", url: known.url.split("?")[0], code: known.code, title: word("join seat") };
  }
  return { to: "watch", url: addressOf(view.join?.url ?? "watch"), title: word("join watch") };
}

/** @param {{ to: string, title: string, lines: string[], qr: string }} of */
const step = ({ to, title, lines, qr }) =>
  h(
    "li",
    h("h3", title),
    h("img.qr", { src: `${qr}&to=${to}`, alt: "", width: 270, height: 270 }),
    ...lines.map(line => h("p", { "data-code": "" }, line)),
  );

/** @param {View | undefined} view */
async function open(view) {
  const known = await getJson("api/join");
  const page = goal(view, known);
  const qr = codeOf(view);
  shown = view?.join?.url;
  const lines = typed(page.url, known).map(url =>
    page.code ? word("join code", { url, code: page.code }) : word("join url", { url }),
  );
  patch(
    steps,
    [known?.wifi && { to: "wifi", title: word("join wifi"), lines: [known.wifi] }, { ...page, lines }]
      .filter(Boolean)
      .map(one => step({ ...one, qr })),
  );
  door.hidden = false;
  close.focus();
}

function shut() {
  if (door.hidden) return;
  door.hidden = true;
  opener?.focus();
}

/**
 * Show how, for what the page shows now; `button` gets the focus back.
 * @param {HTMLElement} button
 * @param {View | undefined} view
 */
export function join(button, view) {
  opener = button;
  return open(view);
}

// the machine has another address by now
document.addEventListener("view", event => {
  if (!door.hidden && event.detail.join?.url !== shown) open(event.detail);
});
close.addEventListener("click", shut);
door.addEventListener("click", event => {
  if (event.target === door) shut();
});
door.addEventListener("keydown", event => {
  if (event.key === "Escape") shut();
  if (event.key === "Tab") {
    event.preventDefault();
    close.focus();
  } // there is nothing else to go to
});
