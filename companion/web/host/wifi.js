// The Wi-Fi of the house, entered once by the host.
import { $ } from "../common/draw.js";
import { press } from "../common/send.js";

const form = $("[data-wifi]");

form?.addEventListener("submit", async event => {
  event.preventDefault();
  const { name, password } = Object.fromEntries(new FormData(form));
  const { ok } = await press(
    $("button", form),
    "/api/wifi",
    { name: name.trim(), password },
    { method: "PUT" },
  );
  if (!ok) return;
  $("[data-wifi-name]").textContent = name.trim();
  form.closest("details").open = false;
});
