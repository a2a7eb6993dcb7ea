// The settings of this table that an owner may change: its parts, and whether it speaks.
import { $, maybe } from "../common/draw.js";
import { onSubmit, press } from "../common/send.js";

/** @param {HTMLFormElement} form */
async function keep(form) {
  const fields = new FormData(form);
  const settings = {
    pad: fields.get("pad"),
    track: fields.get("track"),
    spaces: Number(fields.get("spaces")),
    panel: fields.has("panel"),
    voice: fields.has("voice"),
    language: fields.get("language"),
  };
  const { ok } = await press($("button", form), "api/machine", settings, { method: "PUT" });
  if (ok) $("[data-restart]", form).removeAttribute("hidden");
}

/** @type {HTMLFormElement | null} */
const entered = maybe("[data-machine]");
if (entered) onSubmit(entered, () => keep(entered));
