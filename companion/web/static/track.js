// Draws the course and what stands on it, and lets a moved piece travel its way.
import { calm, piece as drawPiece, s, word } from "./draw.js";
import { loop } from "./geometry.js";

const STEP = 250, HOP = 500, LONGEST = 3_000;
const degrees = a => a * 180 / Math.PI;

/** How a piece that runs in `direction` is turned: mirrored when it runs left, tilted half the way, at most 38°. */
function posture(direction) {
  const east = Math.cos(direction) >= -1e-6;
  const slope = ((degrees(direction) - (east ? 0 : 180) + 540) % 360) - 180;
  return `rotate(${Math.max(-38, Math.min(38, slope / 2)).toFixed(1)}) scale(${east ? 1 : -1} 1)`;
}

export class Track {
  constructor(svg) {
    this.svg = svg;
    this.course = null;
    this.view = null;
    this.pieces = new Map();      // colour → {el, space, side, run}
    this.shownMoves = "";
    this.layers = {};
    for (const name of ["ground", "marks", "picks", "numbers", "food", "ghosts", "pieces", "ways"]) {
      this.layers[name] = s("g", { class: `layer-${name}` });
      svg.append(this.layers[name]);
    }
  }

  /** Draw the empty course for `spaces` in a box of `width` × `height`; gives its geometry. */
  lay(spaces, width, height) {
    const c = this.course;
    if (c && c.spaces === spaces && Math.abs(c.width - width) < 2 && Math.abs(c.height - height) < 2) return c;
    this.course = loop(spaces, Math.round(width), Math.round(height));
    this.svg.setAttribute("viewBox", `0 0 ${this.course.width} ${this.course.height}`);
    this.pieces.forEach(p => cancelAnimationFrame(p.run));
    this.pieces.clear();
    this.layers.pieces.replaceChildren();
    this.shownMoves = "";
    this.ground();
    if (this.view) this.show(this.view, this.extra);
    return this.course;
  }

  ground() {
    const c = this.course, out = [], numbers = [], half = c.lane / 2, all = c.spaces;
    const ring = offset => c.along(0.5, all + 0.4999, offset) + "Z";
    if (c.infield) {
      const { x, y, w, h, r } = c.infield;
      const clip = `infield-${Math.random().toString(36).slice(2)}`;
      out.push(s("clipPath", { id: clip }, s("rect", { x, y, width: w, height: h, rx: r })));
      const turf = s("g", { "clip-path": `url(#${clip})` }, s("rect", { class: "turf", x, y, width: w, height: h }));
      for (let i = -1; i * 92 < w + h * 0.2; i++) turf.append(s("path", { class: "turf2", d: `M${x + i * 92} ${y + h}h46l${h * 0.16} ${-h}h-46z` }));
      out.push(turf);
    }
    out.push(s("path", { class: "lane", d: ring(0), "stroke-width": c.lane }));
    for (let i = 0; i < all; i++) out.push(s("path", { class: `cell ${i % 2 ? "alt" : ""}`, d: c.outline(i, 2) }));
    for (const side of [half, -half]) {
      out.push(s("path", { class: "railsh", d: ring(side) }), s("path", { class: "rail", d: ring(side), "stroke-width": c.lane < 40 ? 2 : 5 }));
    }
    const rows = Math.max(4, Math.round(c.lane / 12)), z = c.lane / rows, start = c.at(0.5);
    const line = s("g", { transform: `translate(${start.x} ${start.y}) rotate(${degrees(start.direction)})` });
    for (let i = 0; i < rows; i++) for (const j of [0, 1])
      line.append(s("rect", { class: `chk${(i + j) % 2}`, x: (j - 1) * Math.min(z, 10), y: -half + i * z, width: Math.min(z, 10), height: z }));
    numbers.push(line);
    if (c.lane > 44) {
      const p = c.at(-Math.min(0.3, 9 / c.cell), c.lane * 0.27);
      const size = c.cell > 52 ? Math.min(22, c.lane * 0.24, c.cell * 0.26) : 0;
      if (size) numbers.push(s("text", { class: "startword", "font-size": size, transform: `translate(${p.x} ${p.y}) rotate(${degrees(p.direction)})` }, word("START")));
    }
    const every = all > 400 ? 20 : all > 150 ? 10 : all >= 40 ? 5 : 1;
    const size = Math.max(11, Math.min(22, c.lane * (c.infield ? 0.3 : 0.44), every === 1 ? c.cell * 0.55 : 22));
    for (let i = every; i < all; i += every) {
      const p = c.at(i, c.infield ? half - size * 0.72 - 3 : 0);
      numbers.push(s("text", { class: "num", "font-size": size, x: p.x, y: p.y, "data-number": i }, String(i)));
    }
    this.layers.ground.replaceChildren(...out);
    this.layers.numbers.replaceChildren(...numbers);
  }

