// Draws the course and what stands on it, and lets a moved piece travel its way.
import { calm, every, maybe, patch, piece as drawPiece, s, svg, word } from "../common/draw.js";
import { course as courseOf } from "./course.js";
import { loop } from "./geometry.js";
import { chevrons, degrees, ground, looseItems, occupied, printed } from "./ground.js";
import { legs } from "./legs.js";
import { flag, flight, hop } from "./motion.js";

const FLIGHT = 700;
/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };

/**
 * How a piece that runs in `direction` is turned: mirrored to run left, tilted by half, at most 38°.
 * @param {number} direction
 */
function posture(direction) {
  const east = Math.cos(direction) >= -1e-6;
  const slope = ((degrees(direction) - (east ? 0 : 180) + 540) % 360) - 180;
  return `rotate(${Math.max(-38, Math.min(38, slope / 2)).toFixed(1)}) scale(${east ? 1 : -1} 1)`;
}

/**
 * @template T
 * @param {T | null | undefined} value
 * @returns {value is T}
 */
const present = value => value !== null && value !== undefined;

/**
 * Where a piece is drawn that shares its space with others: so far along it, so far across, so much smaller.
 * @param {Geometry} c
 * @param {number} index
 * @param {number} guests
 */
function among(c, index, guests) {
  const base =
    c.infield || c.kind === "course" ? -c.numbers * c.lane * (c.kind === "course" ? 0.12 : 0.17) : 0;
  if (guests < 2) return { along: 0, side: base, scale: 1 };
  if (guests < 3) return { along: 0, side: base + c.lane * (index - 0.5) * 0.56, scale: 0.78 };
  const ranks = Math.ceil(guests / 2);
  const rank = Math.floor(index / 2);
  const apart = Math.min(0.4, (c.piece * 0.4) / c.cell);
  return {
    along: (index % 2 ? -1 : 1) * apart,
    side: base + c.lane * (rank / (ranks - 1) - 0.5) * 0.56,
    scale: 0.9,
  };
}

export class Track {
  /**
   * `terrain`: how another kind of course is laid and drawn.
   * @param {SVGSVGElement} on
   * @param {Terrain | null} [terrain]
   */
  constructor(on, terrain = null) {
    this.svg = on;
    this.terrain = terrain;
    /** @type {Geometry | null} */
    this.course = null;
    /** @type {Position | null} */
    this.view = null;
    /** @type {Offer} */
    this.extra = {};
    /**
     * By colour.
     * @type {Map<string, Drawn>}
     */
    this.pieces = new Map();
    this.animal = "pig";
    this.laidFor = "";
    this.shownMoves = "";
    /** @type {NonNullable<Offer["pick"]>} */
    this.pick = () => {};
    /** @type {Record<string, SVGGElement>} */
    this.layers = {};
    for (const name of ["ground", "marks", "picks", "numbers", "flags", "food", "ghosts", "pieces", "ways"]) {
      const layer = svg("g", { class: `layer-${name}` });
      this.layers[name] = layer;
      on.append(layer);
    }
    this.chevrons = svg("g");
  }

  /** The geometry, once a course is laid. */
  get laid() {
    if (!this.course) throw new Error("no course is laid yet: call lay before");
    return this.course;
  }

  /**
   * Draw the empty `course` in a box of `width` × `height`; return its geometry.
   * @param {CourseView} course
   * @param {number} width
   * @param {number} height
   */
  lay(course, width, height, pieces = 5) {
    const [w, h] = [Math.round(width), Math.round(height)];
    const of = printed(course);
    const key = JSON.stringify([...of, pieces]);
    const c = this.course;
    if (c && this.laidFor === key && Math.abs(c.width - w) < 2 && Math.abs(c.height - h) < 2) return c;
    this.laidFor = key;
    this.course = this.terrain
      ? this.terrain.stretch(course, w, h)
      : course.kind === "course"
        ? courseOf(course.spaces, course.behind ?? 0, w, h, pieces)
        : loop(course.spaces, w, h, "laps" in course);
    this.svg.setAttribute("viewBox", `0 0 ${w} ${h}`);
    this.pieces.forEach(p => cancelAnimationFrame(p.run));
    this.pieces.clear();
    this.layers.pieces.replaceChildren();
    this.shownMoves = "";
    const drawn = (this.terrain?.ground ?? ground)(this.laid, course);
    patch(this.layers.ground, drawn.under, this.chevrons);
    patch(this.layers.numbers, drawn.over);
    if (this.view) this.show(this.view, this.extra);
    return this.laid;
  }

