import type { ApiObject } from "./stored-object.js";

/** What one write did to one object. */
export interface StoreEvent {
  readonly type: "ADDED" | "DELETED" | "MODIFIED";
  readonly revision: bigint;
  /** The key inside the collection: `namespace/name`, or the name. */
  readonly key: string;
  readonly namespace: string;
  /** The new state; for a deletion the last state with the deletion's version. */
  readonly object: ApiObject;
  /** The state before; absent for a creation. */
  readonly previous?: ApiObject | undefined;
}

/** The latest events of one collection, oldest first, at most `limit` of them. */
export class History {
  readonly #limit: number;
  /** A ring: once it is full, `#start` is where the oldest event stands. */
  readonly #ring: StoreEvent[] = [];
  #start = 0;
  #length = 0;
  #floor = 0n;

  constructor(limit: number) {
    this.#limit = Math.max(1, limit);
  }

  /** The newest version whose predecessors are forgotten: everything after it is known. */
  get floor(): bigint {
    return this.#floor;
  }

  push(event: StoreEvent): void {
    if (this.#length === this.#limit) {
      this.#floor = this.#ring[this.#start]?.revision ?? this.#floor;
      this.#ring[this.#start] = event;
      this.#start = (this.#start + 1) % this.#limit;
      return;
    }
    this.#ring[(this.#start + this.#length) % this.#limit] = event;
    this.#length++;
  }

  /** Forgets everything up to a version. */
  compact(revision: bigint): void {
    const kept = this.after(revision);
    this.#ring.length = 0;
    this.#ring.push(...kept);
    this.#start = 0;
    this.#length = kept.length;
    if (revision > this.#floor) {
      this.#floor = revision;
    }
  }

  /** Every known event after a version, oldest first. */
  after(revision: bigint): StoreEvent[] {
    let first = this.#length;
    while (first > 0 && (this.#at(first - 1)?.revision ?? 0n) > revision) {
      first--;
    }
    const events: StoreEvent[] = [];
    for (let at = first; at < this.#length; at++) {
      const event = this.#at(at);
      if (event !== undefined) {
        events.push(event);
      }
    }
    return events;
  }

  #at(index: number): StoreEvent | undefined {
    return this.#ring[(this.#start + index) % this.#limit];
  }
}
