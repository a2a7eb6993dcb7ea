// The PIN form: a device takes a role, then the page is rendered again with its buttons.
import { press } from "./send.js";

for (const form of document.querySelectorAll("form[data-unlock]")) {
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const pin = form.elements.pin.value.trim();
    if (!pin) return form.elements.pin.focus();
    const { ok } = await press(form.querySelector("button[type=submit]"), "/api/unlock", {
      pin,
      role: form.dataset.unlock,
    });
    if (ok) location.reload();
    else form.elements.pin.select();
  });
}
