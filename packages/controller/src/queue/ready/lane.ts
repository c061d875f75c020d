import { type Entry, isReturned } from "../entries/entry.js";
import { LinkedList } from "../entries/linked-list.js";

/** The ready keys of one priority, in the order in which they are taken. */
export interface Lane {
  /** Number of keys. */
  readonly size: number;
  push(entry: Entry): void;
  /** Inserts a key that was parked before, or removed from the front: before all keys that never were. */
  putBack(entry: Entry): void;
  shift(): Entry | undefined;
  remove(entry: Entry): void;
}

/** A lane that serves keys in the order in which they became ready. */
export class FifoLane extends LinkedList<Entry> implements Lane {
  putBack(entry: Entry): void {
    let last: Entry | undefined;
    // As many steps as slots became free and were not used yet.
    for (let at = this.head; at !== undefined && (at.flags & isReturned) !== 0; at = at.next) {
      last = at;
    }
    this.insertAfter(last, entry);
  }
}
