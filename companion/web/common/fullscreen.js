// A button that gives the page the whole screen, where the browser can do that.
import { $ } from "./draw.js";

const page = document.documentElement;
const button = $("[data-action=fullscreen]");
/** A page that only shows has no other button: this one goes after a while, and comes back with a touch. */
const LEAVES = 6_000;
/** From the home screen the page has all of it already. */
const isApp = matchMedia("(display-mode: fullscreen), (display-mode: standalone)").matches;
if (!isApp && page.requestFullscreen) {
  const show = () => {
    button.hidden = !!document.fullscreenElement;
  };
  // Safari on an iPad has it from Safari 16.4 on, an iPhone never
  button.addEventListener("click", () => page.requestFullscreen().catch(() => (button.hidden = true)));
  document.addEventListener("fullscreenchange", show);
  show();
  if (button.dataset.leaves !== undefined) {
    let timer = 0;
    const stay = () => {
      show();
      clearTimeout(timer);
      timer = setTimeout(() => (button.hidden = true), LEAVES);
    };
    for (const touched of ["pointermove", "pointerdown", "keydown"]) addEventListener(touched, stay);
    stay();
  }
}
