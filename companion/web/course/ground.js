// Draws the empty course: turf, lane, spaces, numbers, lines, and what is printed or put on it.
import { s, word } from "../common/draw.js";
import { groundOf } from "./course.js";

/** @param {number} a */
export const degrees = a => (a * 180) / Math.PI;
/** @param {Spot} p */
export const turned = (p, z = 1) =>
  `translate(${p.x.toFixed(1)} ${p.y.toFixed(1)}) rotate(${degrees(p.direction).toFixed(1)})${
    z === 1 ? "" : ` scale(${z})`
  }`;

/**
 * Striped turf in a box with round corners, and what is drawn on it.
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 * @param {number} r
 * @param {Child} [above]
 */
function turf(x, y, w, h, r, above = null) {
  const clip = `turf-${Math.random().toString(36).slice(2)}`;
  const stripes = Array.from({ length: Math.ceil((w + h * 0.2) / 92) + 1 }, (_, i) => x + (i - 1) * 92);
  return [
    s("clipPath", { id: clip }, s("rect", { x, y, width: w, height: h, rx: r })),
    s(
      "g",
      { "clip-path": `url(#${clip})` },
      s("rect.turf", { x, y, width: w, height: h }),
      stripes.map(left => s("path.turf2", { d: `M${left} ${y + h}h46l${h * 0.16} ${-h}h-46z` })),
      above,
    ),
  ];
}

/**
 * A chequered line across the lane before a space.
 * @param {Geometry} c
 * @param {number} space
 */
export function line(c, space) {
  const rows = Math.max(4, Math.round(c.lane / 12));
  const z = c.lane / rows;
  const wide = Math.min(z, 10);
  return s(
    "g",
    { transform: turned(c.at(space - 0.5)) },
    Array.from({ length: 2 * rows }, (_, n) => {
      const [i, j] = [Math.floor(n / 2), n % 2];
      return s("rect", {
        class: `chk${(i + j) % 2}`,
        x: (j - 1) * wide,
        y: -c.lane / 2 + i * z,
        width: wide,
        height: z,
      });
    }),
  );
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} text
 */
function signpost(x, y, text) {
  const wide = 30 + text.length * 15;
  return s(
    "g.signpost",
    { transform: `translate(${x} ${y})` },
    s("rect", { x: -wide / 2, y: -19, width: wide, height: 38, rx: 6 }),
    s("text", { y: 1 }, text),
  );
}

/**
 * @param {Geometry} c
 * @param {number} from
 * @param {number} to
 * @param {string} close
 */
export const rails = (c, from, to, close) =>
  [c.lane / 2, -c.lane / 2].flatMap(side => {
    const d = c.along(from, to, side) + close;
    return [
      s("path.railsh", { d, "stroke-width": c.lane < 40 ? 4 : 8 }),
      s("path.rail", { d, "stroke-width": c.lane < 40 ? 2 : 5 }),
    ];
  });

/**
 * Whether numbers have a side of the lane to themselves, away from the pieces.
 * @param {Geometry} c
 */
export const apart = c => (!!c.infield || c.kind === "course") && c.lane > 26;

/**
 * How large numbers are printed (px) where each `every`th is.
 * @param {Geometry} c
 * @param {number} every
 */
export const numberSize = (c, every) =>
  Math.max(
    11,
    Math.min(22, c.lane * (c.infield || c.kind === "course" ? 0.3 : 0.44), every === 1 ? c.cell * 0.55 : 22),
  );

/**
 * Where the number of a space is printed, `size` px high.
 * @param {Geometry} c
 * @param {number} space
 * @param {number} size
 */
export const numberAt = (c, space, size) =>
  c.at(space, apart(c) ? c.numbers * (c.lane / 2 - size * 0.72 - 3) : 0);

/**
 * The numbers of the spaces, where no piece stands; `plain`: those on water or moor need a ground.
 * @param {Geometry} c
 * @param {Set<number>} [plain]
 */
export function numbers(c, plain = new Set()) {
  const every =
    c.spaces > 400 ? 20 : c.spaces > 150 ? 10 : c.spaces >= (c.kind === "course" ? 70 : 40) ? 5 : 1;
  const size = numberSize(c, every);
  return c.list
    .filter(i => c.called(i) > 0 && i % every === 0)
    .flatMap(i => {
      const p = numberAt(c, i, size);
      const wide = size * (0.5 + 0.6 * String(c.called(i)).length);
      return [
        plain.has(i) &&
          s("rect.numground", {
            x: p.x - wide / 2,
            y: p.y - size * 0.62,
            width: wide,
            height: size * 1.24,
            rx: size * 0.5,
          }),
        s("text.num", { "font-size": size, x: p.x, y: p.y, "data-number": i }, String(c.called(i))),
      ];
    })
    .filter(el => el !== false);
}

