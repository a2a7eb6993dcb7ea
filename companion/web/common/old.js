// In ES5, so that any browser can run it: where the page cannot work, it shows the way to the plain page.
(function () {
  var lead = function () {
    var bar = document.getElementById("too-old");
    if (bar) bar.removeAttribute("hidden");
  };
  // what Chromium 87, Safari 15.4 and Firefox 115 have, and what is older has not; see docs/browsers.md
  var works =
    window.CSS && CSS.supports && CSS.supports("inset", "0") && CSS.supports("selector(:focus-visible)");
  window.addEventListener("load", function () {
    if (!works) return lead();
    // a script that did not come, or failed, leaves the page as it was sent
    window.setTimeout(function () {
      if (!document.documentElement.hasAttribute("data-runs")) lead();
    }, 5000);
  });
})();
