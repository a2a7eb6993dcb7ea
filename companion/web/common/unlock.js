// The PIN form: a device takes a role, then the page is rendered again with its buttons.
import { $, every } from "./draw.js";
import { mayHold } from "./cookies.js";
import { onSubmit, press } from "./send.js";

for (const form of /** @type {HTMLFormElement[]} */ (every("form[data-unlock]"))) {
  onSubmit(form, async () => {
    /** @type {HTMLInputElement} */
    const field = $("[name=pin]", form);
    const pin = field.value.trim();
    if (!pin) return field.focus();
    if (!mayHold()) return;
    const { ok } = await press($("button[type=submit]", form), "api/unlock", {
      pin,
      role: form.dataset.unlock,
    });
    if (ok) location.reload();
    else field.select();
  });
}