  /**
   * Where each piece is drawn: a piece to be moved still stands where it was, or where it is felt.
   * @param {Position} view
   */
  places(view) {
    const moves = new Map((view.moves || []).map(m => [m.piece, m]));
    const out = new Map();
    const all = view.pieces || [];
    for (const p of all) {
      if (!moves.has(p.piece) && (p.zone !== "track" || present(p.space))) {
        out.set(p.piece, { zone: p.zone, space: p.space ?? 0, label: p.label });
      }
    }
    for (const m of moves.values()) {
      const label = all.find(p => p.piece === m.piece)?.label ?? m.piece;
      if (present(m.from)) out.set(m.piece, { zone: "track", space: m.from, label, due: true });
      else if (m.at && m.at !== "track") out.set(m.piece, { zone: m.at, space: 0, label, due: true });
    }
    return out;
  }

  /**
   * The point where a piece stands that stands in this zone.
   * @param {Position} view
   * @param {string} colour
   * @param {string} zone
   */
  point(view, colour, zone) {
    const c = this.laid;
    const all = (view.pieces || []).map(p => p.piece);
    if (zone === "gate" && c.stall) return c.stall(Math.max(0, all.indexOf(colour)));
    const { home = [], out = [] } = view.course || {};
    const gone = new Set(
      (view.pieces || []).filter(p => p.zone !== "track" && p.zone !== "gate").map(p => p.piece),
    ).add(colour);
    const order = [...home, ...out, ...all].filter((p, i, list) => gone.has(p) && list.indexOf(p) === i);
    return c.aside(order.indexOf(colour), order.length);
  }

  /**
   * Every piece that stands somewhere, with where that is on the screen.
   * @param {Position} view
   * @param {Map<string, Placed>} places
   */
  standing(view, places) {
    const c = this.laid;
    const guests = new Map();
    const out = new Map();
    for (const [colour, p] of places) {
      if (p.zone === "track") guests.set(c.fits(p.space), [...(guests.get(c.fits(p.space)) || []), colour]);
    }
    for (const [colour, p] of places) {
      if (p.zone !== "track") {
        const at = this.point(view, colour, p.zone);
        out.set(colour, { ...p, at, scale: at.size / c.piece });
        continue;
      }
      const space = c.fits(p.space);
      const mates = guests.get(space);
      const { along, side, scale } = among(c, mates.indexOf(colour), mates.length);
      out.set(colour, {
        ...p,
        space,
        scale,
        side: mates.length < 2 ? this.side(space) : side,
        along,
        at: c.at(space + along, mates.length < 2 ? this.side(space) : side),
      });
    }
    return out;
  }

  /**
   * The side of the lane on which a piece alone on its space stands: close neighbours stand apart.
   * @param {number} space
   */
  side(space) {
    const c = this.laid;
    const base = among(c, 0, 1).side;
    return c.cell < c.piece * 0.8 && c.infield
      ? base + (space % 2 ? 1 : -1) * c.lane * 0.19 + c.lane * 0.06
      : base;
  }

