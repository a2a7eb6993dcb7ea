// The Wi-Fi of the house, entered once by the host.
import { $, maybe } from "../common/draw.js";
import { onSubmit, press } from "../common/send.js";

/** @param {HTMLFormElement} form */
async function keep(form) {
  const fields = new FormData(form);
  const name = String(fields.get("name")).trim();
  const { ok } = await press(
    $("button", form),
    "api/wifi",
    { name, password: fields.get("password") },
    { method: "PUT" },
  );
  if (!ok) return;
  $("[data-wifi-name]").textContent = name;
  form.closest("details")?.removeAttribute("open");
}

/** @type {HTMLFormElement | null} */
const entered = maybe("[data-wifi]");
if (entered) onSubmit(entered, () => keep(entered));
