// The form of a new game as one question a screen, with a way back, and how far it is.
import { $, every, word } from "../common/draw.js";
import { recall, remember } from "../common/remember.js";

const STORAGE_KEY = "new-game-by-question";

/** How this device asked last: question by question, all at once, or nothing yet (null). */
const storedMode = () => recall(STORAGE_KEY);

/**
 * Ask the form's questions, those that `isAsked` says of this game, one after the other, unless this device
 * asked all at once last. Return `draw()`, which draws the form again, `onward(button)`, which
 * goes on to the next question where that was pressed, and `begun()`, which starts with the first one again.
 * @param {HTMLFormElement} form
 * @param {{ from: number, isAsked: (question: string) => boolean,
 *   isAnswered: () => boolean }} of
 */
export function questions(form, { from, isAsked, isAnswered }) {
  const box = /** @type {HTMLElement} */ (form.parentElement);
  const title = $("#new-title");
  const [back, next, start] = ["question-back", "question-next", "start"].map(
    name => /** @type {HTMLButtonElement} */ ($(`[data-action=${name}]`, form)),
  );
  let byQuestion = storedMode() !== "no";
  let at = from;
  let touched = false;
  const askedFields = () => every("[data-question]", form).filter(one => isAsked(one.dataset.question ?? ""));

  function draw() {
    const all = askedFields();
    at = Math.max(0, Math.min(at, all.length - 1));
    const last = at === all.length - 1;
    box.classList.toggle("asked", byQuestion);
    box.classList.toggle("at-first", byQuestion && at === 0);
    for (const one of every("[data-question]", form)) {
      one.hidden = byQuestion ? one !== all[at] : "only" in one.dataset;
    }
    $("b", title).textContent = (byQuestion && all[at].dataset.asks) || word("new game");
    $("em", title).textContent = byQuestion ? word("question of", { n: at + 1, of: all.length }) : "";
    back.hidden = !byQuestion || at === 0;
    next.hidden = !byQuestion || last;
    next.disabled = next.hidden; // else Enter would press it
    start.classList.toggle("go", !byQuestion || last);
    markMain();
    $("[data-label]", start).textContent = word(byQuestion && !last ? "start now" : "start");
    const other = $("[data-action=by-question]", box);
    other.textContent = word(byQuestion ? "all at once" : "by question");
  }

  /** A page has one main button: the same game for the same people, where that is offered. */
  function markMain() {
    const same = byQuestion && at === 0 && box.classList.contains("repeat");
    for (const button of every("[data-action=again]")) button.classList.toggle("go", same);
    next.classList.toggle("go", !same);
  }

  /** @param {number} to */
  function go(to) {
    at = to;
    draw();
    title.focus({ preventScroll: true });
    box.scrollIntoView();
  }

  back.addEventListener("click", () => go(at - 1));
  $("[data-action=by-question]", box).addEventListener("click", () => {
    byQuestion = !byQuestion;
    remember(STORAGE_KEY, byQuestion ? "yes" : "no");
    go(0);
  });
  // a game that is touched is chosen: keys, which only move among the games, go on by the button
  form.addEventListener("pointerdown", event => {
    touched = event.target instanceof Element && !!event.target.closest("[data-question=game] .tile");
  });
  form.addEventListener("click", event => {
    if (!touched || !byQuestion || !(event.target instanceof HTMLInputElement)) return;
    touched = false;
    if (askedFields()[at].dataset.question === "game") go(at + 1);
  });

  /**
   * Whether this button went on to the next question.
   * @param {HTMLElement | null} button
   */
  function onward(button) {
    if (button !== next) return false;
    if (isAnswered()) go(at + 1);
    return true;
  }

  draw();
  return {
    draw,
    onward,
    begun: () => {
      at = 0;
      draw();
    },
    at: () => (byQuestion ? at : 0),
  };
}
