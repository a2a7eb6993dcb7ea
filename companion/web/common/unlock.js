// The PIN form: a device takes a role, then the page is rendered again with its buttons.
import { $, every } from "./draw.js";
import { onSubmit, press } from "./send.js";

/** @param {HTMLFormElement} form */
function ready(form) {
  onSubmit(form, async () => {
    /** @type {HTMLInputElement} */
    const field = $("[name=pin]", form);
    const pin = field.value.trim();
    if (!pin) return field.focus();
    if (!(await import("./cookies.js")).mayHold()) return;
    const { ok } = await press($("button[type=submit]", form), "api/unlock", {
      pin,
      role: form.dataset.unlock,
    });
    if (ok) {
      location.reload();
      return;
    }
    // someone may have chosen the PIN on another device since this page came
    const now = form.dataset.first ? await fresh(form) : form;
    $("[name=pin]", now).focus();
    /** @type {HTMLInputElement} */ ($("[name=pin]", now)).select();
  });
}

/**
 * Replace a form by what the companion asks now: to choose a PIN, or to enter the one that was chosen since.
 * @param {HTMLFormElement} form
 */
export async function fresh(form) {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return form;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  /** @type {HTMLFormElement | null} */
  const now = page.querySelector(`form[data-unlock="${form.dataset.unlock}"]`);
  if (!now || now.dataset.first === form.dataset.first) return form;
  const here = document.importNode(now, true);
  form.replaceWith(here);
  ready(here);
  return here;
}

for (const form of /** @type {HTMLFormElement[]} */ (every("form[data-unlock]"))) ready(form);
