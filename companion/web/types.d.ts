// What the scripts of the pages get and make, for tsc. Nobody loads this file.

// --- elements -------------------------------------------------------------------------------------

type Child = Node | string | false | null | undefined | 0 | Child[];

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

/** A marked value of a sentence: what it is, and how it is said. */
interface Mark {
  text: string;
  piece?: string;
  seat?: number;
  space?: number;
  card?: number | string;
  gain?: number;
  loss?: number;
}
type Phrase = string | Mark;

// --- the course as the companion describes it, and where things are on it ----------------------------

/** What is printed on a course, and what lies loose on it. */
interface Printed {
  kind: string;
  spaces: number;
  behind?: number;
  natural?: number[];
  sand?: number[];
  stretch?: [number, number] | null;
  obstacles?: number[];
  laps?: number;
  progress?: Record<string, number>;
  home?: string[];
  out?: string[];
  placeholder?: boolean;
  first?: number;
}

/** A piece where it should stand. */
interface PieceAt {
  piece: string;
  label: string;
  zone: string;
  space: number | null;
}

/** A piece that is to be moved; `over` are the spaces between. */
interface Move {
  piece: string;
  from: number | null;
  at: string | null;
  to: number | null;
  zone: string;
  held: boolean;
  over: number[];
}

/** What a track draws. */
interface Position {
  match?: { animal: string } | null;
  course?: Printed | null;
  pieces: PieceAt[];
  moves: Move[];
  food: number[];
}

/** A position as the answers to questions have it; `say` is what would be due. */
interface Sketched {
  animal: string;
  course: Printed;
  food: number[];
  pieces: PieceAt[];
  moves: Move[];
  say: string | null;
}

interface SceneCard {
  seat: number;
  piece: string | null;
  number: string | null;
}

interface Purse {
  seat: number;
  loose: [number, number];
  kept: [number, number];
}

