// The table page as a stage: turned to any side of the table, and enlarged on a big screen.
import { recall, remember } from "../common/remember.js";

const KEY = "turn";
let turn = (Number(recall(KEY)) || 0) % 4;

/**
 * How a window of `w` × `h` shows the stage: its size before it is turned and enlarged by `scale`.
 * @param {number} w
 * @param {number} h
 * @param {number} quarters
 */
export function fitted(w, h, quarters) {
  const flat = quarters % 2;
  const [across, down] = flat ? [h, w] : [w, h];
  const wide = across >= down;
  const [bw, bh] = wide ? [1280, 800] : [800, 1280];
  const [sw, sh] = wide ? [1000, 690] : [740, 1080];
  const scale =
    across >= bw && down >= bh ? Math.min(across / bw, down / bh) : Math.min(1, across / sw, down / sh);
  return { width: across / scale, height: down / scale, scale };
}

/** @param {HTMLElement} stage */
export function fitStage(stage) {
  // the page's padding is what a phone's notch takes
  const edge = getComputedStyle(document.body);
  const [top, right, bottom, left] = [
    edge.paddingTop,
    edge.paddingRight,
    edge.paddingBottom,
    edge.paddingLeft,
  ].map(parseFloat);
  const [wide, high] = [innerWidth - left - right, innerHeight - top - bottom];
  const { width, height, scale } = fitted(wide, high, turn);
  stage.style.left = `${left + wide / 2}px`;
  stage.style.top = `${top + high / 2}px`;
  stage.style.width = `${width}px`;
  stage.style.height = `${height}px`;
  // what a container query would know: the stage may be turned and enlarged
  stage.style.setProperty("--stage-w", `${width}px`);
  stage.style.setProperty("--stage-h", `${height}px`);
  const [small, upright] = [width <= 1150, width <= height];
  const states = {
    "stage-small": small,
    "stage-large": !small,
    "stage-upright": upright,
    "stage-landscape": width >= height,
    "stage-small-landscape": small && width >= height,
    "stage-large-landscape": !small && width >= height,
  };
  for (const [name, is] of Object.entries(states)) stage.classList.toggle(name, is);
  stage.style.transform = `translate(-50%,-50%) rotate(${turn * 90}deg) scale(${scale})`;
  stage.dataset.turn = String(turn * 90);
}

/**
 * Turn by so many quarters, clockwise: after one, it is upright for the left side of the table.
 * @param {HTMLElement} stage
 * @param {number} quarters
 */
export function turnStage(stage, quarters) {
  turn = (turn + quarters) % 4;
  remember(KEY, String(turn));
  fitStage(stage);
}