  /** Where each piece is drawn: a piece to be moved still stands where it was, or where it is felt. */
  places(view) {
    const moves = new Map((view.moves || []).map(m => [m.piece, m])), out = new Map();
    for (const p of view.pieces || []) if (p.zone === "track" && p.space !== null && !moves.has(p.piece)) out.set(p.piece, { space: p.space, label: p.label });
    for (const m of moves.values()) {
      const label = (view.pieces || []).find(p => p.piece === m.piece)?.label ?? m.piece;
      if (m.from !== null && m.from !== undefined) out.set(m.piece, { space: m.from, label, due: true });
    }
    return out;
  }

  /** `extra` may hold {preview: [{piece, space}], picks: Set of spaces, pick: space => …}. */
  show(view, extra = {}) {
    this.view = view;
    this.extra = extra;
    const c = this.course;
    if (!c) return;
    this.animal = view.match?.animal ?? this.animal ?? "pig";
    const size = c.piece, places = this.places(view), moves = view.moves || [];
    const fits = space => ((space % c.spaces) + c.spaces) % c.spaces;

    // the lit space, the target
    const marks = [], ghosts = [], ways = [];
    for (const m of moves) {
      if (m.from !== null && m.from !== undefined) marks.push(s("path", { class: "cell from", d: c.outline(fits(m.from), 2) }));
      marks.push(s("path", { class: "cell to march", d: c.outline(fits(m.to), 2), "data-target": m.to }));
      ways.push(s("g", { class: m === moves[0] ? "" : "later" }, this.way(m, size)));
    }
    for (const g of extra.preview || []) ghosts.push(this.still(g.piece, fits(g.space), size, "preview"));
    this.layers.marks.replaceChildren(...marks);

    const key = JSON.stringify([moves.map(m => [m.piece, m.from, m.to]), c.spaces, c.width]);
    const fresh = key !== this.shownMoves;
    for (const m of moves) {
      const el = this.still(m.piece, fits(m.to), size, "ghost");
      ghosts.push(el);
      if (fresh && !calm() && m.from !== null && m.from !== undefined) this.travel({ el, space: m.from }, m.to, this.legs(m.from, m.to, places, m));
    }
    if (fresh || ghosts.length !== this.layers.ghosts.childElementCount || extra.preview) this.layers.ghosts.replaceChildren(...ghosts);
    this.shownMoves = key;
    this.layers.ways.replaceChildren(...ways);

    this.layers.food.replaceChildren(...(view.food || []).map(space => {
      const p = c.at(fits(space), -c.lane * (c.lane < 60 ? 0.24 : 0.18)), r = Math.min(27, c.lane * 0.28, Math.max(9, c.cell * 0.44));
      return s("g", { class: "food", transform: `translate(${p.x} ${p.y})`, role: "img", "aria-label": word("food on space", { n: space }), "data-food": space },
        s("circle", { class: "token", r }), s("use", { href: "#acorn", x: -r * 0.74, y: -r * 0.78, width: r * 1.5, height: r * 1.5 }));
    }));

    this.chevrons(new Set([...places.values()].map(p => fits(p.space)).concat(moves.map(m => fits(m.to)), (view.food || []).map(fits), (extra.preview || []).map(p => fits(p.space)))), new Set(moves.flatMap(m => [m.from ?? m.to, m.to]).map(fits)));
    this.stand(places, size);
    this.offer(extra);
  }