/** @param {Geometry} c */
function loopGround(c) {
  const under = [];
  const over = [];
  const all = c.spaces;
  if (c.infield) under.push(...turf(c.infield.x, c.infield.y, c.infield.w, c.infield.h, c.infield.r));
  under.push(s("path.lane", { d: `${c.along(0.5, all + 0.4999, 0)}Z`, "stroke-width": c.lane }));
  for (const i of c.list) under.push(s("path", { class: `cell ${i % 2 ? "alt" : ""}`, d: c.outline(i, 2) }));
  under.push(...rails(c, 0.5, all + 0.4999, "Z"));
  over.push(line(c, 1));
  const size = c.lane > 44 && c.cell > 52 ? Math.min(22, c.lane * 0.24, c.cell * 0.26) : 0;
  if (size) {
    over.push(
      s(
        "text.startword",
        { "font-size": size, transform: turned(c.at(-Math.min(0.3, 9 / c.cell), c.lane * 0.27)) },
        word("START"),
      ),
    );
  }
  return { under, over: [...over, ...numbers(c)] };
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} wide
 */
const wave = (x, y, wide) =>
  `M${x - wide} ${y}q${wide / 4} -9 ${wide / 2} 0t${wide / 2} 0 ${wide / 2} 0 ${wide / 2} 0`;

/**
 * What makes a natural obstacle known: waves on a river, tufts on the moor.
 * @param {Geometry} c
 * @param {number} space
 * @param {string} kind
 */
export function nature(c, space, kind) {
  const p = c.at(space, c.lane * 0.12);
  const z = Math.min(1.1, c.cell / 66, c.lane / 104);
  const tufts = [
    [-14, -24],
    [12, -10],
    [-12, 8],
    [14, 24],
  ];
  const clip = `bank-${space}-${Math.random().toString(36).slice(2)}`;
  return s(
    "g",
    { "clip-path": `url(#${clip})` },
    s("clipPath", { id: clip }, s("path", { d: c.outline(space, 0) })),
    s(
      "g.nature",
      { transform: `translate(${p.x.toFixed(1)} ${p.y.toFixed(1)}) scale(${z.toFixed(2)})` },
      kind === "river"
        ? [-26, -8, 10, 28].map(y => s("path.wave", { d: wave(0, y, 24) }))
        : tufts.map(([x, y]) => [
            s("path.tuft", { d: `M${x} ${y}v-13M${x} ${y}l-8-9M${x} ${y}l8-9` }),
            s("ellipse.puddle", { cx: x, cy: y + 3, rx: 12, ry: 4 }),
          ]),
    ),
  );
}

/**
 * A river does not begin at the rails: it comes through the turf.
 * @param {Geometry} c
 * @param {number} space
 */
function riverbed(c, space) {
  const reach = Math.min(c.strip * 0.42, 34);
  const wide = c.cell * 0.9;
  const p = c.at(space);
  return s("rect.water", {
    transform: turned(p),
    x: -wide / 2,
    y: -c.lane / 2 - reach,
    width: wide,
    height: c.lane + 2 * reach,
    rx: Math.min(reach, wide / 2),
  });
}

/** @param {Geometry} c */
export function gate(c) {
  const p = c.at(0.5);
  const half = c.lane / 2;
  const bars = Math.max(3, Math.round(c.lane / 26));
  const thick = Math.max(3, Math.min(7, c.lane / 16));
  const deep = Math.min(40, c.gate * 0.3);
  const d = `M0 ${-half - 6}V${half + 6}${Array.from(
    { length: bars + 1 },
    (_, i) => `M0 ${-half + (i * c.lane) / bars}h${-deep}`,
  ).join("")}`;
  return s(
    "g.gatepost",
    { transform: `translate(${p.x} ${p.y})` },
    s("path.gatesh", { d, "stroke-width": thick + 5 }),
    s("path.gatebar", { d, "stroke-width": thick }),
  );
}

/**
 * @param {Geometry} c
 * @param {CourseView} view
 */