  /**
   * `extra` may hold {preview: [{piece, space}], picks: Set of spaces, pick: space => …}.
   * @param {Position} view
   * @param {Offer} [extra]
   */
  show(view, extra = {}) {
    this.view = view;
    this.extra = extra;
    const c = this.course;
    if (!c) return;
    this.animal = view.match?.animal ?? this.animal;
    const places = this.places(view);
    const moves = view.moves || [];
    const stands = this.standing(view, places);
    this.mark(view, moves, stands, extra);
    patch(this.layers.food, looseItems(c, view));
    const on = [...stands.values()].filter(p => p.zone === "track").map(p => p.space);
    const to = moves
      .map(m => m.to)
      .filter(present)
      .map(c.fits);
    const from = moves
      .map(m => m.from)
      .filter(present)
      .map(c.fits);
    const lit = new Set([...from, ...to]);
    const taken = new Set([
      ...on,
      ...to,
      ...occupied(view).map(c.fits),
      ...(extra.preview || []).map(p => c.fits(p.space)),
    ]);
    patch(this.chevrons, chevrons(c, taken));
    const plain = !c.infield && c.kind === "loop";
    every(".num", this.layers.numbers).forEach(el => {
      const n = Number(el.dataset.number);
      el.classList.toggle("under", plain && taken.has(n));
      el.classList.toggle("on", lit.has(n));
    });
    this.stand(stands);
    this.offer(extra);
  }

  /**
   * The lit spaces, the targets with the pieces that belong there, and the ways; the first is loudest.
   * @param {Position} view
   * @param {WayTo[]} moves
   * @param {Map<string, Stand>} stands
   * @param {Offer} extra
   */
  mark(view, moves, stands, extra) {
    const key = JSON.stringify([
      moves.map(m => [m.piece, m.from, m.to, m.zone]),
      this.laidFor,
      this.laid.width,
    ]);
    const fresh = key !== this.shownMoves;
    /** @param {WayTo} m */
    const later = m => (m === moves[0] ? "" : "later");
    const marks = moves.flatMap(m => this.lit(m, later(m)));
    const ghosts = moves.map(m => this.target(view, m, stands, fresh));
    const ways = moves.map(m => this.signed(view, m, stands, later(m)));
    const [first] = moves;
    const sign = first && present(first.to) && flag(this.laid, first.to);
    const preview = extra.preview || [];
    ghosts.reverse().push(...preview.map(g => this.still(g.piece, this.laid.fits(g.space), "preview")));
    patch(this.layers.marks, marks.reverse());
    if (fresh || ghosts.length !== this.layers.ghosts.childElementCount || extra.preview) {
      patch(this.layers.ghosts, ghosts);
    }
    this.shownMoves = key;
    patch(this.layers.ways, ways.reverse());
    patch(this.layers.flags, sign);
    maybe(".startword", this.layers.numbers)?.classList.toggle("under", first?.to === 0 && !!sign);
  }

  /**
   * The space that a move begins on, and the one where it ends.
   * @param {WayTo} m
   * @param {string} later
   */
  lit(m, later) {
    const c = this.laid;
    /** @param {number} space */
    const outline = space => c.outline(c.fits(space), 2);
    return [
      present(m.from) && s("path", { class: `cell from ${later}`, d: outline(m.from) }),
      present(m.to) && s("path", { class: `cell to march ${later}`, d: outline(m.to), "data-target": m.to }),
    ];
  }

  /**
   * The piece where it belongs, pale; it runs there when the move is new.
   * @param {Position} view
   * @param {WayTo} m
   * @param {Map<string, Stand>} stands
   * @param {boolean} fresh
   */
  target(view, m, stands, fresh) {
    const c = this.laid;
    if (!present(m.to)) {
      const at = this.point(view, m.piece, m.zone);
      return this.set(this.figure(m.piece, "ghost", { "data-target": m.zone }), at, at.size / c.piece);
    }
    const space = c.fits(m.to);
    const el = this.still(m.piece, space, "ghost");
    if (fresh && !calm() && present(m.from)) {
      const side = this.side(space);
      const label = m.piece;
      const to = { zone: "track", space, label, side, scale: 1, at: c.at(m.to, side) };
      const from = { ...to, space: m.from, at: c.at(m.from) };
      this.travel({ el, stands: from, run: 0, animal: this.animal }, to, this.taken(stands, m.piece), m);
    }
    return el;
  }

  /**
   * The way of a move.
   * @param {Position} view
   * @param {WayTo} m
   * @param {Map<string, Stand>} stands
   * @param {string} later
   */
  signed(view, m, stands, later) {
    const way = this.way(view, m, stands.get(m.piece), this.laid.piece);
    return way && s("g", { class: later }, way);
  }

