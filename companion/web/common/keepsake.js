// The result of a game as a picture: made a PNG here, then sent where the device can, else saved.
import { html, word } from "./draw.js";
import { tell } from "./send.js";

const PHOTO = 2 / 3; // how high a photo is, of its width

/**
 * Offer the picture of this game.
 * @param {EventTarget | null} button
 * @param {number | string} number
 */
export const keep = (button, number) => save(button, `paper/matches/${number}.svg`, `race-${number}.png`);

/**
 * Offer a picture; while it is being made, the button that was touched is not touched again.
 * @param {EventTarget | null} button
 * @param {string} url
 * @param {string} name
 * @param {ImageBitmap | null} [photo] is put over it
 */
export async function save(button, url, name, photo = null) {
  if (!(button instanceof Element) || button.getAttribute("aria-busy") === "true") return;
  button.setAttribute("aria-busy", "true");
  try {
    await offer(await drawn(url, name, photo));
  } catch {
    tell(word("failed"));
  } finally {
    button.removeAttribute("aria-busy");
  }
}

/**
 * What the companion draws, as a file that every device shows.
 * @param {string} url
 * @param {string} name
 * @param {ImageBitmap | null} photo
 */
async function drawn(url, name, photo) {
  const picture = new Image();
  picture.src = url;
  await picture.decode();
  const { naturalWidth: width, naturalHeight: height } = picture;
  const above = photo ? Math.round(PHOTO * width) : 0;
  const canvas = html("canvas", { width, height: height + above });
  if (photo) cover(canvas, photo, above);
  canvas.getContext("2d")?.drawImage(picture, 0, above);
  /** @type {Blob | null} */
  const made = await new Promise(done => {
    canvas.toBlob(done, "image/png");
  });
  return new File(made ? [made] : [], name, { type: "image/png" });
}

/**
 * Draw the middle of a photo over the whole width of a canvas, down to `high`.
 * @param {HTMLCanvasElement} canvas
 * @param {ImageBitmap} photo
 * @param {number} [high]
 */
export function cover(canvas, photo, high = canvas.height) {
  const scale = Math.max(canvas.width / photo.width, high / photo.height);
  const [wide, tall] = [canvas.width / scale, high / scale];
  const [x, y] = [(photo.width - wide) / 2, (photo.height - tall) / 2];
  canvas.getContext("2d")?.drawImage(photo, x, y, wide, tall, 0, 0, canvas.width, high);
}

/** @param {File} file */
async function offer(file) {
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file] });
      return;
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return; // thought better of it
    }
  }
  const url = URL.createObjectURL(file);
  html("a", { href: url, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