function courseGround(c, view) {
  /** @param {number} space */
  const kind = space => groundOf(view, space);
  const from = 0.5 - c.gate / c.cell;
  const to = c.last + 0.5;
  const wet = c.list.filter(space => ["river", "moor"].includes(kind(space)));
  const rivers = c.strip > 14 ? wet.filter(space => kind(space) === "river") : [];
  const beds = rivers.map(space => riverbed(c, space));
  const under = turf(0, 0, c.width, c.height, 22, beds);
  const over = [];
  under.push(s("path.lane.grass", { d: c.along(from, to, 0), "stroke-width": c.lane }));
  for (const space of c.list) {
    under.push(s("path", { class: `cell ${kind(space)} ${space % 2 ? "alt" : ""}`, d: c.outline(space, 0) }));
  }
  if (c.lane > 34) under.push(...wet.map(space => nature(c, space, kind(space))));
  under.push(...rails(c, from, to, ""));
  over.push(line(c, c.finish + 1), gate(c));
  const room = c.strip > 42;
  /**
   * @param {number} space
   * @param {string} text
   * @param {number} side
   */
  const post = (space, text, side) => {
    const p = c.at(space, side * (c.lane / 2 + 20));
    const wide = 16 + text.length * 8;
    return signpost(
      Math.max(wide, Math.min(c.width - wide, p.x)),
      Math.max(20, Math.min(c.height - 20, p.y)),
      text,
    );
  };
  if (room) {
    over.push(
      post(0.5, word("GATE"), -1),
      post(
        c.finish + 0.5,
        word("FINISH"),
        Math.cos(c.at(c.finish + 0.5).direction) < -0.5 || c.finish < 3 ? -1 : 1,
      ),
    );
  }
  return { under, over: [...over, ...numbers(c, new Set(wet))] };
}

/**
 * The drawn ground of a course in two layers: under the cards and pieces on it, and over them.
 * @param {Geometry} c
 * @param {CourseView} view
 */
export const ground = (c, view) => (c.kind === "course" ? courseGround(c, view) : loopGround(c));

/**
 * Everything of a course that its ground is drawn from, without what is loose on it.
 * @param {CourseView} course
 */
export const printed = course => [
  course.kind,
  course.spaces,
  course.behind,
  course.natural,
  course.sand,
  "laps" in course,
  course.stretch,
];

/**
 * @param {Geometry} c
 * @param {number} space
 */
const foodAt = (c, space) => {
  const p = c.at(c.fits(space), -c.lane * (c.lane < 60 ? 0.24 : 0.18));
  const r = Math.min(27, c.lane * 0.28, Math.max(9, c.cell * 0.44));
  return s(
    "g.food",
    {
      transform: `translate(${p.x} ${p.y})`,
      role: "img",
      "aria-label": word("food on space", { n: space }),
      "data-food": space,
    },
    s("circle.token", { r }),
    s("use", { href: "#acorn", x: -r * 0.74, y: -r * 0.78, width: r * 1.5, height: r * 1.5 }),
  );
};

/**
 * @param {Geometry} c
 * @param {number} space
 */
const fenceAt = (c, space) => {
  const p = c.at(c.fits(space), c.lane * (c.lane < 40 ? 0 : 0.17));
  const z = Math.min(1, c.lane / 118, c.cell / 64);
  return s(
    "g.fence",
    {
      transform: `translate(${p.x.toFixed(1)} ${p.y.toFixed(1)}) scale(${z.toFixed(2)})`,
      role: "img",
      "aria-label": word("obstacle on space", { n: space }),
      "data-obstacle": space,
    },
    s("use", { href: "#fence", x: -34, y: -34, width: 68, height: 68 }),
  );
};

/**
 * What is loose on the track.
 * @param {Geometry} c
 * @param {Position} view
 */
export const looseItems = (c, view) => [
  ...(view.food || []).map(space => foodAt(c, space)),
  ...(view.course?.obstacles || []).map(space => fenceAt(c, space)),
];

/**
 * The spaces that have something on them or are obstacles by nature.
 * @param {Position} view
 */
export const occupied = view => [
  ...(view.food || []),
  ...(view.course?.obstacles || []),
  ...(view.course?.natural || []),
];

/**
 * Chevrons on the empty spaces, in the direction of the race.
 * @param {Geometry} c
 * @param {Set<number>} taken
 */
export function chevrons(c, taken) {
  if (c.spaces > 200 || c.lane < 34) return [];
  const z = Math.min(1, c.lane / 100, c.cell / 52);
  const edge = c.infield || c.kind === "course";
  const every = c.spaces >= 40 ? 5 : 1;
  const out = [];
  for (const i of c.list) {
    if (i < 1 || taken.has(i) || (!edge && i % every === 0) || (c.kind === "course" && i % 2)) continue;
    for (const d of c.cell > 40 ? [-0.13, 0.13] : [0]) {
      const p = c.at(i + d * Math.min(1, 80 / c.cell), edge ? -c.numbers * c.lane * 0.12 : 0);
      out.push(s("path.chev", { d: "M-6-10 5 0-6 10", transform: turned(p, z) }));
    }
  }
  return out;
}