  /**
   * The dotted way of a move: along the course, out of the gate, or straight to a place next to the track.
   * @param {Position} view
   * @param {WayTo} m
   * @param {Stand | undefined} stands
   * @param {number} size
   */
  way(view, m, stands, size) {
    const c = this.laid;
    const z = Math.min(1, c.lane / 80);
    if (!stands) return present(m.to) ? [] : null;
    if (!present(m.to)) return this.leaving(stands, this.point(view, m.piece, m.zone), size, z);
    if (stands.zone !== "track" && (stands.zone !== "gate" || !c.stall)) {
      return flight(stands.at, c.at(m.to, this.side(c.fits(m.to))), size, z);
    }
    const from = stands.zone === "gate" ? 0 : (m.from ?? stands.space);
    const way = legs(c, from, m.to, this.taken(new Map(), ""), m);
    const last = way[way.length - 1];
    return last ? hop(c, from, last.to, size) : [];
  }

  /**
   * The way of a piece that leaves the track: on a loop by the lane to the line, then straight.
   * @param {Stand} stands
   * @param {Spot} to
   * @param {number} size
   * @param {number} z
   */
  leaving(stands, to, size, z) {
    const c = this.laid;
    if (!c.infield || stands.zone !== "track") return flight(stands.at, to, size, z);
    const ahead = c.spaces - c.fits(stands.space) + 1;
    const lane = ahead > 1 && ahead < c.spaces ? hop(c, stands.space, stands.space + ahead, size) : [];
    return [...lane, ...flight(c.at(1, -c.lane * 0.3), to, size, z)];
  }

  /**
   * The spaces that others stand on.
   * @param {Map<string, Stand>} standing
   * @param {string} colour
   */
  taken(standing, colour) {
    return new Set(
      [...standing].filter(([k, p]) => k !== colour && p.zone === "track").map(([, p]) => p.space),
    );
  }

  /** @param {Map<string, Stand>} standing */
  stand(standing) {
    for (const [colour, p] of [...this.pieces]) {
      if (!standing.has(colour)) {
        cancelAnimationFrame(p.run);
        p.el.remove();
        this.pieces.delete(colour);
      }
    }
    for (const [colour, now] of standing) {
      let p = this.pieces.get(colour);
      if (!p || p.animal !== this.animal) {
        p?.el.remove();
        p = {
          el: this.figure(colour, "piece", { "data-piece": colour, role: "img" }),
          stands: now,
          run: 0,
          animal: this.animal,
        };
        this.pieces.set(colour, p);
        this.layers.pieces.append(p.el);
        this.set(p.el, now.at, now.scale);
      } else if (p.stands.zone !== now.zone || p.stands.space !== now.space) {
        const others = new Map([...this.pieces].map(([k, q]) => [k, q.stands]));
        if (calm() || document.hidden) {
          cancelAnimationFrame(p.run);
          p.run = 0;
          p.stands = now;
          this.set(p.el, now.at, now.scale);
          p.el.animate?.([{ opacity: 0 }, { opacity: 1 }], 400);
        } else {
          this.travel(p, now, this.taken(others, colour));
        }
      } else if (p.run) {
        p.stands = now;
      } else {
        p.stands = now;
        this.set(p.el, now.at, now.scale);
      }
      this.name(p, colour, now);
    }
    const order = [...this.pieces.values()].sort(
      (a, b) =>
        Number(a.el.classList.contains("due")) - Number(b.el.classList.contains("due")) ||
        a.stands.at.y - b.stands.at.y,
    );
    order.forEach((p, i) => {
      if (this.layers.pieces.children[i] !== p.el) {
        this.layers.pieces.insertBefore(p.el, this.layers.pieces.children[i] || null);
      }
    });
  }

