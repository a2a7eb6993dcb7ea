// Reports a part of the page that could not be drawn. Loaded with the first one.
import { h, make, maybe, patch } from "./draw.js";
import { send } from "./send.js";
import { whereOf } from "./stack.js";

/**
 * What a page has; see diagnostics/screens.py.
 * @typedef {"page" | "sentence" | "course" | "standings" | "odds" | "story" | "panels"
 *   | "hand" | "board"} Part
 */

/**
 * Tell the companion, and show what it says in a small sign.
 * @param {Part} part
 * @param {unknown} error
 */
export async function report(part, error) {
  const page = location.pathname.split("/").pop() ?? "";
  const { ok, data } = await send(
    "api/trouble",
    { page: /^[a-z-]{0,20}$/.test(page) ? page : "", part, where: whereOf(error) },
    { quiet: true },
  );
  let box = maybe("#trouble");
  if (!box) {
    box = make(h("p.too-old.trouble", { id: "trouble", role: "status" }));
    document.body.append(box);
  }
  patch(box, h("a", { href: "plain" }, `⚠ ${ok ? data.text : ""} /plain`));
}
