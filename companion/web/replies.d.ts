// Written by `make schema` of the structs that the companion sends: edit those.

/** The buttons that are there now; `tap` is there only if exactly one seat taps, `taps` are all. */
interface Actions {
  undo: Press | null;
  redo: Press | null;
  confirm: ConfirmPress | null;
  trust: FixView[];
  tap: Tap | null;
  taps: Tap[];
}

/** A button and its label. */
interface Press {
  text: string;
}

/** The button for the line-up that the pieces on the track offer; it is sent back with it. */
interface ConfirmPress {
  text: string;
  order: string[];
}

/**
 * A way to agree: the side that is trusted; `wrong`: about a misplaced piece, or all the table.
 *
 * `piece` is "" where several pieces are left where they are at once.
 */
interface FixView {
  side: "app" | "table";
  piece: string | "";
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

/** A decision to choose: a space, or a card (`piece`: of that colour). */
interface TapChoice {
  space?: number;
  piece?: string | null;
  label: string;
  line: Line;
}

/**
 * A notice to the players.
 *
 * `refused`: pad or track rejects a card or piece; `held`: a card waits until the pieces are right;
 * `not-played`: it was lifted too early; `wait`: tags are being given, so cards are tapped; `tap`, `lost`,
 * `fault`: the state of a part; `journal`: a problem with its file. `part` is "" for the companion itself.
 */
interface AlertView {
  kind: "refused" | "held" | "not-played" | "wait" | "tap" | "lost" | "fault" | "journal";
  part: "pad" | "track" | "panel" | "";
  text: string;
}

/** By game, the edition that is in the house; a game is missing until a person has chosen. */
interface AllBoxes {
  boxes: Record<string, string>;
}

/** By game, the options that describe its print. */
interface AllCharts {
  charts: Record<string, KeptChart>;
}

/**
 * A game's chart; `own`: the owner entered it, else it is the companion's; `computed` for this return.
 *
 * `by_seats`: the chart by number of players until the owner enters one; that of the most is `chart`.
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

/** A match in the list of all; no one has a place in one that was not played to its end. */
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

/** A seat's score and place; no place if the game gives none. */
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

/** A decision in the host's list. */
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

/** The meaning of every tag, and the box that is being enrolled. */
interface AllTags {
  tags: Record<string, string>;
  enrolling: Enrolling | null;
}

/** The box that is being enrolled, the thing due (null: everything has its tag), and how many have one. */
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

/** A seat's badge for an evening, and its rule. */
interface BadgeView {
  name: string;
  rule: string;
}

/** A kind of bet: its number of dogs, and the condition to win it. */
interface BetKind {
  kind: string;
  title: string;
  means: string;
  dogs: number;
}

/** A bet, its pay, and its chance now. */
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

/** A dog to bet on; `named`: people gave it a name. */
interface DogToBet {
  piece: string;
  text: string;
  named: boolean;
  rank: number;
}

/** The pay of a bet, in words and as a fraction, so that the page counts exactly. */
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

/** The new tag on the pad. */
interface BlankTag {
  seq: number;
  tag: string;
}

/** A game's box, and how many of its things have a tag; `edition` is empty where only one is known. */
interface BoxView {
  name: string;
  edition: string;
  title: string;
  animal: string;
  colours: string[];
  done: number;
  of: number;
}

/** Done; by game, the edition that is in the house. */
interface BoxesKept {
  seq: number;
  boxes: Record<string, string>;
}

/** The first later decision that does not fit, and the reason. */
interface Breaks {
  entry: number;
  text: string;
  reason: string;
}

/** A card to choose, the number of them in the hand, and its effect, if effects are foretold. */
interface CardChoice {
  piece: string | null;
  text: string;
  line: Line;
  count: number;
  brings: (string | Mark)[] | null;
}

/** A marked value of a sentence: its type, and its text. */
interface Mark {
  seat?: number;
  piece?: string;
  space?: number;
  card?: number | string;
  gain?: number;
  loss?: number;
  text: string;
}

/** Cards, one of which is chosen; `note`: the condition for the effects that are foretold. */
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

/** The likeliest winner, and the probability. */
interface Chance {
  seat: number;
  name: string;
  p: number;
}

/**
 * The probability of an event, and half the width of its 95 % interval.
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
 * `here`: it is connected; `state`: no game is on it, a game is played, or one is over. `due`: the players
 * whose turn it is; `first`: the first of the standings, with scores in `unit`; `favourite`: null without
 * odds.
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

/** A seat among the first; `place` is null while there is none. */
interface Standing {
  seat: number;
  name: string;
  score: number;
  place: number | null;
}

/** The chart of a game that is stored now, or that was computed. */
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

/** The cheers since the last such event, oldest first. */
interface Cheers {
  cheers: Cheer[];
}

/** A value that an option may have, and its label. */
interface ChoiceView {
  value: string;
  label: string;
}

/** One sentence on the race; `key`, the number of the entry, rises: each is spoken once. */
interface CommentView {
  key: string;
  text: string;
}

/** The print of a course, and the loose objects on it, as far as the game has them. */
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

/** The part that is shown only while a player holds it open. */
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

/** A whole set to choose. */
interface SetChoice {
  line: Line;
  cards: string[];
}

/** Pieces to be put in order. */
interface OrderForm {
  kind: "order";
  do: string;
  title: string;
  line: Record<string, unknown>;
  key: string;
  due: boolean;
  pieces: PieceNamed[];
}

/** Cards, `needed` of which are chosen. */
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

/** A fact that only this seat knows: cards, sets of cards, or bets. */
interface Known {
  key: "bets" | "choice" | "hand" | "set_aside" | "sets";
  title: string;
  bets?: BetView[];
  sets?: string[][];
  cards?: CardView[];
}

/**
 * A watcher's permissions now, and the tipsters' table, the richest first.
 *
 * `state`: a favourite can be picked (open) or no longer (closed), the game is over; null: the host has
 * turned it off, or no game is running. `race`: the race of the favourites, 0 if they are of the whole game.
 * `gain`: the gain of the favourite of the device that asks, less the stake, null until it is settled;
 * `last` and `last_gain`: the same of the race before. `money`: all matches of the evening together.
 * `tipsters`: null before the first pick.
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

/** A seat, or a piece that runs in the race, and what it pays if it is picked now. */
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

/**
 * A box of a game: its title, what is in it, how it is played, its fewest and most players.
 *
 * `options` are those of what is in it, `usual` those of how it is played, where they are not the defaults.
 */
interface EditionForm {
  name: string;
  title: string;
  contents: string;
  differs: string;
  seats: [number, number];
  options: Record<string, unknown>;
  usual: Record<string, unknown>;
}

/** Done; the progress of the box. */
interface Enrolled {
  seq: number;
  enrolling: Enrolling | null;
}

/** The box that gets its tags: the next thing, one to skip or take back, a tag that was rejected. */
interface EnrolmentView {
  game: string;
  edition: string;
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

/** The reason why a tag was rejected, and its `uid` if it can be taken all the same. */
interface TurnedAway {
  text: string;
  uid: string | null;
}

/** A thing of the box, and if it has a tag. */
interface ThingInBox {
  means: string;
  kind: "card" | "piece";
  colour: string;
  number: number;
  label: string;
  done: boolean;
}

/**
 * Luck against choice in the game that has just ended, with its headline and badges.
 *
 * `headline` is null, and there are no `badges`, until the odds of every moment are known.
 */
interface EveningReport {
  title: string;
  note: string | null;
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
 * Luck is the effect of `deals`, 0 if nothing is dealt, and the effects of choices beyond what their makers
 * could know, `unseen`; both are null of games that were analysed before this was known.
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

/** The present explanation, in a first game, with its drawing if the rules have one. */
interface Explanation {
  key: string;
  text: string;
  scene: SceneView | null;
}

/** A drawing of the rules: pieces, their moves and what stops them, cards, and the food afterwards. */
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

/** A piece and its place by the rules. */
interface PieceAt {
  piece: string;
  label: string;
  zone: "track" | "gate" | "home" | "out";
  space: number | null;
}

/** A piece that has to be moved; `over` are the spaces between. */
interface WayTo {
  piece: string;
  from: number | null;
  at: "track" | "gate" | "home" | "out" | null;
  to: number | null;
  zone: "track" | "gate" | "home" | "out";
  held: boolean;
  over: number[];
}

/** A space at which something stops a piece. */
interface Stop {
  piece: string;
  space: number;
}

/** A card next to the course: of a colour, or with a number of the seat's own colour. */
interface SceneCard {
  seat: number;
  piece: string | null;
  number: string | null;
}

/** The food of a seat that is at risk, and that is safe, before and after. */
interface Purse {
  seat: number;
  loose: [number, number];
  kept: [number, number];
}

/** A person's face now; null: as the seat has it. */
interface FaceChosen {
  seq: number;
  face: FaceView | null;
}

/**
 * A person's face, drawn instead of the seat's own hat; null fields are as the seat has them.
 *
 * `paint`: hat and band in hex; `photo`: its name, for `/api/photos`; `letter`: the first of the name.
 */
interface FaceView {
  hat: number | null;
  colour: string | null;
  paint: string[] | null;
  photo: string | null;
  letter: string;
}

/** How many polls of a reader saw a thing, and how it was held; `torn` ones were unreadable. */
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

/** Done; all bench figures now. */
interface Figures {
  seq: number;
  figures: Figure[];
}

/**
 * A race that was just run; `start`: the space its winner ran from; `last`: no other race follows.
 *
 * `say`: the winner of the last race of several, for a page that opens it before it names the game's winner.
 */
interface Finale {
  key: string;
  order: Finisher[];
  start: number | null;
  last: boolean;
  say: Said | null;
}

/** A piece that came home, and its owner, if any. */
interface Finisher {
  piece: string;
  seat: number | null;
}

/** The sentence, and its sequel in small letters. */
interface Said {
  tone: "idle" | "now" | "wrong" | "end";
  parts: (string | Mark)[];
  then: (string | Mark)[];
  picture: Rebus | null;
}

/** The sentence as a drawing: the player, or `seats` if several are due, the animal, the destination. */
interface Rebus {
  seat: number | null;
  seats: number[];
  piece: string | null;
  arrow: boolean;
  to: number | null;
  toText: string;
}

/**
 * A fault: the symptom, its likely cause, what to try, first things first.
 *
 * `spaces` count from 0 by reader.
 */
interface FindingView {
  part: "track" | "pad" | "panel" | "pi" | "plug-in" | "clock" | "screen";
  grave: "dead" | "ill" | "hint";
  spaces: number[];
  what: string;
  cause: string;
  try: string[];
}

/** How many later decisions fit, the first that does not and why, and the position after them. */
interface Follows {
  seq: number;
  fits: number;
  of: number;
  breaks: Breaks | null;
  layout: Record<string, PlaceView>;
  standings: StandingView[];
  picture: Sketch;
}

/** The place of a piece; it has a space only on the track. */
interface PlaceView {
  zone: "track" | "gate" | "home" | "out";
  space: number | null;
}

/** A position, and the ways of the pieces that are elsewhere now; `say` is the prompt to follow. */
interface Sketch {
  animal: string;
  course: CourseView;
  food: number[];
  pieces: PieceAt[];
  moves: WayTo[];
  say: string | null;
}

/** A decision of a seat; the choice goes under `key` of `line`. `due`: the game waits for it. */
interface FormHead {
  kind: "FormHead";
  do: string;
  title: string;
  line: Record<string, unknown>;
  key: string;
  due: boolean;
}

/**
 * The form to start a game: the names of its pieces, if seats own them, if its cards have numbers.
 *
 * `chart`: the options that describe its print; `hands`: the companion can deal; `editions`: its boxes,
 * where several are known. `feel`: what it feels like to play it, in one line; `minutes`: how long it takes.
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
  editions: EditionForm[];
  feel: string;
  minutes: number;
}

/** An option as a form field; `choices` are those of a choice. */
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

/** A game of the evening and who won it. */
interface GameTonight {
  id: number;
  title: string;
  animal: string;
  when: string;
  winners: string[];
}

/** A game in a list of games; `seats` are the fewest and the most. */
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

/** A game that is still going on; its details are not published here. */
interface GoingOn {
  id: number;
  game: string;
  title: string;
  when: string;
  seats: string[];
}

/** A decision that is no longer in force. */
interface Gone {
  entry: number;
  text: string;
}

/**
 * The state of every part, the findings, and the measurements; `mock`: all of it is modelled.
 *
 * `course`: the print of the track for the game on the table; null without a game.
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

/** The Pico, the USB line to it (`wire`) and its readers; null where it has not reported. */
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
 * The sensor under a space (from 0 by reader): its state in a word and for people, and what it senses.
 *
 * `lies`: the tags, or true if something is there; null: unknown. `changed_s`: seconds since that changed.
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
 * A tag and the card or piece that it is on; `label` is its number where that is unknown.
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
 * `device`: the name of a reader on USB; `at_tablet`: true if one at the tablet has typed. `typed`: the last
 * text of a reader that types, with dots for its digits during a game. `chosen`: why this keyboard is the
 * reader, and how to change it. `found`: the keyboards or readers of which it could be one.
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
  typed: string | null;
  chosen: string | null;
  found: string[];
}

/** The state of a part, and the reason. */
interface PartView {
  state: "ok" | "tap" | "lost";
  why: string | null;
}

/** The Raspberry Pi's report on itself; null where it does not report. */
interface PiView {
  model: string | null;
  undervoltage: boolean | null;
  undervoltage_since_start: boolean | null;
  slowed: boolean | null;
  celsius: number | null;
  spi: "ok" | "off" | "no leave" | null;
}

/**
 * The last latencies from a sensor's message to its effect on the screen in ms, the newest last.
 *
 * Measured by the host's clock until the table page reports that it has drawn the effect, way back included.
 */
interface LatencyView {
  ms: number[];
  median: number | null;
  p95: number | null;
}

/** The recording in progress, or the last one; `why` nothing is written although it was switched on. */
interface RecorderView {
  on: boolean;
  file: string | null;
  why: string | null;
}

/** The column heads of the seats' holdings. */
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

/**
 * Past games, the newest first; of those that still go on only that they do, on the first page.
 *
 * `more`: the number of the last game here if there are older ones, for `before`; null if there are none.
 */
interface HistoryView {
  matches: Over[];
  going_on: GoingOn[];
  more: number | null;
}

/** A game that is over; `name`: a name that people gave it; `ended`: given up, no one has a place. */
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
 * The first content of the host page; `last` is the last game as it was begun.
 *
 * `boxes`: by game, the edition in the house; `faces` by name, in small letters without spaces.
 */
interface HostData {
  games: GameForm[];
  people: string[];
  faces: Record<string, FaceView>;
  last: Record<string, unknown> | null;
  charts: Record<string, KeptChart>;
  boxes: Record<string, string>;
  funny: string[];
  bots: Robot[];
}

/** A strength at which the companion can play a seat, and its meaning. */
interface Robot {
  name: string;
  title: string;
  means: string;
}

/** The health of a hub: `ok` if it receives messages and serves them; `why` names the broken parts. */
interface HubHealth {
  ok: boolean;
  why: string | null;
  parts: HubParts;
}

/** The state of each part of a hub. */
interface HubParts {
  database: "ok" | "off" | "starting" | "away" | "failing" | "stuck" | "unknown";
  listener: "ok" | "off" | "starting" | "away" | "failing" | "stuck" | "unknown";
  broker: "ok" | "off" | "starting" | "away" | "failing" | "stuck" | "unknown";
  judge: "ok" | "off" | "starting" | "away" | "failing" | "stuck" | "unknown";
}

/** A piece in the order of the field: its distance, its place in words, and its lap. */
interface InField {
  piece: string;
  label: string;
  far: number;
  where: string;
  lap?: number;
}

/** The alternatives of a decision: as it is tapped, or with the bet slip as the seat had it. */
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
 * The code to join with, the address that contains it, and the name of the Wi-Fi.
 *
 * `home` is the URL of these pages by name, such as http://companion.local.
 */
interface JoinCode {
  code: string;
  url: string;
  wifi: string | null;
  home: string | null;
}

/** The URL at which a phone watches. */
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
 * A player on the leaderboard; `bot`: a robot and its strength; `name` in its latest spelling.
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

/** The leaderboard of a game, or (no `game`) of all games. */
interface Leaderboard {
  game: string | null;
  title: string;
  unit: "" | "food" | "money";
  games: number;
  rows: Leader[];
}

/** The leaderboards over all games together and of each; `counted` and `order` explain them in words. */
interface Leaderboards {
  counted: string;
  order: string;
  boards: Leaderboard[];
}

/** The number of tags of a list that are known now. */
interface Learnt {
  seq: number;
  learnt: number;
}

/** A probability, and half the width of its 95 % interval. */
interface Likely {
  p: number;
  error: number;
}

/**
 * Luck against choice in words, and in numbers to be drawn, by seat and by moment.
 *
 * `note` says how far choices at random scatter in one game; null where that was not measured.
 */
interface LuckReport {
  title: string;
  note: string | null;
  seats: string[];
  moments: string[];
  parts: LuckParts[];
  swings: SwingView[];
}

/** The public match at one moment; `over`: finished, and every piece at its end. */
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

/** A match with the page's data on it; by seat `colours`, the piece that it owns, if any, and `faces`. */
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

/** The stage of the game, in words and as numbers. */
interface StageView {
  text: string;
  round?: number;
  rounds?: number;
  race?: number;
  races?: number;
  turn?: number;
}

/**
 * A seat: its score and place, food at risk, cards played out of all, money, bets, and if it is due.
 *
 * `chosen`: it has chosen a card that no one has seen yet; `last_card`: it is about to play a card that
 * decides about its food at risk.
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

/** The reward of a last card that was just played, or its cost; `lead`: who leads now, and by how much. */
interface Reward {
  key: string;
  seat: number;
  name: string;
  kind: "kept" | "lost";
  count: number;
  parts: (string | Mark)[];
  lead: (string | Mark)[];
}

/** A round that was just finished. */
interface RoundEnd {
  key: string;
  title: string;
  rows: Won[];
}

/** A seat's gain in a round, and its score so far. */
interface Won {
  seat: number;
  name: string;
  won: number;
  score: number;
}

/** A match: its number, its game, its players, its rules. */
interface MatchHead {
  id: number;
  game: string;
  seats: string[];
  options: Record<string, unknown>;
  colours: string[];
  bots: ("" | "easy" | "medium" | "strong")[];
}

/** The meaning for a seat of something that is over; each has another `key`. */
interface Meant {
  key: string;
  parts: (string | Mark)[];
}

/** The first content of the virtual table. */
interface MockData {
  games: GameForm[];
}

/** A possible fault, and if it is on. */
interface MockFault {
  kind: string;
  at: string;
  on: boolean;
}

/** Every tag, its meaning and its place; every fault. */
interface MockTable {
  tags: Record<string, MockTag>;
  faults: MockFault[];
}

/** The meaning of a tag, and its place: off, pad or track/N. */
interface MockTag {
  means: string | null;
  at: string;
}

/**
 * The moment of the evening: the greatest turn of a game, which is `id`.
 *
 * `headline`: of that game, null until its odds are worked out; `stage` and `parts`: when it was, and what
 * was decided; `name`, `seat`, `face`: who gained most by it, from `before` to `after`, in percent.
 */
interface MomentTonight {
  id: number;
  headline: (string | Mark)[] | null;
  stage: string;
  parts: (string | Mark)[];
  name: string;
  seat: number;
  face: FaceView | null;
  before: number;
  after: number;
}

/** An event of the last entry. */
interface NewsView {
  kind: string;
  text: string;
}

/** The reason why a request failed; nothing has changed. `reason` is a sentence for people. */
interface NotGranted {
  kind: string;
  reason: string;
}

/** The report is stored; `text` says it to the person at the device. */
interface Noted {
  seq: number;
  text: string;
}

/** The odds of `done` out of `of` moments; `off`: the reason if there are none. */
interface OddsByMoment {
  done: number;
  of: number;
  off: string | null;
  wins: (number[] | null)[];
  errors: (number[] | null)[];
}

/** All chances, computed from what is public at entry `seq`. */
interface OddsView {
  seq: number;
  chances: ChanceView[];
  exact: boolean;
}

/** The match that is on the table now. */
interface OnTable {
  seq: number;
  id: number;
}

/** A decision, its value, its alternatives, if it can be left `out`, and a drawing without it. */
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
 * The facts that only this seat knows; null if there is no such fact, or the companion does not know it.
 *
 * `hand`: colours, or the numbers of cards; `choice`: the card that is chosen and not yet turned over;
 * `decisions`: the decisions of this seat now, null if there are too many to list.
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

/** A bet on a slip that is not open yet. */
interface SealedBet {
  kind: string;
  dogs: string[];
  stake: number;
}

/**
 * The end of the game for this seat: its place `of` so many, its badge and its moment.
 *
 * `headline` of the evening, `badge` and `moment` are null until the game has been analysed.
 */
interface OwnFinish {
  place: number | null;
  of: number;
  headline: (string | Mark)[] | null;
  badge: BadgeView | null;
  moment: OwnMoment | null;
}

/** The moment that moved this seat's chance most, in points: what was done, and the chance around it. */
interface OwnMoment {
  stage: string;
  parts: (string | Mark)[];
  before: number;
  after: number;
}

/**
 * The prompt of a seat, its open decisions, and its knowledge and decisions under cover.
 *
 * `until`: the number of turns before its own, if the game can say; `meant`: the meaning for it of something
 * that is over; `finish`: the end of the game for it, once there is one; `known`: formerly secret facts that
 * are public now; `sealed`: it has decided, in secret.
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
  finish: OwnFinish | null;
  open: (CardForm | SpaceForm | SetForm | OrderForm | NumbersForm | BetSlip)[];
  known: Known[];
  covered: Covered | null;
  sealed: boolean;
}

/** The contents of a table's pages after the entry `seq`, by language. */
interface Pages {
  seq: number;
  pages: Record<string, View>;
}

/**
 * The table now: the match, alerts, possible actions, the odds, how to join.
 *
 * `seen`: the sensed place of each piece; `used_cards`, `landings`: if they are shown, null if the game has
 * none; `remember_play`: if the odds know how people played before, null if they learn nothing; `crowd`: if
 * watchers can pick a favourite (open) or no longer, null if they take no part; `screens`: how many screens
 * ask to be the table.
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
  screens: number;
}

/** The state of each part. `tap`: it is replaced by taps; `lost`: it was there and is gone. */
interface PartStates {
  pad: "ok" | "tap" | "lost";
  track: "ok" | "tap" | "lost";
  panel: "ok" | "tap" | "lost";
}

/** The effect of a decision, in a line; `gain` is the seat's gain, negative for a loss. */
interface StoryLine {
  key: string;
  seat: number | null;
  piece: string | null;
  parts: (string | Mark)[];
  gain: number;
}

/**
 * The tote board, the likeliest winner first; `off`: the reason if there is none.
 *
 * `anyone` is the title before the first card, while the race is open to all. `assumed` is the assumption
 * about the people who play, and the content of the errors.
 */
interface Tote {
  title: string;
  anyone: string | null;
  note: string;
  assumed: string;
  old: boolean;
  rows: ToteRow[];
  also: string | null;
  pieces: Bettable[];
  pairs: BetNow[];
  off: string | null;
}

/** A seat's chance to win, also over time, and another of the game's chances; `line` has one a moment. */
interface ToteRow {
  seat: number;
  name: string;
  p: number;
  error: number;
  line: number[];
  also: Likely | null;
}

/**
 * A seat: its name, and if a device holds it, if it owes something secret, if a robot plays it.
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

/** A colour of hats: its name for programs, its label, hat and band in hex. */
interface PaintView {
  name: string;
  label: string;
  paint: string[];
}

/** The state of every part, and all faults, worst first; null: there is no such part, or this is no Pi. */
interface PartsView {
  findings: FindingView[];
  track: TrackView | null;
  pad: PadView | null;
  panel: PartView | null;
  pi: PiView | null;
}

/**
 * A past game except its views; by seat `colours`, the piece that it owned, if any, and `faces`.
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

/** The opening, or the effect of a decision of `seat`; `gain` is its gain, negative for a loss. */
interface PastMoment {
  seq: number;
  seat: number | null;
  piece: string | null;
  parts: (string | Mark)[];
  gain: number;
  scores: number[];
}

/** By seat the gain and the cost of a round, and the food at risk when the game was given up. */
interface PastRound {
  title: string;
  kept: number[];
  lost: number[];
  open: number[];
}

/** One moment of a past game, to be drawn; `hands` by seat, null unless the cards are open. */
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

/** A person's evening; `seat`: in their newest game, for their hat; `leads`: no one is better. */
interface PersonTonight {
  name: string;
  seat: number;
  face: FaceView | null;
  points: number;
  wins: number;
  games: number;
  leads: boolean;
}

/** How often a reader saw each tag in so many polls; `torn` found something unreadable. */
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

/** The test is done; the reader's result, if it was one of a reader. */
interface Ranged {
  seq: number;
  range: RangeView | null;
}

/** The recorder after it was switched on or off. */
interface Recording {
  seq: number;
  recorder: RecorderView | null;
}

/** The state of this screen: it waits and shows `number`, it is the table, or the host said no. */
interface ScreenState {
  seq: number;
  state: "waiting" | "table" | "declined";
  number: number | null;
}

/** The content of a seat's page; without a seat, the data to choose one. */
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

/** The table from a seat's side: its public part is the same for all. */
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

/** A piece to move: from its sensed place, else its former one; `held`: the next card waits for it. */
interface TodoView {
  piece: string;
  from: PlaceView | null;
  to: PlaceView;
  held: boolean;
  text: string;
}

/** The match on a sheet: the field, the one furthest ahead first, and how to continue by hand. */
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

/** The public table. A finished match stays on it until the next one. */
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

/** The tables of a hub. */
interface Tables {
  tables: Summary[];
}

/** The content of the page of tags: the event `tags`. `beeps`: the page sounds instead of the table. */
interface TagsPage {
  seq: number;
  mock: boolean;
  pad: "ok" | "tap" | "lost";
  padSays: string | null;
  beeps: boolean;
  games: BoxView[];
  now: EnrolmentView | null;
}

/** The decisions that are taken back, newest first, and a drawing without them; `text`: the earliest. */
interface TakenBack {
  seq: number;
  text: string;
  taken: Gone[];
  picture: Sketch;
}

/**
 * An evening: the sentence about it, what comes next, its people and its games.
 *
 * People: the best first; games: the newest first. `champion`: enough games were played for it; `next` is
 * null before the first game, `moment` until a game's odds are worked out.
 */
interface TonightView {
  say: string;
  next: string | null;
  champion: boolean;
  people: PersonTonight[];
  games: GameTonight[];
  moment: MomentTonight | null;
}

/** The roles that this device has now. */
interface Unlocked {
  seq: number;
  roles: ("table" | "host")[];
}

/** The numbers of the screens that ask to be the table. */
interface WaitingScreens {
  numbers: number[];
}

/** The choice: so many hats, in these colours. */
interface Wardrobe {
  hats: number;
  colours: PaintView[];
}
