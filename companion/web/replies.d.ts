// Written by `make schema` of the structs that the companion sends: edit those.

/** The buttons that are there now; `tap` is there where only one seat taps, `taps` are all. */
interface Actions {
  undo: Press | null;
  redo: Press | null;
  confirm: Press | null;
  trust: FixView[];
  tap: Tap | null;
  taps: Tap[];
}

/** A button and what stands on it. */
interface Press {
  text: string;
}

/** A way to agree: which side is trusted; `wrong`: about a piece that stands wrong, or all the table. */
interface FixView {
  side: "app" | "table";
  piece: string;
  text: string;
  wrong: boolean;
}

/** A decision that is tapped: `choices`, pieces in order, or `needed` cards, put under `key` of `line`. */
interface Tap {
  do: string;
  seat: number;
  name: string;
  key: string;
  line: Record<string, unknown>;
  pieces?: string[];
  labels?: string[];
  choices?: TapChoice[];
  needed?: number;
}

/** A decision that can be chosen: a space, or a card (`piece`: of that colour). */
interface TapChoice {
  space?: number;
  piece?: string | null;
  label: string;
  line: Line;
}

/**
 * What people should know.
 *
 * `refused`: what pad or track refuses; `held`: a card waits until the pieces stand right; `not-played`: it
 * was lifted too early; `wait`: tags are being given, so cards are tapped; `tap`, `lost`, `fault`: how a
 * part is; `journal`: what happened to its file. `part` is empty where it is the companion itself.
 */
interface AlertView {
  kind: "refused" | "held" | "not-played" | "wait" | "tap" | "lost" | "fault" | "journal";
  part: "pad" | "track" | "panel" | "";
  text: string;
}

/** By game, the options that describe its print. */
interface AllCharts {
  charts: Record<string, KeptChart>;
}

/**
 * A game's chart; `own`: the owner entered it, else it is the companion's; `computed` for this return.
 *
 * `by_seats`: with what so many begin until the owner enters one; that of the most seats is `chart`.
 */
interface KeptChart {
  chart: Chart;
  own: boolean;
  computed: number | null;
  by_seats: Record<string, Chart>;
}

/** All matches, the newest first. */
interface AllMatches {
  matches: FiledMatch[];
}

/** A match in the list of all; nobody has a place in one that was not played to its end. */
interface FiledMatch {
  id: number;
  game: string;
  title: string;
  seats: string[];
  state: "running" | "finished" | "aside" | "ended";
  when: string;
  unit: "" | "food" | "money";
  standings: StandingView[];
}

/** A seat's score and place; no place where the game gives none. */
interface StandingView {
  seat: number;
  name: string;
  score: number;
  place: number | null;
}

/** The decisions in force, the newest first. */
interface AllPlayed {
  seq: number;
  played: PlayedLine[];
}

/** A decision as the host's list has it. */
interface PlayedLine {
  entry: number;
  seat: number | null;
  piece: string | null;
  text: string;
  stage: string | null;
  sealed: boolean;
  changed: boolean;
  closed: string | null;
}

/** What every tag means, and the box that is being enrolled. */
interface AllTags {
  tags: Record<string, string>;
  enrolling: Enrolling | null;
}

/** The box that is being enrolled, what is due (null: everything has its tag), and how many have one. */
interface Enrolling {
  game: string;
  next: string | null;
  done: number;
  of: number;
}

/** The number to show to the host, who can hand the seat over. */
interface Asked {
  seq: number;
  number: number;
}

/** What a seat is called for an evening, and by which rule. */
interface BadgeView {
  name: string;
  rule: string;
}

/** A kind of bet: on how many dogs, and when it is won. */
interface BetKind {
  kind: string;
  title: string;
  means: string;
  dogs: number;
}

/** A bet: what it pays, and how likely it is won now. */
interface BetNow {
  what: string;
  pieces: string[];
  pays: string;
  p: number;
  error: number;
}

/** One bet of each kind at most, stakes in steps, together from `least` to `most`. */
interface BetSlip {
  kind: "bets";
  do: string;
  title: string;
  line: Record<string, unknown>;
  key: string;
  due: boolean;
  step: number;
  least: number;
  most: number;
  kinds: BetKind[];
  dogs: DogToBet[];
  pays: Pay[];
}

/** A dog that may be bet on; `named`: people gave it a name. */
interface DogToBet {
  piece: string;
  text: string;
  named: boolean;
  rank: number;
}

/** What a bet pays, in words and as a fraction, so that the page counts exactly. */
interface Pay {
  kind: string;
  dogs: string[];
  odds: string;
  ratio: [number, number];
}

/** A bet that was made. */
interface BetView {
  title: string;
  dogs: PieceNamed[];
  stake: number;
}

/** A piece and its name. */
interface PieceNamed {
  piece: string;
  text: string;
}

/** A piece and the bets on it alone. */
interface Bettable {
  piece: string;
  win?: BetNow;
  place?: BetNow;
}

/** The new tag that lies on the pad. */
interface BlankTag {
  seq: number;
  tag: string;
}

/** A game's box, and how many of its things have a tag. */
interface BoxView {
  name: string;
  title: string;
  animal: string;
  colours: string[];
  done: number;
  of: number;
}

/** The first later decision that does not fit, and why. */
interface Breaks {
  entry: number;
  text: string;
  reason: string;
}

