import type { ApiObject } from "../objects/api-object.js";

/** The change of one object by a write. */
export interface StoreEvent {
  readonly type: "ADDED" | "DELETED" | "MODIFIED";
  readonly revision: bigint;
  /** Key in the collection: `namespace/name`, or the name. */
  readonly key: string;
  readonly namespace: string;
  /** The new object; for a deletion the last state with the resourceVersion of the deletion. */
  readonly object: ApiObject;
  /** The old object; absent for a creation. */
  readonly previous?: ApiObject | undefined;
}

/** The latest events of one collection, oldest first, at most `limit` of them. */
export class History {
  readonly #limit: number;
  /** A ring buffer: once it is full, the oldest event is at `#start`. */
  #ring: StoreEvent[] = [];
  /** `true` while a fork shares the ring; the side that changes it first makes a copy. */
  #isShared = false;
  #start = 0;
  #length = 0;
  #floor = 0n;

  constructor(limit: number) {
    this.#limit = Math.max(1, limit);
  }

  /** The revision up to which events are forgotten; all later ones are known. */
  get floor(): bigint {
    return this.#floor;
  }

  push(event: StoreEvent): void {
    if (this.#isShared) {
      this.#ring = [...this.#ring];
      this.#isShared = false;
    }
    if (this.#length === this.#limit) {
      this.#floor = this.#ring[this.#start]?.revision ?? this.#floor;
      this.#ring[this.#start] = event;
      this.#start = (this.#start + 1) % this.#limit;
      return;
    }
    this.#ring[(this.#start + this.#length) % this.#limit] = event;
    this.#length++;
  }

  /** Forgets all events up to a revision. */
  compact(revision: bigint): void {
    this.#keep(this.after(revision));
    if (revision > this.#floor) {
      this.#floor = revision;
    }
  }

  /** Removes all events after a revision, as if they had never happened. */
  forgetAfter(revision: bigint): void {
    const all = this.after(0n);
    this.#keep(all.filter((event) => event.revision <= revision));
  }

  /** Returns an independent history with the same events. */
  fork(): History {
    const fork = new History(this.#limit);
    fork.#ring = this.#ring;
    fork.#start = this.#start;
    fork.#length = this.#length;
    fork.#floor = this.#floor;
    fork.#isShared = true;
    this.#isShared = true;
    return fork;
  }

  /** Returns the known events after a revision, oldest first. */
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

  #keep(events: StoreEvent[]): void {
    this.#ring = events;
    this.#isShared = false;
    this.#start = 0;
    this.#length = events.length;
  }

  #at(index: number): StoreEvent | undefined {
    return this.#ring[(this.#start + index) % this.#limit];
  }
}
