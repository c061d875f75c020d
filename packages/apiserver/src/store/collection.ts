import { History, type StoreEvent } from "./history.js";
import { type Entry, SortedEntries } from "./sorted-entries.js";
import type { ApiObject } from "./stored-object.js";

export type { Entry } from "./sorted-entries.js";

/** All objects of one resource, with their recent history. Changed only by the store. */
export class Collection {
  #history: History;
  #entries = new SortedEntries();
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  #prepared: (() => readonly StoreEvent[]) | undefined;

  constructor(historyLimit: number) {
    this.#history = new History(historyLimit);
  }

  get history(): History {
    this.#makePrepared();
    return this.#history;
  }

  get size(): number {
    this.#makePrepared();
    return this.#entries.size;
  }

  /** How many entries writes had to copy because a fork shares them. */
  get copiedEntries(): number {
    return this.#entries.copied;
  }

  /** How many watches listen. */
  get listeners(): number {
    return this.#listeners.size;
  }

  get(key: string): ApiObject | undefined {
    this.#makePrepared();
    return this.#entries.get(key);
  }

  /** The entries whose key starts with `prefix`, in the order of their keys, from `start` on. */
  entries(prefix: string, start = ""): Entry[] {
    this.#makePrepared();
    return this.#entries.select(prefix, start);
  }

  /**
   * The same as they were at a version: what happened since then is undone on a fork.
   * The caller has checked that the history reaches so far.
   */
  entriesAt(revision: bigint, prefix: string, start = ""): Entry[] {
    const later = this.history.after(revision);
    return (later.length === 0 ? this.#entries : undone(this.#entries, later)).select(
      prefix,
      start,
    );
  }

  /** Hears every event from now on, inside the write that makes it. Returns what ends that. */
  listen(listener: (event: StoreEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes in what a write did. */
  record(event: StoreEvent): void {
    this.#makePrepared();
    this.#apply(event);
    this.tell(event);
  }

  /** Takes in events that are made when the collection is first read or written. */
  prepare(events: () => readonly StoreEvent[]): void {
    this.#makePrepared();
    this.#prepared = events;
  }

  #makePrepared(): void {
    if (this.#prepared !== undefined) {
      const events = this.#prepared();
      this.#prepared = undefined;
      for (const event of events) {
        this.#apply(event);
      }
    }
  }

  #apply(event: StoreEvent): void {
    if (event.type === "DELETED") {
      this.#entries.delete(event.key);
    } else {
      this.#entries.set(event.key, event.object);
    }
    this.#history.push(event);
  }

  /** The same objects and the same history, without those who listen. */
  fork(): Collection {
    const fork = new Collection(1);
    fork.#history = this.history.fork();
    fork.#entries = this.#entries.fork();
    return fork;
  }

  /** Goes back to an earlier version, as if nothing had happened since. The caller has checked that it is known. */
  rewind(revision: bigint): void {
    this.#entries = undone(this.#entries, this.history.after(revision));
    this.#history.forgetAfter(revision);
  }

  /** Becomes what another collection is. Listeners stay; returned is what they have to be told. */
  restore(other: Collection, revision: bigint): StoreEvent[] {
    this.#makePrepared();
    other.#makePrepared();
    const before = this.#entries;
    this.#entries = other.#entries.fork();
    this.#entries.copied = before.copied;
    this.#history = other.#history.fork();
    return before.differences(this.#entries).flatMap((key): StoreEvent[] => {
      const previous = before.get(key);
      const now = this.#entries.get(key);
      const object = now ?? previous;
      if (object === undefined) {
        return [];
      }
      const type = now === undefined ? "DELETED" : previous === undefined ? "ADDED" : "MODIFIED";
      const { namespace = "" } = object.metadata;
      return [{ type, revision, key, namespace, object, previous }];
    });
  }

  /** Lets listeners hear of an event. */
  tell(event: StoreEvent): void {
    if (this.#listeners.size === 0) {
      return;
    }
    for (const listener of [...this.#listeners]) {
      listener(event);
    }
  }
}

function undone(entries: SortedEntries, later: readonly StoreEvent[]): SortedEntries {
  const past = entries.fork();
  for (const event of [...later].reverse()) {
    if (event.previous === undefined) {
      past.delete(event.key);
    } else {
      past.set(event.key, event.previous);
    }
  }
  return past;
}
