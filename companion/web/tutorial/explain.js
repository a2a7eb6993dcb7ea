// A first game: each step is explained once, under the big sentence.
import { $, h, picture as animal, render } from "../common/draw.js";
import { picture } from "../course/scene.js";
import { press } from "../common/send.js";
import "./stylesheet.js";

const box = $("#explain");
const pic = $(".explainpic", box);
let told = null;
let kind = "pig";

/** Show what this view explains, if anything. */
export function show(view) {
  told = view.explain ?? null;
  box.hidden = !told;
  if (!told) return;
  kind = view.match.animal;
  render($("p", box), told.text, () => told.text);
  draw();
}

/** The picture that the rules have for it, else the animal. */
function draw() {
  const width = pic.clientWidth;
  if (told && width) {
    render(pic, [told.key, told.scene, kind, width], () =>
      told.scene
        ? picture({ ...told.scene, cards: [], purse: null }, width)
        : h("div", { class: "explainanimal" }, animal(kind, "red", Math.min(120, width))),
    );
  }
}

new ResizeObserver(draw).observe(box);
$("[data-action=explained]", box)?.addEventListener(
  "click",
  e => told && press(e.currentTarget, "/api/explain", { seen: told.key }),
);
$("[data-action=explain-off]", box)?.addEventListener("click", e =>
  press(e.currentTarget, "/api/explain", { on: false }),
);
