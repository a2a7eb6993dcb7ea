// One part of a page that cannot be drawn leaves the others as they are.

/** @type {Set<string>} */
const broken = new Set();

/**
 * Call `draw`, which draws this part of the page. If it fails, a small sign is shown, once, and the
 * companion hears of it.
 * @param {import("./trouble.js").Part} part
 * @param {() => unknown} draw
 */
export async function guard(part, draw) {
  try {
    await draw();
  } catch (error) {
    report(part, error);
  }
}

/**
 * @param {import("./trouble.js").Part} part
 * @param {unknown} error
 */
async function report(part, error) {
  console.error(error);
  if (broken.has(part)) return;
  broken.add(part);
  (await import("./trouble.js")).report(part, error);
}

addEventListener("error", ({ error, filename }) => {
  if (filename.startsWith(location.origin)) report("page", error);
});
addEventListener("unhandledrejection", ({ reason }) => {
  if (reason instanceof Error) report("page", reason);
});
