import { type Entry, isParked, isReturned } from "../entries/entry.js";
import { FifoLane } from "./lane.js";
import { PriorityLanes } from "./priority-lanes.js";

/** How many keys of one group may run at the same time. */
export interface GroupConcurrency {
  /** Returns the group of a key; always the same for one key. */
  readonly by: (key: string) => string;
  /** Maximum of runs per group: an integer of at least 1. */
  readonly max: number;
}

/** A group that has runs or parked keys. */
interface Group {
  running: number;
  readonly parked: PriorityLanes;
}

/**
 * Limits the runs per group. A key whose turn comes while its group is full is parked; each run that ends returns one
 * parked key of its group to the front of the queue. So every step is bounded, and nobody searches for a free group.
 */
export class GroupSlots {
  readonly #limit: GroupConcurrency;
  readonly #groups = new Map<string, Group>();

  constructor(limit: GroupConcurrency) {
    this.#limit = limit;
  }

  /** Returns true if the key may run now, and counts the run; otherwise parks the key. */
  acquire(entry: Entry): boolean {
    const name = this.#limit.by(entry.key);
    let group = this.#groups.get(name);
    if (group === undefined) {
      group = { running: 0, parked: new PriorityLanes(() => new FifoLane()) };
      this.#groups.set(name, group);
    }
    if (group.running < this.#limit.max) {
      group.running++;
      return true;
    }
    if ((entry.flags & isReturned) === 0) {
      group.parked.push(entry);
    } else {
      group.parked.putBack(entry);
    }
    entry.flags |= isParked;
    return false;
  }

  /** Ends the run of a key. Returns the parked key of its group that is to have its turn again. */
  release(key: string): Entry | undefined {
    const name = this.#limit.by(key);
    const group = this.#groups.get(name) as Group;
    group.running--;
    return this.#unpark(name, group);
  }

  /**
   * Returns the parked key that takes the place of a removed one, which may have been returned for a slot that it did not
   * use.
   */
  replace(key: string): Entry | undefined {
    const name = this.#limit.by(key);
    const group = this.#groups.get(name);
    return group !== undefined && group.running < this.#limit.max
      ? this.#unpark(name, group)
      : undefined;
  }

  /** Removes a parked key. */
  remove(entry: Entry): void {
    this.#groups.get(this.#limit.by(entry.key))?.parked.remove(entry);
    entry.flags &= ~isParked;
  }

  #unpark(name: string, group: Group): Entry | undefined {
    const entry = group.parked.shift();
    if (entry !== undefined) {
      entry.flags = (entry.flags & ~isParked) | isReturned;
    } else if (group.running === 0) {
      this.#groups.delete(name);
    }
    return entry;
  }
}
