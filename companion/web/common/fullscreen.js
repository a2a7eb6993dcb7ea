// A button that gives the page the whole screen, where the browser can do that.

/**
 * Show the button, and go to full screen with it. From the home screen the page has all of it already.
 * @param {HTMLElement} button
 */
export function offerFullScreen(button) {
  const page = document.documentElement;
  const isApp = matchMedia("(display-mode: fullscreen), (display-mode: standalone)").matches;
  if (isApp || !page.requestFullscreen) return;
  const show = () => {
    button.hidden = !!document.fullscreenElement;
  };
  // Safari on an iPad has it from Safari 16.4 on, an iPhone never
  button.addEventListener("click", () => page.requestFullscreen().catch(() => (button.hidden = true)));
  document.addEventListener("fullscreenchange", show);
  show();
}