  /** Chevrons on empty spaces; numbers readable on lit ones. */
  chevrons(taken, lit) {
    const c = this.course;
    this.layers.ground.querySelectorAll(".chev").forEach(el => el.remove());
    this.layers.numbers.querySelectorAll(".num").forEach(el => { el.classList.toggle("under", !c.infield && taken.has(+el.dataset.number)); el.classList.toggle("on", lit.has(+el.dataset.number)); });
    if (c.spaces > 200 || c.lane < 34) return;
    const z = Math.min(1, c.lane / 100, c.cell / 52), out = [];
    const every = c.spaces >= 40 ? 5 : 1;
    for (let i = 1; i < c.spaces; i++) {
      if (taken.has(i) || (!c.infield && i % every === 0)) continue;
      for (const d of c.cell > 40 ? [-0.13, 0.13] : [0]) {
        const p = c.at(i + d * Math.min(1, 80 / c.cell), -c.lane * (c.infield ? 0.12 : 0));
        out.push(s("path", { class: "chev", d: "M-6-10 5 0-6 10", transform: `translate(${p.x} ${p.y}) rotate(${degrees(p.direction)}) scale(${z})` }));
      }
    }
    this.layers.ground.append(...out);
  }

  /** The side of the lane on which a piece stands, so that neighbours and guests on one space stay apart. */
  side(space, index, guests) {
    const c = this.course, base = c.infield ? -c.lane * 0.17 : 0;
    if (guests > 1) return base + c.lane * (index / (guests - 1) - 0.5) * 0.56;
    return c.cell < c.piece * 0.8 && c.infield ? base + (space % 2 ? 1 : -1) * c.lane * 0.19 + c.lane * 0.06 : base;
  }

  stand(places, size) {
    const c = this.course, guests = new Map();
    for (const [colour, p] of places) {
      const n = ((p.space % c.spaces) + c.spaces) % c.spaces;
      guests.set(n, [...(guests.get(n) || []), colour]);
    }
    for (const [colour, p] of [...this.pieces]) if (!places.has(colour)) { cancelAnimationFrame(p.run); p.el.remove(); this.pieces.delete(colour); }
    for (const [colour, place] of places) {
      const n = ((place.space % c.spaces) + c.spaces) % c.spaces, mates = guests.get(n);
      const side = this.side(n, mates.indexOf(colour), mates.length), scale = mates.length > 1 ? 0.78 : 1;
      let p = this.pieces.get(colour);
      if (!p || p.animal !== this.animal) {
        p?.el.remove();
        const el = s("g", { class: "piece", "data-piece": colour, role: "img" }, s("g", { class: "bobber" }, drawPiece(this.animal, colour, size)));
        p = { el, space: n, side, scale, animal: this.animal };
        this.pieces.set(colour, p);
        this.layers.pieces.append(el);
        this.put(p, n, side, 1);
      } else if (p.space !== n) {
        const legs = this.legs(p.space, n, new Map([...this.pieces].filter(([k]) => k !== colour).map(([k, q]) => [k, q])), null);
        Object.assign(p, { side, scale });
        if (calm() || document.hidden) { this.put(p, n, side, 1); p.el.animate?.([{ opacity: 0 }, { opacity: 1 }], 400); p.space = n; }
        else this.travel(p, n, legs);
      } else if (!p.run) { Object.assign(p, { side, scale }); this.put(p, n, side, 1); }
      p.el.classList.toggle("due", !!place.due);
      p.el.dataset.space = n;
      p.el.setAttribute("aria-label", word("piece on space", { piece: place.label, n: n === 0 ? word("start") : n }));
    }
    const order = [...this.pieces.values()].sort((a, b) => a.el.classList.contains("due") - b.el.classList.contains("due") || c.at(a.space).y - c.at(b.space).y);
    order.forEach((p, i) => { if (this.layers.pieces.children[i] !== p.el) this.layers.pieces.insertBefore(p.el, this.layers.pieces.children[i] || null); });
  }