/** A picture of the rules, played by the rules themselves. */
interface Scene {
  animal: string;
  course: Printed;
  food: number[];
  pieces: PieceAt[];
  moves: Move[];
  stops: { piece: string; space: number }[];
  cards: SceneCard[];
  purse: Purse | null;
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
  stretch: (course: Printed, width: number, height: number) => Geometry;
  ground: (c: Geometry, course: Printed) => Layers;
}
/** What is drawn under what stands on a course, and over it. */
interface Layers {
  under: Element[];
  over: Element[];
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

interface Chance {
  p: number;
  error: number;
}
interface OddsRow extends Chance {
  seat: number;
  name: string;
  line: number[];
  also: Chance | null;
}
interface Bettable {
  piece: string;
  win?: Chance;
  place?: Chance;
}
interface Odds {
  title: string;
  note: string;
  old: boolean;
  rows: OddsRow[];
  also: string | null;
  pieces: Bettable[];
  pairs: (Chance & { pieces: string[] })[];
  off: string | null;
}

interface Panel {
  name: string;
  title: string;
  over: { cell: Phrase[]; columns: number }[];
  head: Phrase[][];
  grouped: boolean;
  rows: Phrase[][][];
}

interface Row {
  seat: number;
  name: string;
  score: number;
  place: number | null;
  kept?: number;
  provisional?: number | null;
  played?: number | null;
  cards?: number | null;
  staked?: number;
  bet?: boolean;
  chosen?: boolean;
  now?: boolean;
  lastCard?: boolean;
}

interface Alert {
  kind: string;
  part: string;
  text: string;
}
interface Luck {
  title: string;
  seats: string[];
  moments: string[];
}
interface Said {
  tone: string;
  parts: Phrase[];
  then: Phrase[];
  picture: {
    seat: number | null;
    piece: string | null;
    arrow: boolean;
    to: number | null;
    toText: string | null;
  } | null;
}
interface RoundEnd {
  key: string;
  title: string;
  rows: { seat: number; name: string; won: number; score: number }[];
}
interface Match {
  id: number;
  game: string;
  title: string;
  animal: string;
  seats: string[];
  options: Record<string, unknown>;
  colours: (string | null)[];
  bots: string[];
  finished: boolean;
  deal: string;
}
/** What the podium is drawn from. */
interface Ended {
  standings: Row[];
  unit: string | null;
  match: { animal: string; colours?: (string | null)[] } | null;
}
interface SeatOf {
  seat: number;
  name: string;
  joined: boolean;
  owes: boolean;
  bot: boolean;
}
interface Choice {
  line: Line;
  label: string;
  piece?: string | null;
  space?: number;
}
/** A line of the record. */
type Line = Record<string, unknown>;

/** A decision that is tapped: what can be chosen, or what is put together under `key`. */
interface Tap {
  do: string;
  seat: number;
  name: string;
  key: string;
  line: Line;
  pieces?: string[];
  labels?: string[];
  needed?: number;
  choices?: Choice[];
  slip?: Slip | null;
}
interface Gathered {
  seat: number;
  name: string;
  numbers: number[];
  needed: number;
}
interface Fix {
  side: string;
  piece: string;
  text: string;
  wrong: boolean;
}
interface Story {
  key: string;
  seat: number | null;
  piece: string | null;
  parts: Phrase[];
  gain: number;
}
interface Join {
  url: string;
  qr: string;
  text: string;
}

/** The public picture of the table. */
interface View extends Position {
  seq: number;
  mock: boolean;
  alerts: Alert[];
  match: Match | null;
  course: Printed | null;
  seen: Record<string, number | null> | null;
  say: Said;
  due: string | null;
  round: { text: string; round?: number } | null;
  stockText: string | null;
  standings: Row[];
  heads: { provisional: string; kept: string } | null;
  unit: string | null;
  panels: Panel[];
  usedCards: boolean | null;
  gathered: Gathered[];
  reward: { key: string; seat: number; name: string; kind: string; count: number; parts: Phrase[] } | null;
  roundEnd: RoundEnd | null;
  story: Story[];
  odds: Odds | null;
  luck: Luck | null;
  explaining: boolean | null;
  explain: { key: string; text: string; scene: Scene | null } | null;
  actions: {
    undo: { text: string } | null;
    redo: { text: string } | null;
    confirm: { text: string } | null;
    trust: Fix[];
    taps: Tap[];
  };
  join: Join | null;
  seats: SeatOf[];
  seatJoin: string | null;
}

// --- a seat ---------------------------------------------------------------------------------------------

interface Card {
  piece: string | null;
  text: string;
}
interface CardChoice extends Card {
  line: Line;
  count: number;
  cards: string[];
}
interface Kind {
  kind: string;
  title: string;
  means: string;
  dogs: number;
}
interface Pay {
  kind: string;
  dogs: string[];
  odds: string;
  ratio: [number, number];
}
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
  kinds: Kind[];
  pays: Pay[];
}
interface WayHead {
  do: string;
  title: string;
  line: Line;
  key: string;
  due: boolean;
}
interface CardWay extends WayHead {
  kind: "cards" | "spaces" | "sets";
  choices: CardChoice[];
}
interface OrderWay extends WayHead {
  kind: "order";
  pieces: { piece: string; text: string }[];
}
interface NumbersWay extends WayHead {
  kind: "numbers";
  numbers: number[];
  needed: number;
}
interface Slip extends WayHead, Payouts {
  kind: "bets";
  dogs: { piece: string; text: string; named: boolean; rank: number }[];
}
/** Something that a seat may decide. */
type Way = CardWay | OrderWay | NumbersWay | Slip;

/** Something that only this seat knows. */
interface Known {
  key: string;
  title: string;
  cards?: Card[];
  sets?: string[][];
  bets?: { title: string; dogs: { piece: string; text: string }[]; stake: number }[];
}
interface Own {
  seat: number;
  name: string;
  piece: string | null;
  turn: boolean;
  say: Phrase[] | null;
  prompt: Phrase[] | null;
  open: Way[];
  covered: { ways: Way[]; known: Known[] } | null;
  sealed: boolean;
}
interface SeatView {
  seq: number;
  mock: boolean;
  match: Match | null;
  say: Said;
  round: { text: string } | null;
  explain: { key: string; text: string } | null;
  seats: SeatOf[];
  own: Own | null;
}

// --- what was played --------------------------------------------------------------------------------------

interface Played {
  entry: number;
  seat: number | null;
  piece: string | null;
  text: string;
  stage: string | null;
  sealed: boolean;
  changed: boolean;
  closed: string | null;
}
interface OnePlayed extends Played {
  seq: number;
  now: Record<string, unknown> | null;
  tap: Tap;
  out: boolean;
  picture: Sketched;
}
interface PastMoment {
  seq: number;
  seat: number | null;
  piece: string | null;
  parts: Phrase[];
  gain: number;
  scores: number[];
}
interface PastGame {
  id: number;
  game: string;
  title: string;
  name: string;
  when: string;
  animal: string;
  unit: string;
  seats: string[];
  colours: (string | null)[];
  ended: boolean;
  standings: Row[];
  moments: PastMoment[];
  rounds: { title: string; kept: number[]; lost: number[]; open: number[] }[];
  odds: {
    done: number;
    of: number;
    off: string | null;
    wins: (number[] | null)[];
    errors: (number[] | null)[];
  };
  luck: Luck | null;
}
/** The table at a moment of a past game. */
type PastView = View & { match: Match; course: Printed; hands: Known[][] | null };

