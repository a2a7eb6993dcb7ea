// Requests to the companion. What is refused is said to the person, in the companion's own words.
import { every, maybe, touched, word } from "./draw.js";

let timer = 0;
/** @param {string} text */
export function tell(text, tone = "refused") {
  const toast = maybe("#toast");
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
  const toast = touched(event, "#toast");
  if (toast) toast.hidden = true;
});

/**
 * Send a JSON body; return {ok, data}. A refusal has already shown its reason.
 * @param {string} url
 * @param {object} [body]
 * @param {{ method?: string, quiet?: boolean }} [of]
 */
export async function send(url, body = {}, { method = "POST", quiet = false } = {}) {
  let answer;
  /** @type {Answer} */
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
    return { ok: false, status: 0, data };
  }
  if (!answer.ok && !quiet) tell(data.reason || word("failed"));
  return { ok: answer.ok, status: answer.status, data };
}

/**
 * What the companion answers to a GET, as JSON; null where it cannot be had now.
 * @param {string} url
 */
export async function getJson(url) {
  const answer = await fetch(url).catch(() => null);
  return answer?.ok ? answer.json().catch(() => null) : null;
}

/**
 * What each button has sent that is not answered yet.
 * @type {WeakMap<Element, string>}
 */
const sending = new WeakMap();

/**
 * Send for a button: the same is not sent twice while the answer is on its way.
 * @param {EventTarget | null} button
 * @param {string} url
 * @param {object} [body]
 * @param {{ method?: string, quiet?: boolean }} [options]
 */
export async function press(button, url, body, options) {
  const what = JSON.stringify([url, body]);
  if (!(button instanceof Element) || sending.get(button) === what) {
    return { ok: false, status: 0, data: /** @type {Answer} */ ({}) };
  }
  sending.set(button, what);
  button.setAttribute("aria-busy", "true");
  const result = await send(url, body, options);
  if (sending.get(button) === what) {
    sending.delete(button);
    button.removeAttribute("aria-busy");
  }
  if (result.ok) {
    const toast = maybe("#toast");
    if (toast) toast.hidden = true;
  }
  return result;
}

/**
 * What a form does when it is sent. Its buttons are rendered disabled and wait for this: sent before, the
 * browser would put what was entered into the address.
 * @param {HTMLFormElement} form
 * @param {() => void} act
 */
export function onSubmit(form, act) {
  form.addEventListener("submit", event => {
    event.preventDefault();
    act();
  });
  for (const button of /** @type {HTMLButtonElement[]} */ (every("button[type=submit]", form))) {
    button.disabled = false;
  }
}
