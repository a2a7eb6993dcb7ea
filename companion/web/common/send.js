// Requests to the companion. What is refused is said to the person, in the companion's own words.
import { $, word } from "./draw.js";

let timer = 0;
export function tell(text, tone = "refused") {
  const toast = $("#toast");
  if (!toast) return;
  toast.textContent = text;
  toast.dataset.tone = tone;
  toast.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => {
    toast.hidden = true;
  }, 6_000);
}
document.addEventListener("click", event => {
  if (event.target.id === "toast") event.target.hidden = true;
});

/** Send a JSON body; gives {ok, data}, and has told the reason when it was refused. */
export async function send(url, body = {}, { method = "POST", quiet = false } = {}) {
  let answer;
  let data = {};
  try {
    answer = await fetch(url, {
      method,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    data = await answer.json().catch(() => ({}));
  } catch {
    if (!quiet) tell(word("offline"));
    return { ok: false, data };
  }
  if (!answer.ok && !quiet) tell(data.reason || word("failed"));
  return { ok: answer.ok, status: answer.status, data };
}

/** What the companion answers to a GET, as JSON; null where it cannot be had now. */
export async function getJson(url) {
  const answer = await fetch(url).catch(() => null);
  return answer?.ok ? answer.json().catch(() => null) : null;
}

/** Send for a button: it is not pressed twice while the answer is on its way. */
export async function press(button, url, body, options) {
  if (button.getAttribute("aria-busy") === "true") return { ok: false };
  button.setAttribute("aria-busy", "true");
  const result = await send(url, body, options);
  button.removeAttribute("aria-busy");
  if (result.ok) {
    const toast = $("#toast");
    if (toast) toast.hidden = true;
  }
  return result;
}
