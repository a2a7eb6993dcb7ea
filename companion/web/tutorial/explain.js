// A first game: each step is explained once, under the big sentence.
import { $, draw as drawn, h, maybe, patch, picture as animal } from "../common/draw.js";
import { picture } from "../course/scene.js";
import { press } from "../common/send.js";
import "./style.js";

const box = $("#explain");
const pic = $(".explainpic", box);
/** @type {{ key: string, text: string, scene: SceneView | null } | null} */
let explanation = null;
let kind = "pig";

/**
 * Show what this view explains, if anything.
 * @param {View} view
 */
export function show(view) {
  const now = view.explain ?? null;
  explanation = now;
  box.hidden = !now;
  box.parentElement?.classList.toggle("explaining", !!now);
  if (!now) return;
  kind = view.match?.animal ?? kind;
  patch($("p", box), now.text);
  draw();
}

/** The picture that the rules have for it, else the animal. */
function draw() {
  const width = pic.clientWidth;
  const now = explanation;
  if (now && width) {
    drawn(pic, drawing, now.scene, kind, width);
  }
}

/**
 * @param {SceneView | null} scene
 * @param {string} of
 * @param {number} width
 */
const drawing = (scene, of, width) =>
  scene
    ? picture({ ...scene, cards: [], purse: null }, width)
    : h("div.explainanimal", animal(of, "red", Math.min(120, width)));

new ResizeObserver(draw).observe(box);
maybe("[data-action=explained]", box)?.addEventListener(
  "click",
  e => explanation && press(e.currentTarget, "api/explain", { seen: explanation.key }),
);
maybe("[data-action=explain-off]", box)?.addEventListener("click", e =>
  press(e.currentTarget, "api/explain", { on: false }),
);