  /** A piece was set down on a space by hand: it does not travel there. */
  drop(colour, space) {
    const p = this.pieces.get(colour);
    if (!p) return;
    cancelAnimationFrame(p.run);
    Object.assign(p, { run: 0, space });
  }

  put(p, space, side, grow, up = 0) {
    const at = this.course.at(space, side);
    p.el.setAttribute("transform", `translate(${at.x.toFixed(1)} ${(at.y - up).toFixed(1)}) ${posture(at.direction)} scale(${(grow * (p.scale ?? 1)).toFixed(3)})`);
  }

  still(colour, space, size, cls) {
    const el = s("g", { class: cls, "data-ghost": colour }, drawPiece(this.animal, colour, size * 0.95));
    this.put({ el }, space, this.side(space, 0, 1), 1);
    return el;
  }

  /** The legs of a way: single steps, and one hop over each occupied run. */
  legs(from, to, others, move) {
    const n = this.course.spaces, ahead = ((to - from) % n + n) % n, taken = new Set([...others.values()].map(p => ((p.space % n) + n) % n));
    taken.delete(((from % n) + n) % n);
    const run = k => taken.has((((from + k) % n) + n) % n);
    const jumped = Array.from({ length: Math.max(0, ahead - 1) }, (_, i) => i + 1).every(run);
    const forward = move && move.over?.length ? move.over.length === ahead - 1 || ahead <= n / 2 : ahead <= n / 2 || jumped;
    const distance = forward ? ahead : n - ahead, sign = forward ? 1 : -1, legs = [];
    for (let k = 0; k < distance;) {
      let k2 = k + 1;
      while (k2 < distance && run(sign * k2)) k2++;
      legs.push({ from: from + sign * k, to: from + sign * k2, time: k2 - k > 1 ? HOP : STEP, hop: k2 - k > 1 });
      k = k2;
    }
    const total = legs.reduce((sum, l) => sum + l.time, 0);
    if (total > LONGEST) legs.forEach(l => { l.time *= LONGEST / total; });
    return legs;
  }

  travel(p, to, legs) {
    cancelAnimationFrame(p.run);
    const began = performance.now(), side = p.side ?? this.side(to, 0, 1), lane = this.course.lane;
    p.space = to;
    const frame = now => {
      let t = now - began, leg = null;
      for (leg of legs) { if (t < leg.time) break; t -= leg.time; }
      if (!leg || t >= leg.time) { p.run = 0; this.put(p, to, side, 1); return; }
      const u = Math.max(0, t / leg.time), ease = u * u * (3 - 2 * u), up = Math.sin(Math.PI * u);
      this.put(p, leg.from + (leg.to - leg.from) * ease, side, 1 + up * (leg.hop ? 0.18 : 0.05), up * lane * (leg.hop ? 0.5 : 0.1));
      p.run = requestAnimationFrame(frame);
    };
    p.run = requestAnimationFrame(frame);
    frame(began);
  }

  /** How far the outside of the course is up on the screen between two spaces: 1 on the far straight, −1 on the near one. */
  overhead(a, b) {
    const n = 8;
    return Array.from({ length: n + 1 }, (_, i) => Math.cos(this.course.at(a + (b - a) * i / n).direction)).reduce((sum, up) => sum + up) / (n + 1);
  }