/** A card that may be chosen, and how many of it are in the hand; what it would bring, if that is said. */
interface CardChoice {
  piece: string | null;
  text: string;
  line: Line;
  count: number;
  brings: (string | Mark)[] | null;
}

/** A marked value of a sentence: what it is, and how it is said. */
interface Mark {
  seat?: number;
  piece?: string;
  space?: number;
  card?: number | string;
  gain?: number;
  loss?: number;
  text: string;
}

/** Cards, one of which is chosen; on what condition they bring what is said beside them. */
interface CardForm {
  kind: "cards";
  do: string;
  title: string;
  line: Record<string, unknown>;
  key: string;
  due: boolean;
  choices: CardChoice[];
  note: string | null;
}

/** A card: a colour with its name, or a number; or a space. */
interface CardView {
  piece: string | null;
  text: string;
}

/** Who is likeliest to win, and how likely that is. */
interface Chance {
  seat: number;
  name: string;
  p: number;
}

/**
 * How likely something is, and half the width of its 95 % interval.
 *
 * Of a seat: `win` the game, `keep` its food of this round (pigs), its horse is `placed` (giro). Of
 * `pieces`: `win` this race, `place` first or second, `double` these two first and second.
 */
interface ChanceView {
  what: "win" | "keep" | "placed" | "place" | "double";
  seat: number | null;
  pieces: string[];
  p: number;
  error: number;
}

/** Tables that have changed, or all of them. */
interface Changed {
  tables: Summary[];
}

/**
 * A table in a list of tables, in no language.
 *
 * `here`: it is heard; `state`: nothing lies on it, a game is played, or one is over. `due`: whose turn it
 * is; `first`: the first of the standings, with scores in `unit`; `favourite`: null where odds are unknown.
 */
interface Summary {
  name: string;
  here: boolean;
  heard: string;
  seq: number;
  state: "empty" | "playing" | "over";
  game: string | null;
  title: string | null;
  animal: string | null;
  seats: string[];
  due: string[];
  first: Standing[];
  unit: "" | "food" | "money";
  favourite: Chance | null;
}

/** A seat of the first ones; `place` is null while there is none. */
interface Standing {
  seat: number;
  name: string;
  score: number;
  place: number | null;
}

/** The chart of a game that is kept now, or that was computed. */
interface ChartOf {
  seq: number;
  game: string;
  chart: Chart;
  own: boolean;
  computed: number | null;
  by_seats: Record<string, Chart>;
}

/** A sign of our own for a seat or a piece, or for all of them. */
interface Cheer {
  sign: "heart" | "star" | "horseshoe" | "rosette" | "flag";
  seat: number | null;
  piece: string | null;
}

/** What was cheered since the last time, the first first. */
interface Cheers {
  cheers: Cheer[];
}

/** One of the values that an option may have, and what it says. */
interface ChoiceView {
  value: string;
  label: string;
}

/** One sentence on the race; `key`, the number of the entry, rises: each is said once. */
interface CommentView {
  key: string;
  text: string;
}

/** What is printed on a course, and what lies loose on it, as far as the game has such things. */
interface CourseView {
  kind: "loop" | "course";
  spaces: number;
  behind?: number;
  natural?: number[];
  sand?: number[];
  obstacles?: number[];
  laps?: number;
  home?: string[];
  out?: string[];
  progress?: Record<string, number>;
  placeholder?: boolean;
  stretch?: [number, number];
  first?: number;
}

/** What is shown only while somebody holds it open. */
interface Covered {
  ways: (CardForm | SpaceForm | SetForm | OrderForm | NumbersForm | BetSlip)[];
  known: Known[];
}

/** Spaces, one of which is chosen. */
interface SpaceForm {
  kind: "spaces";
  do: string;
  title: string;
  line: Record<string, unknown>;
  key: string;
  due: boolean;
  choices: CardChoice[];
}

/** Sets of cards, one of which is chosen. */
interface SetForm {
  kind: "sets";
  do: string;
  title: string;
  line: Record<string, unknown>;
  key: string;
  due: boolean;
  choices: SetChoice[];
}

/** A whole set that may be chosen. */
interface SetChoice {
  line: Line;
  cards: string[];
}

/** Pieces that are put in order. */
interface OrderForm {
  kind: "order";
  do: string;
  title: string;
  line: Record<string, unknown>;
  key: string;
  due: boolean;
  pieces: PieceNamed[];
}

/** Cards, so many of which are chosen. */
interface NumbersForm {
  kind: "numbers";
  do: string;
  title: string;
  line: Record<string, unknown>;
  key: string;
  due: boolean;
  numbers: number[];
  needed: number;
}

/** Something that only this seat knows: cards, sets of cards, or bets. */
interface Known {
  key: "bets" | "choice" | "hand" | "set_aside" | "sets";
  title: string;
  bets?: BetView[];
  sets?: string[][];
  cards?: CardView[];
}

/**
 * What a watcher may do now, and the tipsters' table, the richest first.
 *
 * `state`: a favourite can be picked (open) or no longer (closed), the game is over; null: the host wants
 * none of it, or no game is running. `race`: of which race the favourites are, 0 where they are of the game.
 * `gain`: what the favourite brought the device that asks, less the stake, null until it is settled; `last`
 * and `last_gain`: the same of the race before. `money`: all matches of the evening together. `tipsters`:
 * null until somebody picks.
 */