  /**
   * Which lap a piece runs; 0 where none is counted.
   * @param {string} colour
   * @param {Stand} now
   */
  lap(colour, now) {
    const { laps = 0, progress, spaces = 1 } = this.view?.course ?? {};
    const done = progress?.[colour] ?? 0;
    return laps > 1 && now.zone === "track" && !now.due && done > 0
      ? Math.min(laps, Math.ceil(done / spaces))
      : 0;
  }

  /**
   * Where a piece is, in words.
   * @param {Stand} now
   */
  where(now) {
    if (now.zone !== "track") return word(`piece ${now.zone}`, { piece: now.label });
    const n = this.laid.closed && now.space === 0 ? word("start") : now.space;
    return word("piece on space", { piece: now.label, n });
  }

  /**
   * What a piece is called, which lap it runs, and the state that its looks come from.
   * @param {Drawn} p
   * @param {string} colour
   * @param {Stand} now
   */
  name(p, colour, now) {
    const lap = this.lap(colour, now);
    p.el.classList.toggle("due", !!now.due);
    p.el.classList.toggle("gone", now.zone === "out");
    p.el.dataset.zone = now.zone;
    if (now.zone === "track") p.el.dataset.space = String(now.space);
    else delete p.el.dataset.space;
    const where = this.where(now);
    p.el.setAttribute("aria-label", lap ? `${where}, ${word("lap", { n: lap })}` : where);
    this.tag(p, colour, now, lap);
  }

  /**
   * The small sign on a piece: its lap, or its place once it is home.
   * @param {Drawn} p
   * @param {string} colour
   * @param {Stand} now
   * @param {number} lap
   */
  tag(p, colour, now, lap) {
    const home = now.zone === "home" ? (this.view?.course?.home ?? []).indexOf(colour) + 1 : 0;
    const text = lap && this.laid.lane > 50 ? word("lap", { n: lap }) : home ? String(home) : "";
    if (p.tagged === text) return;
    p.tagged = text;
    maybe(".laptag", p.el)?.remove();
    if (!text) return;
    const wide = 16 + text.length * 9;
    const z = lap ? 1 : 1.15;
    const up = lap ? -Math.min(40, this.laid.piece * 0.42) : -14;
    const left = lap ? 0 : -this.laid.piece * now.scale * 0.5;
    p.el.append(
      svg(
        "g.laptag",
        { transform: `translate(${left} ${up}) scale(${z})` },
        s("rect", { x: -wide / 2, y: -13, width: wide, height: 26, rx: 9 }),
        s("text", { y: 1 }, text),
      ),
    );
  }

  /**
   * A piece was set down on a space by hand: it does not travel there.
   * @param {string} colour
   * @param {number} space
   */
  drop(colour, space) {
    const p = this.pieces.get(colour);
    if (!p) return;
    cancelAnimationFrame(p.run);
    Object.assign(p, { run: 0, stands: { ...p.stands, zone: "track", space } });
  }

  /**
   * @param {string} colour
   * @param {string} cls
   * @param {Attributes} [attributes]
   */
  figure(colour, cls, attributes = {}) {
    const size = this.laid.piece * (cls === "piece" ? 1 : 0.95);
    const drawn = drawPiece(this.animal, colour, size);
    return svg(
      "g",
      { class: cls, ...(cls === "piece" ? {} : { "data-ghost": colour }), ...attributes },
      s("g", cls === "piece" ? s("g.bobber", drawn) : drawn),
    );
  }

  /**
   * @param {string} colour
   * @param {number} space
   * @param {string} cls
   */
  still(colour, space, cls) {
    return this.set(this.figure(colour, cls), this.laid.at(space, this.side(space)), 1);
  }

  /**
   * Put a figure on a point; the figure is turned and sized, what hangs on it is not.
   * @param {SVGElement} el
   * @param {Spot} at
   * @param {number} scale
   */
  set(el, at, scale, up = 0) {
    el.setAttribute("transform", `translate(${at.x.toFixed(1)} ${(at.y - up).toFixed(1)})`);
    el.firstElementChild?.setAttribute("transform", `${posture(at.direction)} scale(${scale.toFixed(3)})`);
    return el;
  }

