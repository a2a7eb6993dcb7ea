// What the scripts of the pages make of what they get (replies.d.ts), for tsc. Nobody loads this file.

// --- elements -------------------------------------------------------------------------------------

/** An element as a view describes it: common/patch.js makes it, or changes the one that is there. */
interface VNode {
  tag: string;
  svg: boolean;
  attributes: Attributes;
  children: Child[];
}
type Child = VNode | Node | string | false | null | undefined | 0 | Child[];

type Listened<E extends Event> = E & { currentTarget: HTMLElement; target: HTMLElement };
type Filled = Event & { currentTarget: HTMLInputElement; target: HTMLInputElement };

/** Attributes of a made element: what is null, undefined or false is left out. */
interface Attributes {
  onclick?: (event: Listened<MouseEvent>) => unknown;
  onkeydown?: (event: Listened<KeyboardEvent>) => unknown;
  onchange?: (event: Filled) => unknown;
  oninput?: (event: Filled) => unknown;
  [name: string]: string | number | boolean | null | undefined | ((event: never) => unknown);
}

/** What the companion answers to a POST: of each way something else; `reason` says why it refused. */
type Answer = Record<string, any>;

// --- sentences ------------------------------------------------------------------------------------

type Phrase = string | Mark;

// --- the course as the companion describes it, and where things are on it ----------------------------

/** What a track draws. */
interface Position {
  match?: { animal: string } | null;
  course?: CourseView | null;
  pieces: PieceAt[];
  moves: WayTo[];
  food: number[];
}

// --- the geometry of a course -------------------------------------------------------------------------

interface Point {
  x: number;
  y: number;
}
interface Spot extends Point {
  direction: number;
}
/** A place beside the track: what stands there is so large. */
interface Stall extends Spot {
  size: number;
}
interface Box extends Point {
  w: number;
  h: number;
}
/** The inside of a loop, with round corners. */
interface Infield extends Box {
  r: number;
}
/** A part of a way: where it is after so many px, as x, y and direction. */
interface Part {
  length: number;
  at: (s: number) => [number, number, number];
}

/** What a course is laid from. */
interface Plan {
  kind: string;
  spaces: number;
  first: number;
  width: number;
  height: number;
  lane: number;
  infield: Infield | null;
  parts: Part[];
  before?: number;
  numbers: number;
  aside: (i: number, n: number) => Stall;
  asides: number;
  strip?: number;
  stall?: ((i: number) => Stall) | null;
  finish?: number;
  gate?: number;
  sign?: Point | null;
}

interface Geometry extends Required<Omit<Plan, "parts" | "before">> {
  last: number;
  cell: number;
  length: number;
  piece: number;
  list: number[];
  closed: boolean;
  fits: (space: number) => number;
  called: (space: number) => number;
  at: (space: number, offset?: number) => Spot;
  along: (from: number, to: number, offset: number | ((t: number) => number), begin?: string) => string;
  outline: (space: number, inset?: number) => string;
  nearest: (x: number, y: number) => { space: number; distance: number };
}

/** How another kind of course is laid and drawn. */
interface Terrain {
  stretch: (course: CourseView, width: number, height: number) => Geometry;
  ground: (c: Geometry, course: CourseView) => Layers;
}
/** What is drawn under what stands on a course, and over it. */
interface Layers {
  under: VNode[];
  over: VNode[];
}

/** A leg of a piece's way: along the course, or straight from a point to another (`fly`). */
interface Leg {
  from: number;
  to: number;
  time: number;
  hop: boolean;
  fly?: [Spot, Spot];
}

/** Where a piece is drawn. */
interface Stand {
  zone: string;
  space: number;
  label: string;
  due?: boolean;
  at: Spot;
  scale: number;
  side?: number;
  along?: number;
}
/** Where a piece is, before it is known where that is on the screen. */
interface Placed {
  zone: string;
  space: number;
  label: string;
  due?: boolean;
}
interface Drawn {
  el: SVGElement;
  stands: Stand;
  run: number;
  animal: string;
  tagged?: string;
}

/** What a track offers: spaces to choose, pieces that are only meant. */
interface Offer {
  preview?: { piece: string; space: number }[];
  picks?: Iterable<number>;
  all?: boolean;
  chosen?: number;
  pick?: (space: number, el: Element) => unknown;
  name?: (space: number) => string;
}

// --- the picture of the table ------------------------------------------------------------------------

/** A match with what everybody sees of it, now or at a past moment. */
type Shown = MatchAt & { odds?: Tote | null };

/** What the podium is drawn from. */
interface Ended {
  standings: StandingView[];
  unit: string | null;
  match: { animal: string; colours?: (string | null)[] } | null;
}
/** A line of the record. */
type Line = Record<string, unknown>;

// --- a seat ---------------------------------------------------------------------------------------------

interface Bet {
  dogs: string[];
  stake: number;
}
type Sheet = Record<string, Bet>;

/** What a bet slip counts with. */
interface Payouts {
  step: number;
  least: number;
  most: number;
  kinds: BetKind[];
  pays: Pay[];
}
/** Something that a seat may decide. */
type DecisionForm = CardForm | SpaceForm | SetForm | OrderForm | NumbersForm | BetSlip;

// --- the host's forms -----------------------------------------------------------------------------------

interface Board {
  finish: number;
  natural: number[];
  sand: number[];
}
interface OddsChart {
  win: number[];
  place: number[];
  double: Record<string, number>;
}
interface Chart {
  board?: Board;
  lap?: number;
  odds?: OddsChart | OddsChart[];
}
/** What a game is begun with. */
interface Begun {
  game: string;
  seats: string[];
  start?: number;
  options?: Record<string, unknown>;
  deal?: string;
  colours?: (string | null)[];
  nicknames?: Record<string, string>;
  bots?: string[];
  explain?: boolean;
  question?: number;
}

// --- hardware and tags ------------------------------------------------------------------------------------

type Lies = TagView[] | boolean | null;

interface DocumentEventMap {
  view: CustomEvent<View>;
  cheers: CustomEvent<Cheers>;
}

/** Web NFC, which TypeScript's own types do not have: https://w3c.github.io/web-nfc/ */
declare class NDEFReader extends EventTarget {
  scan(): Promise<void>;
}
interface NfcReading extends Event {
  /** The UID of the tag, as `04:a1:b2:c3`. */
  serialNumber: string;
}
