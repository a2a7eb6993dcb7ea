// A first game: each step is explained once, under the big sentence.
import { $, h, maybe, picture as animal, render } from "../common/draw.js";
import { picture } from "../course/scene.js";
import { press } from "../common/send.js";
import "./stylesheet.js";

const box = $("#explain");
const pic = $(".explainpic", box);
/** @type {{ key: string, text: string, scene: SceneView | null } | null} */
let told = null;
let kind = "pig";

/**
 * Show what this view explains, if anything.
 * @param {View} view
 */
export function show(view) {
  const now = view.explain ?? null;
  told = now;
  box.hidden = !now;
  if (!now) return;
  kind = view.match?.animal ?? kind;
  render($("p", box), now.text, () => now.text);
  draw();
}

/** The picture that the rules have for it, else the animal. */
function draw() {
  const width = pic.clientWidth;
  const now = told;
  if (now && width) {
    render(pic, [now.key, now.scene, kind, width], () =>
      now.scene
        ? picture({ ...now.scene, cards: [], purse: null }, width)
        : h("div", { class: "explainanimal" }, animal(kind, "red", Math.min(120, width))),
    );
  }
}

new ResizeObserver(draw).observe(box);
maybe("[data-action=explained]", box)?.addEventListener(
  "click",
  e => told && press(e.currentTarget, "api/explain", { seen: told.key }),
);
maybe("[data-action=explain-off]", box)?.addEventListener("click", e =>
  press(e.currentTarget, "api/explain", { on: false }),
);
