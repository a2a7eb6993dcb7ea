// What takes long to measure is measured again only after it has changed.

/** @param {MutationRecord} record */
const differs = ({ type, target, attributeName, oldValue }) =>
  type !== "attributes" || /** @type {Element} */ (target).getAttribute(attributeName ?? "") !== oldValue;

/** A box whose text, children, classes or hidden parts decide how it is laid out. */
export class Measured {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.changed = true;
    this.facts = "";
    this.watcher = new MutationObserver(records => this.note(records));
    this.watcher.observe(box, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeOldValue: true,
      attributeFilter: ["class", "hidden"],
    });
  }

  /** @param {MutationRecord[]} records */
  note(records) {
    this.changed ||= records.some(differs);
  }

  /**
   * Call `measure` if the box or one of the `facts` (its size, or what is put into it) has changed since the
   * last time. What `measure` itself changes does not count.
   * @param {() => void} measure
   * @param {...unknown} facts
   */
  again(measure, ...facts) {
    const now = JSON.stringify([facts, document.fonts.status]);
    this.note(this.watcher.takeRecords());
    if (!this.changed && now === this.facts) return;
    this.facts = now;
    measure();
    this.watcher.takeRecords();
    this.changed = false;
  }
}
