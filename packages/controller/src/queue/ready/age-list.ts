import type { Entry } from "../entries/entry.js";

/** The ready keys of negative priority, in the order in which they became ready. Every operation is O(1). */
export class AgeList {
  oldest: Entry | undefined = undefined;
  #newest: Entry | undefined = undefined;

  push(entry: Entry): void {
    entry.older = this.#newest;
    if (this.#newest === undefined) {
      this.oldest = entry;
    } else {
      this.#newest.newer = entry;
    }
    this.#newest = entry;
  }

  /** Removes a key; ignores one that is not in the list. */
  remove(entry: Entry): void {
    const { older, newer } = entry;
    if (older === undefined && this.oldest !== entry) {
      return;
    }
    if (older === undefined) {
      this.oldest = newer;
    } else {
      older.newer = newer;
    }
    if (newer === undefined) {
      this.#newest = older;
    } else {
      newer.older = older;
    }
    entry.older = undefined;
    entry.newer = undefined;
  }
}