interface Leader {
  name: string;
  bot: string | null;
  games: number;
  wins: number;
  places: number[];
  best: number | null;
  average: number;
  share: number;
  error: number;
}
interface Leaderboard {
  game: string | null;
  title: string;
  unit: string;
  games: number;
  rows: Leader[];
}
/** A game in a list of games. */
interface Filed {
  id: number;
  game: string;
  title: string;
  name: string;
  when: string;
  animal: string;
  unit: string;
  state: string;
  seats: string[];
  ended: boolean;
  standings: Row[];
}

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
  odds?: OddsChart;
}
interface KeptChart {
  chart: Chart;
  own: boolean;
  computed: number | null;
}
interface GameForm {
  name: string;
  title: string;
  seats: [number, number];
  owned: boolean;
  usesStart: boolean;
  hands: boolean;
  pieces: string[];
  labels: string[];
  options: { name: string; default: unknown }[];
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
}
interface HostData {
  games: GameForm[];
  people: string[];
  last: Begun | null;
  charts: Record<string, KeptChart>;
  funny: string[];
  bots: { name: string; title: string }[];
}

// --- hardware and tags ------------------------------------------------------------------------------------

interface Lying {
  kind: string | null;
  colour: string | null;
  animal: string | null;
  label: string;
}
type Lies = Lying[] | boolean | null;
interface Sensor {
  space: number;
  kind: string;
  state: string;
  said: string;
  version: string | null;
  chip: string | null;
  step_ma: number | null;
  misses: number | null;
  changed_s: number | null;
  lies: Lies;
  wires: string | null;
}
interface PartState {
  state: string;
  why: string | null;
}
interface PadHealth extends PartState {
  library: string | null;
  version: string | null;
  chip: string | null;
  polls: number;
  misses: number;
  restarts: number;
  changed_s: number | null;
  lies: Lying[];
}
interface TrackHealth extends PartState {
  wire_text: string;
  port: string | null;
  firmware: string | null;
  board: string | null;
  started_by: string | null;
  sensors: Sensor[];
  power: string | null;
  sweep_ms: number | null;
  celsius: number | null;
  volts: number | null;
  milliamperes: number | null;
  lines: number;
  hurt: number;
  resyncs: number;
}
interface PiHealth {
  model: string | null;
  undervoltage: boolean | null;
  undervoltage_since_start: boolean | null;
  slowed: boolean | null;
  celsius: number | null;
  spi: string | null;
}
interface Latency {
  ms: number[];
  median: number | null;
  p95: number | null;
}
interface RangeTest {
  at: string;
  polls: number;
  hits: { kind: string | null; label: string; n: number }[];
  torn: number;
  power: number | null;
  fault: string | null;
}
interface Figure {
  when: string;
  what: string;
  at: string;
  polls: number;
  hits: number;
  height_mm: number | null;
  offset_mm: number | null;
  torn: number;
  power: number | null;
  chip: string | null;
  note: string;
  mock: boolean;
}
interface Hardware {
  findings: { grave: string; part: string; what: string; cause: string; try: string[] }[];
  track: TrackHealth | null;
  pad: PadHealth | null;
  panel: PartState | null;
  pi: PiHealth | null;
  mock: boolean;
  course: Printed | null;
  latency: Latency;
  recorder: { on: boolean; file: string | null; why: string | null } | null;
  figures: Figure[];
}

interface Thing {
  means: string;
  kind: string;
  colour: string;
  number: number | null;
  label: string;
  done: boolean;
}
interface Enrolment {
  game: string;
  title: string;
  animal: string;
  done: number;
  of: number;
  next: Thing | null;
  things: Thing[];
  turned: { text: string; uid: string | null } | null;
  turns: number;
  undo: string | null;
  skip: string | null;
  again: boolean;
}
interface TagsView {
  mock: boolean;
  pad: string;
  padSays: string | null;
  beeps: boolean;
  games: { name: string; title: string; animal: string; colours: string[]; done: number; of: number }[];
  now: Enrolment | null;
}

interface MockFault {
  kind: string;
  at: string;
  on: boolean;
}
interface Mock {
  tags: Record<string, { means?: string; at: string }>;
  faults: MockFault[];
}
interface MockGame {
  name: string;
  title: string;
  animal: string;
  numbered: boolean;
  linesUp: boolean;
}

interface DocumentEventMap {
  view: CustomEvent<View>;
}