interface CrowdView {
  state: string | null;
  match: number | null;
  race: number;
  stake: number;
  nickname: string;
  favourites: FavouriteView[];
  mine: FavouriteView | null;
  gain: number | null;
  last: FavouriteView | null;
  last_gain: number | null;
  money: number;
  tipsters: PanelView | null;
}

/** A seat, or a piece that runs in the race, and what it pays to those who pick it now. */
interface FavouriteView {
  seat: number | null;
  piece: string | null;
  name: string;
  pays: number;
}

/** A panel, every cell as the phrases of a sentence. */
interface PanelView {
  name: string;
  title: string;
  over: Spanning[];
  head: (string | Mark)[][];
  grouped: boolean;
  rows: (string | Mark)[][][];
}

/** A cell over the head that spans so many columns. */
interface Spanning {
  cell: (string | Mark)[];
  columns: number;
}

/** Done and synced; the journal's last entry by now. */
interface Done {
  seq: number;
}

/** The decision that the game waits for, and the seats that owe it, ascending; none for a deal. */
interface Due {
  do: "line-up" | "deal" | "place-food" | "play" | "place-obstacle" | "show" | "rank" | "bet";
  seats: number[];
}

/** Done; how far the box is. */
interface Enrolled {
  seq: number;
  enrolling: Enrolling | null;
}

/** The box that gets its tags: what is next, what can be skipped or taken back, what was turned away. */
interface EnrolmentView {
  game: string;
  title: string;
  animal: string;
  next: ThingView | null;
  skip: string | null;
  undo: string | null;
  again: boolean;
  turned: TurnedAway | null;
  turns: number;
  things: ThingInBox[];
  done: number;
  of: number;
}

/** A card or a piece of a box; `number` is 0 of a piece. */
interface ThingView {
  means: string;
  kind: "card" | "piece";
  colour: string;
  number: number;
  label: string;
}

/** Why a tag was not taken, and which one where it can be taken all the same. */
interface TurnedAway {
  text: string;
  uid: string | null;
}

/** A thing of the box, and whether it has a tag. */
interface ThingInBox {
  means: string;
  kind: "card" | "piece";
  colour: string;
  number: number;
  label: string;
  done: boolean;
}

/**
 * Luck against choice in the game that has just ended, with what the evening is remembered by.
 *
 * `headline` is null, and there are no `badges`, until the odds of every moment are known.
 */
interface EveningReport {
  title: string;
  seats: string[];
  moments: string[];
  parts: LuckParts[];
  swings: SwingView[];
  headline: (string | Mark)[] | null;
  badges: BadgeView[][];
}

/**
 * A seat's chance at the start and share of the victory at the end, and by how much luck, its own and the
 * others' choices moved it, in points of a hundred; null: no clear difference.
 *
 * Luck is what `deals` brought, 0 where nothing is dealt, and what choices brought beyond what their makers
 * could know, `unseen`; both are null of games told before that was known.
 */
interface LuckParts {
  start: number;
  end: number;
  luck: number | null;
  own: number | null;
  others: number | null;
  deals: number | null;
  unseen: number | null;
}

/** A moment that decided the game: from moment `since` to moment `at`; chances by seat, in points. */
interface SwingView {
  since: number;
  at: number;
  stage: string;
  parts: (string | Mark)[];
  before: number[];
  after: number[];
  gainer: number;
  loser: number;
}

/** What is explained now, in a first game, with its picture if the rules have one. */
interface Explanation {
  key: string;
  text: string;
  scene: SceneView | null;
}

/** A picture of the rules: what stands and moves where, what stops it, the cards, the food then. */
interface SceneView {
  animal: string;
  course: CourseView;
  food: number[];
  pieces: PieceAt[];
  moves: WayTo[];
  stops: Stop[];
  cards: SceneCard[];
  purse: Purse | null;
}

/** A piece and where it should stand. */
interface PieceAt {
  piece: string;
  label: string;
  zone: "track" | "gate" | "home" | "out";
  space: number | null;
}

/** A piece that is to be moved; `over` are the spaces between. */
interface WayTo {
  piece: string;
  from: number | null;
  at: "track" | "gate" | "home" | "out" | null;
  to: number | null;
  zone: "track" | "gate" | "home" | "out";
  held: boolean;
  over: number[];
}

/** Where something stops a piece. */
interface Stop {
  piece: string;
  space: number;
}

/** A card beside the course: of a colour, or with a number of the seat's own colour. */
interface SceneCard {
  seat: number;
  piece: string | null;
  number: string | null;
}

/** A seat's loose and kept food, before and after. */
interface Purse {
  seat: number;
  loose: [number, number];
  kept: [number, number];
}

/** What somebody looks like now; null: as the seat has it. */
interface FaceChosen {
  seq: number;
  face: FaceView | null;
}

/**
 * How somebody is drawn instead of the seat's own hat; null is as the seat has it.
 *
 * `paint`: hat and band in hex; `photo`: its name, for `/api/photos`; `letter`: what the name begins with.
 */
interface FaceView {
  hat: number | null;
  colour: string | null;
  paint: string[] | null;
  photo: string | null;
  letter: string;
}

