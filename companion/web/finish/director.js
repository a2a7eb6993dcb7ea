// When something happens that is bigger than a move, a page shows it in turn: the move, the card, then what
// it means. Until then the page stays as it was.
const MOVE = 1_100; // ms that a piece runs at most
const CARD = 3_000; // ms that a last card is looked at

/**
 * What is shown in turn: from when on the card, from when on all of it.
 * @typedef {{ key: string, was: View, card: number, all: number }} Act
 */

/**
 * What tells one state of a game from the next.
 * @param {View} view
 */
export const keyOf = view => `${view.match?.id}:${view.seq}`;

export class Director {
  /**
   * `again` is called when the next thing is due.
   * @param {() => void} again
   * @param {{ result: string, quiet: () => boolean }} how the sentence before the result; whether all is
   *   shown at once
   */
  constructor(again, { result, quiet }) {
    this.again = again;
    this.result = result;
    this.quiet = quiet;
    /** @type {View | null} */
    this.seen = null;
    /** @type {Act | null} */
    this.act = null;
    this.timer = 0;
    /** The game whose end this page saw come. */
    this.ended = "";
  }

  /**
   * The view that is shown now.
   * @param {View} view
   * @returns {View}
   */
  staged(view, now = performance.now()) {
    const was = this.seen;
    this.seen = view;
    const key = keyOf(view);
    const isNew = was && (keyOf(was) !== key || (view.over && !was.over));
    if (isNew && was.match?.id === view.match?.id) this.begin(was, view, now);
    if (this.act?.key !== key) this.act = null;
    const { act } = this;
    if (!act || now >= act.all) {
      this.act = null;
      return view;
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(this.again, (now < act.card ? act.card : act.all) - now + 1);
    return view.over ? this.before(act, view, now) : this.reward(act, view, now);
  }

  /**
   * @param {View} was
   * @param {View} view
   * @param {number} now
   */
  begin(was, view, now) {
    this.act = null;
    const key = keyOf(view);
    if (view.over && !was.over) this.ended = key;
    if (this.quiet() || view.say.tone === "wrong") return;
    const card = !!view.reward && view.reward.key !== was.reward?.key;
    const still = !view.moves.length;
    if (view.over && !was.over && !view.finale?.say) {
      this.act = { key, was, card: now + MOVE, all: now + MOVE + (card ? CARD : 0) };
    } else if (card && still && !view.over) {
      this.act = { key, was, card: now + MOVE, all: now + MOVE + CARD };
    }
  }

  /** Go on at once. */
  skip() {
    if (!this.act) return;
    this.act = null;
    clearTimeout(this.timer);
    this.again();
  }

  /**
   * The end of the game before it is shown: the last move, then the last player's card.
   * @param {Act} act
   * @param {View} view
   * @param {number} now
   * @returns {View}
   */
  before({ was, card }, view, now) {
    return {
      ...view,
      over: false,
      say: { tone: "now", parts: [this.result], then: [], picture: null },
      odds: null,
      luck: null,
      finale: null,
      roundEnd: null,
      comment: was.comment,
      reward: now < card ? null : view.reward,
      standings: was.standings.map(row => ({ ...row, now: false, lastCard: false })),
    };
  }

  /**
   * A last card: the move, then what it brought in large letters; then the next player is asked.
   * @param {Act} act
   * @param {View} view
   * @param {number} now
   * @returns {View}
   */
  reward({ was, card }, view, now) {
    const { reward } = view;
    if (now < card || !reward) {
      return {
        ...view,
        say: was.say,
        standings: was.standings,
        reward: null,
        odds: was.odds,
        round: was.round,
      };
    }
    const parts = reward.lead.length ? [...reward.parts, ". ", ...reward.lead] : reward.parts;
    const picture = { seat: reward.seat, seats: [], piece: null, arrow: false, to: null, toText: "" };
    return { ...view, say: { tone: "now", parts, then: [], picture } };
  }
}
