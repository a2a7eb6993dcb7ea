// A button that gives the page the whole screen, where the browser can do that.
import { $ } from "./draw.js";

const page = document.documentElement;
const button = $("[data-action=fullscreen]");
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
}