/** How often a reader saw what was held to it, and how it was held; `torn` looks were unreadable. */
interface Figure {
  when: string;
  what: "card" | "sleeve" | "piece" | "tag";
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

/** Done; all bench figures by now. */
interface Figures {
  seq: number;
  figures: Figure[];
}

/**
 * A race that was just run; `start`: the space its winner ran from; `last`: no other race follows.
 *
 * `say`: who has won the last race of several, for a page that opens it before it says who has won the game.
 */
interface Finale {
  key: string;
  order: Finisher[];
  start: number | null;
  last: boolean;
  say: Said | null;
}

/** A piece that came home, and whose it is, if anybody's. */
interface Finisher {
  piece: string;
  seat: number | null;
}

/** The sentence, and what follows it in small letters. */
interface Said {
  tone: "idle" | "now" | "wrong" | "end";
  parts: (string | Mark)[];
  then: (string | Mark)[];
  picture: Rebus | null;
}

/** The sentence as a picture: who, which animal, where to. */
interface Rebus {
  seat: number | null;
  piece: string | null;
  arrow: boolean;
  to: number | null;
  toText: string;
}

/**
 * Something that is wrong: what is seen, its likely cause, what to try, first things first.
 *
 * `spaces` count from 0 by reader.
 */
interface FindingView {
  part: "track" | "pad" | "panel" | "pi" | "plug-in";
  grave: "dead" | "ill" | "hint";
  spaces: number[];
  what: string;
  cause: string;
  try: string[];
}

/** How much of the rest fits, what does not and why, and where everything stands then. */
interface Follows {
  seq: number;
  fits: number;
  of: number;
  breaks: Breaks | null;
  layout: Record<string, PlaceView>;
  standings: StandingView[];
  picture: Sketch;
}

/** Where a piece stands; no space but on the track. */
interface PlaceView {
  zone: "track" | "gate" | "home" | "out";
  space: number | null;
}

/** A position and the ways of the pieces that stand elsewhere now; `say` is what would be due. */
interface Sketch {
  animal: string;
  course: CourseView;
  food: number[];
  pieces: PieceAt[];
  moves: WayTo[];
  say: string | null;
}

/** Something that a seat may decide; what it chooses goes under `key` of `line`. `due`: the game waits. */
interface FormHead {
  kind: "FormHead";
  do: string;
  title: string;
  line: Record<string, unknown>;
  key: string;
  due: boolean;
}

/**
 * A game as it is begun: what its pieces are called, whether seats own them, what its cards have on them.
 *
 * `chart`: the options that describe its print; `hands`: the companion can deal.
 */
interface GameForm {
  name: string;
  title: string;
  animal: string;
  seats: [number, number];
  pieces: string[];
  labels: string[];
  owned: boolean;
  numbered: boolean;
  linesUp: boolean;
  usesStart: boolean;
  chart: string[];
  options: OptionForm[];
  hands: boolean;
}

/** An option as it is asked for; `choices` are those of a choice. */
interface OptionForm {
  name: string;
  label: string;
  help: string;
  default: unknown;
  type: "flag" | "number" | "choice" | "seat" | "order" | "chart";
  min: number;
  max: number;
  choices: ChoiceView[];
}

/** A game as every list of games shows it; `seats` are the fewest and the most. */
interface GameView {
  name: string;
  title: string;
  animal: string;
  seats: [number, number];
  pieces: string[];
}

/** A set that is being shown card by card. */
interface GatheredView {
  seat: number;
  name: string;
  numbers: number[];
  needed: number;
}

/** A game that still goes on, of which nothing more is told here. */
interface GoingOn {
  id: number;
  game: string;
  title: string;
  when: string;
  seats: string[];
}

/** A decision that is in force no longer. */
interface Gone {
  entry: number;
  text: string;
}

/**
 * Every part as it is, what is wrong, and what was measured; `mock`: all of it is modelled.
 *
 * `course`: what the track is printed with for the game on the table; null without a game.
 */
interface HardwareView {
  findings: FindingView[];
  track: TrackView | null;
  pad: PadView | null;
  panel: PartView | null;
  pi: PiView | null;
  mock: boolean;
  course: CourseView | null;
  latency: LatencyView;
  recorder: RecorderView | null;
  figures: Figure[];
}

/** The Pico, the USB line to it (`wire`) and its readers; null where it has not said. */
interface TrackView {
  state: "ok" | "tap" | "lost";
  why: string | null;
  wire: "ok" | "absent" | "no port" | "silent" | "refused" | "no leave" | "taken";
  port: string | null;
  firmware: string | null;
  board: string | null;
  started_by: string | null;
  sensors: SensorView[];
  power: "on" | "off" | "over" | null;
  sweep_ms: number | null;
  celsius: number | null;
  volts: number | null;
  milliamperes: number | null;
  lines: number;
  hurt: number;
  resyncs: number;
  wire_text: string;
  clones: string[];
}

/**
 * The sensor under a space (from 0 by reader): its state in a word and for people, what lies there.
 *
 * `lies`: the tags, or whether something is there; null: not known. `changed_s`: seconds since that changed.
 */
interface SensorView {
  space: number;
  kind: "tag" | "present" | "none";
  state: "fault" | "missed" | "none" | "ok" | "silent" | "unknown";
  said: string;
  fault: "silent" | "group" | "memory" | "field" | "weak" | "chain" | null;
  version: string | null;
  chip: string | null;
  step_ma: number | null;
  misses: number;
  changed_s: number | null;
  lies: TagView[] | boolean | null;
  wires: string | null;
}

/**
 * A tag and the card or piece that it is on; `label` is its number where nobody knows that.
 *
 * A card while a game goes on has no number either: it may have been laid for a secret decision.
 */
interface TagView {
  uid: string | null;
  kind: "card" | "piece" | null;
  colour: string | null;
  animal: string | null;
  label: string;
}

/**
 * The card pad: `kind` spi on the Pi's pins, usb one that types, pcsc one of PC/SC, other a plug-in's.
 *
 * `device`: the name of a reader on USB; `at_tablet`: whether one at the tablet has typed.
 */
interface PadView {
  kind: "spi" | "usb" | "pcsc" | "other";
  device: string | null;
  at_tablet: boolean;
  state: "ok" | "tap" | "lost";
  why: string | null;
  library: string | null;
  version: string | null;
  chip: string | null;
  polls: number;
  misses: number;
  restarts: number;
  changed_s: number | null;
  lies: TagView[];
}

/** How a part is, and why. */
interface PartView {
  state: "ok" | "tap" | "lost";
  why: string | null;
}

/** What the Raspberry Pi tells of itself; null where it does not say. */
interface PiView {
  model: string | null;
  undervoltage: boolean | null;
  undervoltage_since_start: boolean | null;
  slowed: boolean | null;
  celsius: number | null;
  spi: "ok" | "off" | "no leave" | null;
}

/**
 * The last times from a sensor's message to what it brought on the screen in ms, the newest last.
 *
 * From the host's clock: until the table page's word that it has drawn what followed, way back included.
 */
interface LatencyView {
  ms: number[];
  median: number | null;
  p95: number | null;
}

/** The recording that goes on, or the last one; `why` nothing is written though it was switched on. */
interface RecorderView {
  on: boolean;
  file: string | null;
  why: string | null;
}

/** What stands over what the seats hold. */
interface Heads {
  provisional: string;
  kept: string;
}

/**
 * The health of the companion: `ok` if a game can go on here; if not, `why`, for its caretaker.
 *
 * `table`: the thread that plays; `journal`: whether it takes decisions, "unknown" if that cannot be
 * determined.
 */
interface HealthView {
  ok: boolean;
  why: string | null;
  version: string;
  table: "answers" | "hangs" | "ended";
  journal: "writable" | "unwritable" | "gone" | "unknown";
  parts: PartsAtWork;
  uptime_s: number;
}

/** The state of each part; a game can go on without any of them, by taps. */
interface PartsAtWork {
  pad: "working" | "lost" | "not there";
  track: "working" | "lost" | "not there";
  panel: "working" | "lost" | "not there";
}

/** Past games, the newest first; of those that still go on only that they do. */
interface HistoryView {
  matches: Over[];
  going_on: GoingOn[];
}

/** A game that is over; `name`: what people call it; `ended`: given up, nobody has a place. */
interface Over {
  id: number;
  game: string;
  title: string;
  when: string;
  seats: string[];
  name: string;
  animal: string;
  unit: "" | "food" | "money";
  bots: string[];
  ended: boolean;
  standings: StandingView[];
}

/**
 * What the host page begins with; `last` is the last game as it was begun.
 *
 * `first`: no game of any kind was ever finished here; `faces` by name, in small letters without spaces.
 */
interface HostData {
  games: GameForm[];
  people: string[];
  faces: Record<string, FaceView>;
  last: Record<string, unknown> | null;
  first: boolean;
  charts: Record<string, KeptChart>;
  funny: string[];
  bots: Robot[];
}

/** How strong the companion can play a seat, and what that means. */
interface Robot {
  name: string;
  title: string;
  means: string;
}

/** Whether a hub hears tables and serves what it heard; `why` names what does not work. */
interface HubHealth {
  ok: boolean;
  why: string | null;
  parts: HubParts;
}

/** How each part of a hub is. */
interface HubParts {
  database: "ok" | "off" | "starting" | "away" | "failing" | "stuck" | "unknown";
  listener: "ok" | "off" | "starting" | "away" | "failing" | "stuck" | "unknown";
  broker: "ok" | "off" | "starting" | "away" | "failing" | "stuck" | "unknown";
  judge: "ok" | "off" | "starting" | "away" | "failing" | "stuck" | "unknown";
}

/** A piece in the order of the field: how far it is, where it stands in words, and in which lap. */
interface InField {
  piece: string;
  label: string;
  far: number;
  where: string;
  lap?: number;
}

/** What could be decided here: as it is tapped, or with the bet slip as the seat had it. */
interface Instead {
  do: string;
  seat: number;
  name: string;
  key: string;
  line: Record<string, unknown>;
  pieces?: string[];
  labels?: string[];
  choices?: TapChoice[];
  needed?: number;
  slip: BetSlip | null;
}

/**
 * The code to join with, the address that has it in it, and the name of the Wi-Fi to be in.
 *
 * `home` is how these pages are reached by name, such as http://companion.local.
 */
interface JoinCode {
  code: string;
  url: string;
  wifi: string | null;
  home: string | null;
}

/** Where a phone watches. */
interface JoinView {
  url: string;
  qr: string;
  text: string;
}

/** The seat that this device holds now. */
interface Joined {
  seq: number;
  seat: number;
}

/**
 * Somebody who leads or does not; `bot`: a robot and how strong it played; `name` as it was spelt last.
 *
 * `places`: how often first, second, and so on; `best`: null over games whose scores cannot be compared;
 * `face` null: as its seat has it; `share`: of wins, as if there had been more games of average luck, and
 * `error` the half width of its 95 % interval.
 */
interface Leader {
  name: string;
  bot: string | null;
  face: FaceView | null;
  games: number;
  wins: number;
  places: number[];
  best: number | null;
  average: number;
  share: number;
  error: number;
}

/** Who leads in a game, or (no `game`) over all. */
interface Leaderboard {
  game: string | null;
  title: string;
  unit: "" | "food" | "money";
  games: number;
  rows: Leader[];
}

/**
 * Who leads over all games together and in each; `counted` says what counts, `order` by what they are
 * ordered.
 */
interface Leaderboards {
  counted: string;
  order: string;
  boards: Leaderboard[];
}

/** So many tags of a list are known now. */
interface Learnt {
  seq: number;
  learnt: number;
}

/** A probability, and half the width of its 95 % interval. */
interface Likely {
  p: number;
  error: number;
}

/** Luck against choice in words, and in numbers to be drawn, by seat and by moment. */
interface LuckReport {
  title: string;
  seats: string[];
  moments: string[];
  parts: LuckParts[];
  swings: SwingView[];
}

/** A match at one moment, as everybody may see it then; `over`: finished, and every piece where it ran. */
interface MatchAt {
  seq: number;
  match: MatchView | null;
  course: CourseView | null;
  pieces: PieceAt[];
  food: number[];
  say: Said;
  due: string | null;
  moves: WayTo[];
  round: StageView | null;
  stock: number | null;
  stockText: string | null;
  standings: StandingsRow[];
  heads: Heads | null;
  unit: "" | "food" | "money" | null;
  panels: PanelView[];
  reward: Reward | null;
  roundEnd: RoundEnd | null;
  over: boolean;
  finale: Finale | null;
  explaining: boolean | null;
  explain: Explanation | null;
}

/** A match with what a page says of it; by seat `colours`, the piece that it owns, if any, and `faces`. */
interface MatchView {
  id: number;
  game: string;
  seats: string[];
  options: Record<string, unknown>;
  colours: (string | null)[];
  bots: ("" | "easy" | "medium" | "strong")[];
  faces: (FaceView | null)[];
  title: string;
  animal: string;
  finished: boolean;
  deal: "people" | "companion";
}

/** How far the game is, in words and as numbers. */
interface StageView {
  text: string;
  round?: number;
  rounds?: number;
  race?: number;
  races?: number;
  turn?: number;
}

/**
 * A seat: its score and place, food at risk, cards played of how many, money, bets; whether it is due.
 *
 * `chosen`: it has chosen a card that nobody has seen yet; `last_card`: it is about to play a card that
 * decides about what it has at risk.
 */
interface StandingsRow {
  seat: number;
  name: string;
  score: number;
  place: number | null;
  provisional: number | null;
  played: number | null;
  cards: number | null;
  money?: number;
  bet?: boolean;
  staked?: number | null;
  chosen?: boolean;
  kept: number;
  now: boolean;
  lastCard: boolean;
}

/** The reward of a last card that was just played, or what it cost. */
interface Reward {
  key: string;
  seat: number;
  name: string;
  kind: "kept" | "lost";
  count: number;
  parts: (string | Mark)[];
}

/** A round that was just finished. */
interface RoundEnd {
  key: string;
  title: string;
  rows: Won[];
}

/** What a round brought a seat, and its score by now. */
interface Won {
  seat: number;
  name: string;
  won: number;
  score: number;
}

/** A match: what it is, who plays, by which rules. */
interface MatchHead {
  id: number;
  game: string;
  seats: string[];
  options: Record<string, unknown>;
  colours: string[];
  bots: ("" | "easy" | "medium" | "strong")[];
}

/** What something that is over meant for a seat; `key` is another one each time. */
interface Meant {
  key: string;
  parts: (string | Mark)[];
}

/** What the virtual table begins with. */
interface MockData {
  games: GameForm[];
}

/** A fault that can be made, and whether it is. */
interface MockFault {
  kind: string;
  at: string;
  on: boolean;
}

/** Every tag, what it means and where it lies; every fault. */
interface MockTable {
  tags: Record<string, MockTag>;
  faults: MockFault[];
}

/** What a tag means, and where it lies: off, pad or track/N. */
interface MockTag {
  means: string | null;
  at: string;
}

/** Something that the last entry brought. */
interface NewsView {
  kind: string;
  text: string;
}

/** The reason why a request failed; nothing has changed. `reason` is a sentence for people. */
interface NotGranted {
  kind: string;
  reason: string;
}

/** Of `of` moments the odds of `done` are known; `off`: why there are none. */
interface OddsByMoment {
  done: number;
  of: number;
  off: string | null;
  wins: (number[] | null)[];
  errors: (number[] | null)[];
}

/** All chances, worked out from what everybody may know at entry `seq`. */
interface OddsView {
  seq: number;
  chances: ChanceView[];
  exact: boolean;
}

/** The match that lies on the table now. */
interface OnTable {
  seq: number;
  id: number;
}

/** A decision, what it says and could say instead, whether it can be left `out`, a picture without it. */
interface OnePlayed {
  entry: number;
  seat: number | null;
  piece: string | null;
  text: string;
  stage: string | null;
  sealed: boolean;
  changed: boolean;
  closed: string | null;
  seq: number;
  now: Record<string, unknown> | null;
  tap: Instead | null;
  out: boolean;
  picture: Sketch;
}

/**
 * What only this seat knows; null where there is no such thing, or the companion does not know it.
 *
 * `hand`: colours, or the numbers of cards; `choice`: the card that is chosen and not yet turned over;
 * `decisions`: what this seat may decide now, null where that is too much to list.
 */
interface Own {
  seat: number;
  hand: (string | number)[] | null;
  sets: number[][] | null;
  bets: SealedBet[] | null;
  choice: number | null;
  set_aside: number | null;
  decisions: Line[] | null;
}

/** A bet of a sheet that is not open yet. */
interface SealedBet {
  kind: string;
  dogs: string[];
  stake: number;
}

/**
 * What a seat is to do, what it may decide openly, and what it knows and decides under cover.
 *
 * `until`: how many turns come before its own, where the game tells; `meant`: what something that is over
 * meant for it; `known`: what it alone knew and everybody may know now; `sealed`: it has decided, and nobody
 * knows what.
 */
interface OwnSeat {
  seat: number;
  name: string;
  piece: string | null;
  turn: boolean;
  say: (string | Mark)[] | null;
  until: (string | Mark)[] | null;
  prompt: (string | Mark)[] | null;
  meant: Meant | null;
  open: (CardForm | SpaceForm | SetForm | OrderForm | NumbersForm | BetSlip)[];
  known: Known[];
  covered: Covered | null;
  sealed: boolean;
}

/** What the pages of a table draw after the entry `seq`, by language. */
interface Pages {
  seq: number;
  pages: Record<string, View>;
}

/**
 * The table as it is now: the match, what is wrong, what can be done, the odds, how to join.
 *
 * `seen`: where each piece is sensed; `used_cards`, `landings`: whether they are shown, null where nobody
 * asks; `remember_play`: whether the odds know how people played before, null where they learn nothing;
 * `crowd`: whether watchers can pick a favourite (open) or no longer, null where they take no part.
 */
interface View {
  seq: number;
  match: MatchView | null;
  course: CourseView | null;
  pieces: PieceAt[];
  food: number[];
  say: Said;
  due: string | null;
  moves: WayTo[];
  round: StageView | null;
  stock: number | null;
  stockText: string | null;
  standings: StandingsRow[];
  heads: Heads | null;
  unit: "" | "food" | "money" | null;
  panels: PanelView[];
  reward: Reward | null;
  roundEnd: RoundEnd | null;
  over: boolean;
  finale: Finale | null;
  explaining: boolean | null;
  explain: Explanation | null;
  mock: boolean;
  alerts: AlertView[];
  parts: PartStates;
  join: JoinView | null;
  seen: Record<string, number | null> | null;
  usedCards: boolean | null;
  landings: boolean | null;
  rememberPlay: boolean | null;
  crowd: string | null;
  gathered: GatheredView[];
  story: StoryLine[];
  comment: CommentView | null;
  odds: Tote | null;
  luck: EveningReport | null;
  actions: Actions;
  seats: SeatView[];
  seatJoin: string | null;
}

/** How each part is. `tap`: it is replaced by taps; `lost`: it was there and is gone. */
interface PartStates {
  pad: "ok" | "tap" | "lost";
  track: "ok" | "tap" | "lost";
  panel: "ok" | "tap" | "lost";
}

/** What a decision brought, in a line; `gain` is what the seat won by it, below 0 what it lost. */
interface StoryLine {
  key: string;
  seat: number | null;
  piece: string | null;
  parts: (string | Mark)[];
  gain: number;
}

/**
 * The tote board, the likeliest winner first; `off` says why there is none.
 *
 * `assumed` is what is thought of the people who play, and what the errors hold.
 */
interface Tote {
  title: string;
  note: string;
  assumed: string;
  old: boolean;
  rows: ToteRow[];
  also: string | null;
  pieces: Bettable[];
  pairs: BetNow[];
  off: string | null;
}

/** A seat's chance to win, over time too, and what else the game has; `line` is one a moment. */
interface ToteRow {
  seat: number;
  name: string;
  p: number;
  error: number;
  line: number[];
  also: Likely | null;
}

/**
 * Who sits there; whether a device holds it, it owes something secret, a robot plays it.
 *
 * `asks`: another device asks the host for the seat, and shows this number.
 */
interface SeatView {
  seat: number;
  name: string;
  joined: boolean;
  asks: number | null;
  owes: boolean;
  bot: boolean;
}

/** A colour of hats: its name for programs, what it is called, hat and band in hex. */
interface PaintView {
  name: string;
  label: string;
  paint: string[];
}

/** Every part as it is, and what is wrong, worst first; null: there is no such part, or this is no Pi. */
interface PartsView {
  findings: FindingView[];
  track: TrackView | null;
  pad: PadView | null;
  panel: PartView | null;
  pi: PiView | null;
}

/**
 * A past game but for the views; by seat `colours`, the piece that it owned, if any, and `faces`.
 *
 * `headline` is null, and there are no `badges`, until odds and luck are known, and of a game given up.
 */
interface PastGame {
  id: number;
  game: string;
  title: string;
  when: string;
  seats: string[];
  name: string;
  animal: string;
  unit: "" | "food" | "money";
  bots: string[];
  ended: boolean;
  standings: StandingView[];
  colours: (string | null)[];
  faces: (FaceView | null)[];
  moments: PastMoment[];
  rounds: PastRound[];
  odds: OddsByMoment;
  luck: LuckReport | null;
  headline: (string | Mark)[] | null;
  badges: BadgeView[][];
}

/** The opening, or what a decision of `seat` brought; `gain` is what it won, below 0 what it lost. */
interface PastMoment {
  seq: number;
  seat: number | null;
  piece: string | null;
  parts: (string | Mark)[];
  gain: number;
  scores: number[];
}

/** By seat what a round brought and cost, and what was at risk when the game was given up. */
interface PastRound {
  title: string;
  kept: number[];
  lost: number[];
  open: number[];
}

/** What a page draws of a moment; `hands` by seat, null unless the cards are open. */
interface PastView {
  seq: number;
  match: MatchView;
  course: CourseView;
  pieces: PieceAt[];
  food: number[];
  say: Said;
  due: string | null;
  moves: WayTo[];
  round: StageView | null;
  stock: number | null;
  stockText: string | null;
  standings: StandingsRow[];
  heads: Heads | null;
  unit: "" | "food" | "money" | null;
  panels: PanelView[];
  reward: Reward | null;
  roundEnd: RoundEnd | null;
  over: boolean;
  finale: Finale | null;
  explaining: boolean | null;
  explain: Explanation | null;
  hands: Known[][] | null;
}

/** How often a reader saw each tag in so many looks; `torn` found something unreadable. */
interface RangeView {
  at: string;
  polls: number;
  hits: TagRead[];
  torn: number;
  power: number | null;
  fault: string | null;
}

/** A tag and how often it was read. */
interface TagRead {
  uid: string | null;
  kind: "card" | "piece" | null;
  colour: string | null;
  animal: string | null;
  label: string;
  n: number;
}

/** It was done; what a reader saw, if one was to look. */
interface Ranged {
  seq: number;
  range: RangeView | null;
}

/** It records, or has stopped. */
interface Recording {
  seq: number;
  recorder: RecorderView | null;
}

/** What the page of a seat draws; without a seat, what it takes to choose one. */
interface SeatPage {
  seq: number;
  mock: boolean;
  match: MatchView | null;
  say: Said;
  round: StageView | null;
  standings: StandingsRow[];
  heads: Heads | null;
  explain: Explanation | null;
  unit: "" | "food" | "money" | null;
  course: CourseView | null;
  pieces: PieceAt[];
  food: number[];
  moves: WayTo[];
  seats: SeatView[];
  own: OwnSeat | null;
}

/** The table from a seat's side; where everybody sees the same, it is the same. */
interface SeatTable {
  seq: number;
  match: MatchHead | null;
  next: Due | null;
  standings: StandingView[];
  state: Record<string, unknown> | null;
  layout: Record<string, PlaceView>;
  todo: TodoView[];
  news: NewsView[];
  alerts: AlertView[];
  parts: PartStates;
  odds: OddsView | null;
  mock: boolean;
  own: Own;
}

/** A piece to move: from where it is sensed, else where it stood; `held`: the next card waits for it. */
interface TodoView {
  piece: string;
  from: PlaceView | null;
  to: PlaceView;
  held: boolean;
  text: string;
}

/** The match on a sheet: the field, the one furthest ahead first, and how to go on by hand. */
interface SheetView {
  seq: number;
  match: MatchView | null;
  course: CourseView | null;
  pieces: PieceAt[];
  food: number[];
  say: Said;
  due: string | null;
  moves: WayTo[];
  round: StageView | null;
  stock: number | null;
  stockText: string | null;
  standings: StandingsRow[];
  heads: Heads | null;
  unit: "" | "food" | "money" | null;
  panels: PanelView[];
  reward: Reward | null;
  roundEnd: RoundEnd | null;
  over: boolean;
  finale: Finale | null;
  explaining: boolean | null;
  explain: Explanation | null;
  field: InField[];
  byHand: string[];
}

/** The public table. A match that is finished lies there until the next one. */
interface TableView {
  seq: number;
  match: MatchHead | null;
  next: Due | null;
  standings: StandingView[];
  state: Record<string, unknown> | null;
  layout: Record<string, PlaceView>;
  todo: TodoView[];
  news: NewsView[];
  alerts: AlertView[];
  parts: PartStates;
  odds: OddsView | null;
  mock: boolean;
}

/** The tables that a hub hears. */
interface Tables {
  tables: Summary[];
}

/** What the page of tags draws: the event `tags`. `beeps`: the page sounds, since the table does not. */
interface TagsPage {
  seq: number;
  mock: boolean;
  pad: "ok" | "tap" | "lost";
  padSays: string | null;
  beeps: boolean;
  games: BoxView[];
  now: EnrolmentView | null;
}

/** What is taken back, the newest first, and a picture of the position without; `text`: the earliest. */
interface TakenBack {
  seq: number;
  text: string;
  taken: Gone[];
  picture: Sketch;
}

/** The roles that this device has by now. */
interface Unlocked {
  seq: number;
  roles: ("table" | "host")[];
}

/** What there is to choose from: so many hats, in these colours. */
interface Wardrobe {
  hats: number;
  colours: PaintView[];
}