  /** The dotted way over the heads, its arrow, and the flag with the number. */
  way(m, size) {
    const c = this.course, out = [];
    const flag = () => {
      const front = c.at(m.to + 0.46, c.lane * 0.36), west = Math.cos(front.direction) < -0.3, text = m.to === 0 ? word("start") : String(m.to);
      const wide = Math.max(54, 26 + text.length * 17), z = c.lane < 50 ? 0.7 : c.lane < 80 ? 0.85 : 1;
      const x = west ? Math.max(wide * z + 2, front.x) : Math.max(4, Math.min(c.width - wide * z - 2, front.x)), y = Math.max(44 * z, Math.min(c.height - 46 * z, front.y + (46 * Math.max(0, Math.sin(front.direction)) - 24 * Math.max(0, -Math.cos(front.direction))) * z)), to = west ? -1 : 1;
      return s("g", { transform: `translate(${x} ${y}) scale(${z})`, class: "flag" }, s("g", { class: "bobber" },
        s("path", { class: "flagpole", d: "M0 44V-34" }), s("path", { class: "flagbox", d: `M0-40H${wide * to}L${(wide - 9) * to}-17 ${wide * to} 6H0Z` }),
        s("text", { class: "flagnum", x: (wide / 2 - 3) * to, y: -16 }, text)));
    };
    if (m.from !== null && m.from !== undefined) {
      const legs = this.legs(m.from, m.to, this.places(this.view), m), last = legs[legs.length - 1];
      if (last) {
        const a = m.from, b = last.to, cells = Math.abs(b - a), far = this.overhead(a, b) > 0.4;
        const rise = c.lane * (far ? 0.46 : cells > 1 ? 0.66 : 0.5), ends = c.lane * (far ? 0.16 : 0.24);
        const cut = Math.min(0.3, size * 0.42 / c.cell) * Math.sign(b - a);
        const offset = t => (far ? 1 : -1) * (ends + (rise - ends) * Math.sin(Math.PI * t) ** 0.7);
        const d = c.along(a + cut * 0.3, b - cut, offset);
        const tip = c.at(b - cut, offset(1)), before = c.at(b - cut - 0.12 * Math.sign(b - a), offset(0.96));
        const angle = degrees(Math.atan2(tip.y - before.y, tip.x - before.x)), z = Math.min(1, c.lane / 80);
        out.push(s("path", { class: "hopc", d, "stroke-width": 15 * z }), s("path", { class: "hop", d, "stroke-width": 7 * z }),
          s("path", { class: "arrowhead", d: "M-14-13 14 0-14 13Z", transform: `translate(${tip.x} ${tip.y}) rotate(${angle}) scale(${z})` }));
      }
    }
    out.push(flag());
    return out;
  }

  /** Spaces that can be chosen, by tap and by keyboard. */
  offer({ picks, pick, all, chosen, name }) {
    const c = this.course, held = document.activeElement?.closest?.(".hit")?.dataset.hit;
    const list = all ? Array.from({ length: c.spaces }, (_, i) => i) : picks ? [...picks] : [];
    this.layers.picks.replaceChildren(...list.map((space, i) => {
      const go = () => pick(space);
      return s("path", {
        class: `hit ${all ? "" : "pick"} ${chosen === space ? "chosen" : ""}`, d: c.outline(space, 3), role: "button", tabindex: i === 0 || c.spaces <= 60 ? 0 : -1, "data-hit": space, "data-space": space,
        "aria-label": name ? name(space) : word("space", { n: space === 0 ? word("start") : space }),
        onclick: go,
        onkeydown: event => {
          if (event.key === "Enter" || event.key === " ") { event.preventDefault(); go(); }
          const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
          if (step) { event.preventDefault(); const row = [...this.layers.picks.children]; row[(i + step + row.length) % row.length].focus(); }
        },
      });
    }));
    const open = new Set(list);
    this.layers.numbers.querySelectorAll(".num").forEach(el => el.classList.toggle("open", !all && open.has(+el.dataset.number)));
    if (held !== undefined) this.layers.picks.querySelector(`[data-hit="${held}"]`)?.focus();
  }
}