  /**
   * The legs from where a piece stands to its place: along the course, then straight.
   * @param {Stand} from
   * @param {Stand} to
   * @param {Set<number>} taken
   * @param {WayTo | null} move
   */
  route(from, to, taken, move) {
    const c = this.laid;
    const gate = c.stall ? 0 : null;
    const start = from.zone === "track" ? from.space : from.zone === "gate" ? gate : null;
    const end =
      to.zone === "track" ? to.space : to.zone === "gate" ? gate : to.zone === "home" && c.closed ? 1 : null;
    /** @type {Leg[]} */
    const way = start !== null && end !== null ? legs(c, start, end, taken, move) : [];
    if (to.zone !== "track" || start === null) {
      way.push({
        from: 0,
        to: 0,
        fly: [way.length && end !== null ? c.at(end) : from.at, to.at],
        time: FLIGHT,
        hop: false,
      });
    }
    return way;
  }

  /**
   * @param {Drawn} p
   * @param {Stand} to
   * @param {Set<number>} taken
   * @param {WayTo | null} [move]
   */
  travel(p, to, taken, move = null) {
    cancelAnimationFrame(p.run);
    const c = this.laid;
    const from = p.stands;
    const way = this.route(from, to, taken, move);
    const began = performance.now();
    const side = to.side ?? this.side(c.first);
    const small = to.scale ?? 1;
    p.stands = to;
    const arrive = () => {
      p.run = 0;
      this.set(p.el, p.stands.at, p.stands.scale ?? 1);
    };
    /** @param {number} now */
    const frame = now => {
      let t = now - began;
      /** @type {Leg | null} */
      let leg = null;
      for (leg of way) {
        if (t < leg.time) break;
        t -= leg.time;
      }
      if (!leg || t >= leg.time) {
        arrive();
        return;
      }
      const u = Math.max(0, t / leg.time);
      const ease = u * u * (3 - 2 * u);
      const up = Math.sin(Math.PI * u);
      if (leg.fly) {
        const [a, b] = leg.fly;
        this.set(
          p.el,
          { x: a.x + (b.x - a.x) * ease, y: a.y + (b.y - a.y) * ease, direction: b.direction },
          small,
          up * c.lane * 0.4,
        );
      } else {
        this.set(
          p.el,
          c.at(leg.from + (leg.to - leg.from) * ease, side),
          (to.zone === "track" ? small : 1) * (1 + up * (leg.hop ? 0.18 : 0.05)),
          up * c.lane * (leg.hop ? 0.5 : 0.1),
        );
      }
      p.run = requestAnimationFrame(frame);
    };
    p.run = requestAnimationFrame(frame);
    frame(began);
  }

  /**
   * Spaces that can be chosen, by tap and by keyboard.
   * @param {Offer} of
   */
  offer({ picks, pick, all, chosen, name }) {
    const c = this.laid;
    const list = all ? c.list : picks ? [...picks] : [];
    /** @param {number} space */
    const called = space =>
      name ? name(space) : word("space", { n: c.closed && space === 0 ? word("start") : space });
    if (pick) this.pick = pick;
    patch(
      this.layers.picks,
      list.map((space, i) => {
        /** @param {Listened<Event>} event */
        const go = event => this.pick(space, event.currentTarget);
        return s("path", {
          key: space,
          class: `hit ${all ? "" : "pick"} ${chosen === space ? "chosen" : ""}`,
          d: c.outline(space, 3),
          role: "button",
          tabindex: i === 0 || c.spaces <= 60 ? 0 : -1,
          "data-hit": space,
          "data-space": space,
          "aria-label": called(space),
          onclick: go,
          onkeydown: event => {
            if (event.key === "Enter" || event.key === " ") {
              event.preventDefault();
              go(event);
            }
            const step = STEPS[event.key];
            if (step) {
              event.preventDefault();
              const row = every(".hit", this.layers.picks);
              row[(i + step + row.length) % row.length].focus();
            }
          },
        });
      }),
    );
    const open = new Set(list);
    for (const el of every(".num", this.layers.numbers)) {
      el.classList.toggle("open", !all && open.has(Number(el.dataset.number)));
    }
  }
}
