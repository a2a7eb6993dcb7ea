// The table page as a stage: turned to any side of the table, and enlarged on a big screen.
const KEY = "turn";
let turn = 0;
try {
  turn = (+localStorage.getItem(KEY) || 0) % 4;
} catch {
  /* private mode */
}

export function fitStage(stage) {
  const flat = turn % 2;
  const w = flat ? innerHeight : innerWidth;
  const h = flat ? innerWidth : innerHeight;
  const wide = w >= h;
  const [bw, bh] = wide ? [1280, 800] : [800, 1280];
  const [sw, sh] = wide ? [1000, 690] : [740, 1080];
  const k = w >= bw && h >= bh ? Math.min(w / bw, h / bh) : Math.min(1, w / sw, h / sh);
  stage.style.width = `${w / k}px`;
  stage.style.height = `${h / k}px`;
  stage.style.transform = `translate(-50%,-50%) rotate(${turn * 90}deg) scale(${k})`;
  stage.dataset.turn = turn * 90;
}

/** Turn by so many quarters, clockwise: whoever sits on the left side of the table sees it upright after one.
 */
export function turnStage(stage, quarters) {
  turn = (turn + quarters) % 4;
  try {
    localStorage.setItem(KEY, turn);
  } catch {
    /* private mode */
  }
  fitStage(stage);
}
