// Answers come in any order: one that was asked for earlier never replaces a later one.

/** Questions to the companion of which only the newest counts. */
export class Latest {
  #latest = 0;

  /** What was asked does not count any more. */
  forget() {
    this.#latest += 1;
  }

  /**
   * What `answer` resolves to; null if there was another question meanwhile.
   * @template T
   * @param {Promise<T>} answer
   */
  async of(answer) {
    this.forget();
    const mine = this.#latest;
    const result = await answer;
    return mine === this.#latest ? result : null;
  }
}
