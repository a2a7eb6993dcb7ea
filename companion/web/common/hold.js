// A bar that lifts a cover: while it is held; held for a second, until it is pressed again or left alone for
// fifteen. The finger that holds it may slide to what it chooses: let go there, it chooses, all stays open.
const LATCH = 1_000;
const ALONE = 15_000;

/**
 * `open()` lifts the cover of `box`, `shut()` lets it fall, `stay()` says that it stays open, `enter()` takes
 * the focus there if keys were used. Gives a way to let it fall.
 * @param {HTMLElement} bar
 * @param {HTMLElement} box
 * @param {{ open: () => void, stay: () => void, shut: () => void, enter: () => void }} of
 */
export function hold(bar, box, { open, stay, shut, enter }) {
  let state = "shut";
  let latch = 0;
  let alone = 0;

  function lift() {
    state = "peek";
    bar.setAttribute("aria-expanded", "true");
    open();
    latch = setTimeout(keep, LATCH);
  }
  function keep() {
    clearTimeout(latch);
    state = "open";
    touched();
    stay();
  }
  function fall() {
    clearTimeout(latch);
    clearTimeout(alone);
    if (state === "shut") return;
    state = "shut";
    bar.setAttribute("aria-expanded", "false");
    shut();
  }
  function touched() {
    clearTimeout(alone);
    if (state === "open") alone = setTimeout(fall, ALONE);
  }
  function down() {
    if (state === "shut") lift();
    else if (state === "open") state = "closing";
  }
  const up = () => {
    if (state === "peek" || state === "closing") fall();
  };
  /** @param {PointerEvent} event */
  const slid = ({ clientX, clientY }) => {
    const under = document.elementFromPoint(clientX, clientY)?.closest("[data-choice]");
    if (state === "shut" || !(under instanceof HTMLElement) || !box.contains(under)) return;
    keep();
    under.click();
  };

  bar.addEventListener("pointerdown", event => {
    if (event.button) return;
    bar.setPointerCapture(event.pointerId);
    down();
  });
  bar.addEventListener("pointerup", slid);
  for (const kind of ["pointerup", "pointercancel"]) bar.addEventListener(kind, up);
  // else a fast slide goes on as a fling, and Chromium takes the next tap for what stops that
  bar.addEventListener("touchmove", event => event.preventDefault(), { passive: false });
  bar.addEventListener("contextmenu", event => event.preventDefault()); // a long press of Android
  bar.addEventListener("keydown", event => {
    if (event.key !== " ") return;
    event.preventDefault();
    if (!event.repeat) down();
  });
  document.addEventListener("keyup", event => {
    if (event.key !== " ") return;
    if (event.target === bar) {
      event.preventDefault();
      if (state === "open") enter();
    }
    up();
  });
  bar.addEventListener("click", event => {
    if (event.detail) return; // Enter, or a screen reader, cannot hold
    if (state === "shut") {
      lift();
      keep();
      enter();
    } else {
      fall();
    }
  });
  document.addEventListener("keydown", event => {
    if (event.key === "Escape") fall();
  });
  for (const kind of ["pointerdown", "keydown", "scroll"]) {
    document.addEventListener(kind, touched, { capture: true, passive: true });
  }
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) fall();
  });
  for (const kind of ["blur", "pagehide"]) addEventListener(kind, fall);
  return fall;
}
