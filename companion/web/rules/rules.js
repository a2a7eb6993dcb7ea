// The rules: their pictures, drawn as wide as the page is, and the way back.
import { fit, panelTable } from "../common/boards.js";
import { $, every, maybe, patch, withAttributes } from "../common/draw.js";
import { picture } from "../course/scene.js";

const scenes = every("[data-scene]").map(el => ({
  el,
  scene: /** @type {SceneView} */ (JSON.parse(el.dataset.scene ?? "")),
  width: 0,
}));
const tables = every("[data-draw]");
for (const el of tables) {
  // its heading is enough: a page of pictures is not one of landmarks
  patch(el, withAttributes(panelTable(JSON.parse(el.dataset.draw ?? "")), { "aria-label": null }));
}

function draw() {
  for (const one of scenes) {
    const width = Math.min(one.el.clientWidth, one.scene.course.stretch ? 640 : 900);
    if (width < 120 || width === one.width) continue;
    one.width = width;
    patch(one.el, picture(one.scene, width));
  }
  for (const el of tables) fit(el);
}

new ResizeObserver(draw).observe(document.body);
draw();

// opened over the table page
document.documentElement.toggleAttribute("data-inside", window !== window.parent);
const back = $("[data-action=back]");
if (back && document.referrer.startsWith(`${location.origin}/`)) {
  back.hidden = false;
  back.addEventListener("click", () => history.back());
}
maybe("[data-action=print]")?.addEventListener("click", () => print());
