// The choice of a player's face: a hat, its colour, or a photo, which is made small before it is sent.
import { face, h, html, patch, word } from "../common/draw.js";
import { getJson, press, send, tell } from "../common/send.js";

const SIDE = 192; // px of a stored photo
const HAT = 52;
const PHOTO = 120;

/** @type {Promise<Wardrobe | null> | null} */
let loading = null;

/**
 * Show in `box` the faces that a player can choose; call `changed` with each choice.
 * @param {HTMLElement} box
 * @param {{ name: string, seat: number, now: FaceView | null | undefined }} who
 * @param {(now: FaceView | null) => void} changed
 */
export async function choose(box, { name, seat, now }, changed) {
  loading ??= getJson("api/faces");
  const wardrobe = await loading;
  if (!wardrobe) {
    loading = null;
    tell(word("offline"));
    return;
  }
  let worn = now ?? null;
  /**
   * @param {HTMLElement} button
   * @param {object} what
   */
  async function wear(button, what) {
    const body = { name, hat: worn?.hat ?? null, colour: worn?.colour ?? "", ...what };
    const { ok, data } = await press(button, "api/faces", body, { method: "PUT" });
    if (ok) taken(data.face);
  }
  /** @param {FaceView | null} next */
  function taken(next) {
    worn = next;
    changed(worn);
    draw();
  }
  const letter = () => worn?.letter ?? name.trim().slice(0, 1).toUpperCase();
  /** @param {Partial<FaceView>} other */
  const like = other =>
    face(
      { hat: null, colour: null, paint: null, letter: letter(), ...worn, photo: null, ...other },
      seat,
      HAT,
    );
  /**
   * @param {string} what
   * @param {string} label
   * @param {boolean} on
   * @param {Child} drawn
   * @param {object} wanted
   */
  const one = (what, label, on, drawn, wanted) =>
    h(
      "button.quiet.one",
      {
        "data-action": what,
        "data-card": label,
        "aria-pressed": String(on),
        "aria-label": label,
        onclick: e => wear(e.currentTarget, wanted),
      },
      drawn,
    );
  const hats = (/** @type {Wardrobe} */ of) =>
    Array.from({ length: of.hats }, (_, n) =>
      one("hat", word("hat n", { n: n + 1 }), worn?.hat === n, like({ hat: n }), { hat: n }),
    );
  const colours = (/** @type {Wardrobe} */ of) =>
    of.colours.map(({ name: colour, label, paint }) =>
      one("hat-colour", label, worn?.colour === colour, like({ colour, paint }), { colour }),
    );
  /**
   * @param {string} label
   * @param {string | null} capture
   */
  const file = (label, capture) =>
    h(
      "label.button",
      h("input.sr", {
        type: "file",
        accept: "image/*",
        capture,
        "data-photo": "",
        onchange: async e => {
          const input = e.currentTarget;
          const photo = input.files?.[0] && (await small(input.files[0]));
          input.value = "";
          if (photo) wear(input, { photo });
          else tell(word("no photo"));
        },
      }),
      label,
    );
  async function forget() {
    const { ok } = await send("api/faces", { name }, { method: "DELETE" });
    if (ok) taken(null);
  }
  function draw() {
    if (!wardrobe) return;
    const within = box.contains(document.activeElement);
    patch(
      box,
      ...(worn?.photo
        ? [face(worn, seat, PHOTO)]
        : [
            h("div.ones", { role: "group", "aria-label": word("hats") }, hats(wardrobe)),
            h("div.ones", { role: "group", "aria-label": word("colours") }, colours(wardrobe)),
          ]),
      h(
        "div.photo",
        file(word("take photo"), "user"),
        file(word("pick photo"), null),
        worn?.photo &&
          h(
            "button",
            { "data-action": "no-photo", onclick: e => wear(e.currentTarget, { photo: null }) },
            word("remove photo"),
          ),
        worn && h("button.quiet", { "data-action": "forget-face", onclick: forget }, word("forget face")),
      ),
      h("p.soft", word("photo stays")),
    );
    if (within && !box.contains(document.activeElement)) box.querySelector("button")?.focus();
  }
  draw();
}

/**
 * The middle of a picture, small and square, in Base64; null where it is none.
 * @param {File} file
 */
async function small(file) {
  try {
    const picture = await createImageBitmap(file);
    const side = Math.min(picture.width, picture.height);
    const canvas = html("canvas", { width: SIDE, height: SIDE });
    canvas
      .getContext("2d")
      ?.drawImage(
        picture,
        (picture.width - side) / 2,
        (picture.height - side) / 2,
        side,
        side,
        0,
        0,
        SIDE,
        SIDE,
      );
    return canvas.toDataURL("image/jpeg", 0.85).split(",")[1];
  } catch {
    return null;
  }
}
