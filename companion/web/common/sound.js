// What is heard at the table: short melodies, and a voice that comments on the race. Off until it is switched
// on by touch; never the only carrier of a message; nothing that was not just now; public things only.
import { commentary, moment } from "./commentary.js";
import { $, maybe, touched, word } from "./draw.js";
import { recall, remember } from "./remember.js";
import { tell } from "./send.js";

const MODES = ["off", "sounds", "voice"];
const STORAGE_KEY = "sound";
const LOUD = 0.16; // LOUD: of 1; a table has other noises too
const LATE = 6_000; // ms; what waited longer than that is not said any more
/** @type {Record<string, [string, number][]>} */
const tunes = JSON.parse(maybe("#tunes")?.textContent ?? "{}");
const button = maybe("[data-action=sound]");
/** @type {Record<string, number>} */
const STEPS = {
  C: -9,
  "C#": -8,
  D: -7,
  "D#": -6,
  E: -5,
  F: -4,
  "F#": -3,
  G: -2,
  "G#": -1,
  A: 0,
  "A#": 1,
  B: 2,
};

/**
 * Hertz of a tone in scientific pitch, such as C#6.
 * @param {string} tone
 */
const hertz = tone => 440 * 2 ** (STEPS[tone.slice(0, -1)] / 12 + Number(tone.slice(-1)) - 4);

let mode = "off";
/** @type {AudioContext | null} */
let audio = null;
/** @type {GainNode | null} */
let playing = null;
/** @type {{ text: string, since: number } | null} */
let waiting = null;
/** @type {SpeechSynthesisUtterance | null} */
let speaking = null;
mode = MODES.find(one => one === recall(STORAGE_KEY)) ?? "off";

/** Whether the browser wants a touch before it lets a page be heard. */
const locked = () => mode !== "off" && audio?.state !== "running";

function show() {
  if (!button) return;
  const now = mode !== "off" && locked() ? "touch" : mode;
  button.dataset.sound = now;
  button.title = word(`sound ${now}`);
  button.setAttribute("aria-label", button.title);
  $("use", button).setAttribute("href", `#ic-sound-${now}`);
}

/** Allow sounds; browsers do so only while the page is touched. */
function wake() {
  if (mode === "off") return;
  try {
    audio ??= new AudioContext();
    audio.onstatechange = show;
    audio.resume().then(show, show);
  } catch {
    audio = null;
  } // this browser has no sound at all
  show();
}

/** @param {string} name */
function play(name) {
  if (!audio) return;
  playing?.disconnect();
  const loud = audio.createGain();
  playing = loud;
  loud.gain.value = LOUD;
  loud.connect(audio.destination);
  let at = audio.currentTime + 0.02;
  for (const [tone, seconds] of tunes[name] ?? []) {
    if (tone) {
      const tune = audio.createOscillator();
      const shape = audio.createGain();
      tune.type = "triangle";
      tune.frequency.value = hertz(tone);
      shape.gain.setValueAtTime(0, at); // a soft beginning and end: no clicks
      shape.gain.linearRampToValueAtTime(1, at + 0.012);
      shape.gain.setValueAtTime(1, at + seconds * 0.6);
      shape.gain.linearRampToValueAtTime(0, at + seconds);
      tune.connect(shape).connect(loud);
      tune.start(at);
      tune.stop(at + seconds);
    }
    at += seconds;
  }
}

/** A voice of this device in the language of the page; one that would send the words out of the house is
    none. */
function voice() {
  const language = document.documentElement.lang;
  const all = window.speechSynthesis?.getVoices() ?? [];
  // a WebView of Android has none
  return all.find(v => v.localService && v.lang.replace("_", "-").toLowerCase().split("-")[0] === language);
}

/**
 * Say it, or after what is being said just now; only the newest waits.
 * @param {string} text
 */
function say(text) {
  if (speaking) {
    waiting = { text, since: Date.now() };
    return;
  }
  const by = voice();
  if (!by) return;
  // a WebView of Android never comes here
  const utterance = new SpeechSynthesisUtterance(text);
  speaking = utterance;
  utterance.voice = by;
  utterance.lang = by.lang;
  const ended = () => {
    if (speaking !== utterance) return;
    speaking = null;
    const next = waiting;
    waiting = null;
    if (next && Date.now() - next.since < LATE) say(next.text);
  };
  utterance.onend = ended;
  utterance.onerror = ended;
  speechSynthesis.speak(utterance);
}

function hush() {
  [speaking, waiting] = [null, null];
  window.speechSynthesis?.cancel();
  playing?.disconnect();
}

let slept = false; // the page was not looked at: what the next picture brings may be old
/**
 * Let what changed between two pictures be heard.
 * @param {View | undefined} was
 * @param {View} now
 */
export function heard(was, now) {
  const old = slept;
  slept = false;
  if (mode === "off" || old) return;
  const name = moment(was, now);
  if (name === "end") return; // the finish says when
  if (name && audio?.state === "running") play(name);
  const text = mode === "voice" && !locked() ? commentary(was, now) : "";
  if (text) say(text);
}

/**
 * Let a beat of the finish be heard: a melody, and a sentence.
 * @param {string} name
 * @param {string} text
 */
export function cue(name, text) {
  if (mode === "off") return;
  if (name && audio?.state === "running") play(name);
  if (text && mode === "voice" && !locked()) say(text);
}

let warned = false; // that there is no voice
button?.addEventListener("click", () => {
  if (button.dataset.sound === "touch") {
    wake();
    return;
  }
  let next = MODES[(MODES.indexOf(mode) + 1) % MODES.length];
  if (next === "voice" && !voice()) {
    if (!warned) tell(word("no voice"), "told");
    next = warned ? "off" : mode;
    warned = !warned;
  }
  mode = next;
  hush();
  remember(STORAGE_KEY, mode);
  wake();
  show();
  if (mode !== "off") {
    audio?.resume().then(
      () => play("ok"),
      () => {},
    );
  }
});

for (const touch of ["pointerdown", "keydown"]) {
  addEventListener(
    touch,
    event => {
      if (locked() && !touched(event, "[data-action=sound]")) wake();
    },
    { capture: true },
  );
}
document.addEventListener("visibilitychange", () => {
  slept = true;
  hush();
});
addEventListener("pagehide", hush);
window.speechSynthesis?.getVoices(); // some browsers load them when first asked
show();
