import { type Entry, isAged, isParked, isReady } from "../entries/entry.js";
import { AgeList } from "./age-list.js";
import { FairLane, type Fairness } from "./fair-lane.js";
import { type GroupConcurrency, GroupSlots } from "./group-slots.js";
import { FifoLane } from "./lane.js";
import { PriorityLanes } from "./priority-lanes.js";

/** Keys that are aged before one key is taken: more than one, so that aging keeps up, and few, so that a take is quick. */
const agedPerTake = 16;

/** Options of the order in which ready keys are taken. */
export interface ReadyOrder {
  readonly agingMs: number;
  readonly fairBy?: Fairness | undefined;
  readonly groupConcurrency?: GroupConcurrency | undefined;
}

/** The keys that can be taken, or that only wait for a slot of their group. */
export class ReadyKeys {
  readonly #lanes: PriorityLanes;
  readonly #slots: GroupSlots | undefined;
  readonly #ages = new AgeList();
  readonly #agingMs: number;
  /** Number of keys, including the parked ones. */
  size = 0;

  constructor({ agingMs, fairBy, groupConcurrency }: ReadyOrder) {
    this.#lanes = new PriorityLanes(fairBy ? () => new FairLane(fairBy) : () => new FifoLane());
    this.#slots = groupConcurrency && new GroupSlots(groupConcurrency);
    this.#agingMs = agingMs;
  }

  push(entry: Entry): void {
    this.#lanes.push(entry);
    this.size++;
    if (entry.priority < 0 && this.#agingMs !== Number.POSITIVE_INFINITY) {
      this.#ages.push(entry);
    }
  }

  /** Removes the key whose turn it is, and counts its run; `undefined` if no key may run. */
  pop(nowMs: number): Entry | undefined {
    this.#age(nowMs);
    for (;;) {
      const entry = this.#lanes.shift();
      if (entry === undefined) {
        return undefined;
      }
      if (this.#slots === undefined || this.#slots.acquire(entry)) {
        this.size--;
        this.#ages.remove(entry);
        return entry;
      }
    }
  }

  /** Ends the run of a key. Returns true if this lets another key run. */
  release(key: string): boolean {
    return this.#putBack(this.#slots?.release(key));
  }

  /** Removes a ready key. Returns true if this lets another key run. */
  remove(entry: Entry): boolean {
    const wasParked = (entry.flags & isParked) !== 0;
    this.#removeFromLane(entry);
    this.#ages.remove(entry);
    this.size--;
    return !wasParked && this.#putBack(this.#slots?.replace(entry.key));
  }

  /** Moves a key to the end of a higher priority. An aged key keeps its place up to priority 0. */
  raise(entry: Entry, priority: number): void {
    if ((entry.flags & isAged) !== 0 && priority <= 0) {
      entry.priority = priority;
      return;
    }
    this.#removeFromLane(entry);
    entry.priority = priority;
    entry.flags = isReady;
    this.#lanes.push(entry);
    if (priority >= 0) {
      this.#ages.remove(entry);
    }
  }

  /** Lets keys that have been ready for long count as keys of priority 0. */
  #age(nowMs: number): void {
    for (let count = 0; count < agedPerTake; count++) {
      const entry = this.#ages.oldest;
      if (entry === undefined || nowMs - entry.sinceMs < this.#agingMs) {
        return;
      }
      this.#ages.remove(entry);
      this.#removeFromLane(entry);
      entry.flags = isReady | isAged;
      this.#lanes.push(entry);
    }
  }

  #putBack(entry: Entry | undefined): boolean {
    if (entry === undefined) {
      return false;
    }
    this.#lanes.putBack(entry);
    return true;
  }

  #removeFromLane(entry: Entry): void {
    if ((entry.flags & isParked) === 0) {
      this.#lanes.remove(entry);
    } else {
      this.#slots?.remove(entry);
    }
  }
}
