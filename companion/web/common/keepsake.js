// The result of a game as a picture: made a PNG here, then sent where the device can, else saved.
import { html, word } from "./draw.js";
import { tell } from "./send.js";

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
 */
export async function save(button, url, name) {
  if (!(button instanceof Element) || button.getAttribute("aria-busy") === "true") return;
  button.setAttribute("aria-busy", "true");
  try {
    await offer(await drawn(url, name));
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
 */
async function drawn(url, name) {
  const picture = new Image();
  picture.src = url;
  await picture.decode();
  const canvas = html("canvas", { width: picture.naturalWidth, height: picture.naturalHeight });
  canvas.getContext("2d")?.drawImage(picture, 0, 0);
  /** @type {Blob | null} */
  const made = await new Promise(done => {
    canvas.toBlob(done, "image/png");
  });
  return new File(made ? [made] : [], name, { type: "image/png" });
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
