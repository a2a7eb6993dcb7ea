// The NFC of an Android tablet or phone as a reader (https://w3c.github.io/web-nfc/): a tag's serial number
// is the UID of its card. Only over https. Loaded by reader.js where the browser has it.
import { $, html, word } from "../common/draw.js";
import { tell } from "../common/send.js";

/**
 * Call `take` with the UID of every card that is held to the device: at once where that was allowed before,
 * else after a touch of the button, since a browser asks the person.
 * @param {(text: string) => void} take
 */
export async function begin(take) {
  const button = html("button.nfc", { type: "button", "aria-label": word("nfc"), title: word("nfc") }, "NFC");
  const scan = async () => {
    const reader = new NDEFReader(); // reader.js has asked for it: Chromium 89 on Android
    reader.addEventListener("reading", event => take(/** @type {NfcReading} */ (event).serialNumber));
    reader.addEventListener("readingerror", () => tell(word("nfc cannot")));
    try {
      await reader.scan(); // Chromium 89 on Android, too
      button.remove();
    } catch (error) {
      // NotAllowedError: the person said no. NotReadableError: NFC is off in the device's own settings
      tell(word(error instanceof DOMException && error.name === "NotAllowedError" ? "nfc no" : "nfc off"));
    }
  };
  button.addEventListener("click", scan);
  $(".corner").prepend(button);
  const asked = await navigator.permissions?.query({ name: /** @type {PermissionName} */ ("nfc") });
  if (asked?.state === "granted") scan();
}
