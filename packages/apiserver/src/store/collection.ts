import type { ApiObject } from "../objects/api-object.js";
import { History, type StoreEvent } from "./history.js";
import { type Entry, SortedEntries } from "./sorted-entries.js";

export type { Entry } from "./sorted-entries.js";

/** All objects of one resource and their recent history. Modified only by the store. */
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

  /** Number of entries that writes had to copy because a fork shares them. */
  get copiedEntries(): number {
    return this.#entries.copied;
  }

  /** Number of listeners; each watch has one. */
  get listeners(): number {
    return this.#listeners.size;
  }

  get(key: string): ApiObject | undefined {
    this.#makePrepared();
    return this.#entries.get(key);
  }

  /** Returns the entries whose key starts with `prefix`, in key order, beginning at `start`. */
  entries(prefix: string, start = ""): Entry[] {
    this.#makePrepared();
    return this.#entries.select(prefix, start);
  }

  /**
   * Returns the entries at an older revision, by undoing later events on a fork. The caller has checked that the
   * history reaches back that far.
   */
  entriesAt(revision: bigint, prefix: string, start = ""): Entry[] {
    const later = this.history.after(revision);
    return (later.length === 0 ? this.#entries : undone(this.#entries, later)).select(
      prefix,
      start,
    );
  }

  /** Calls the listener for every event, during its write. Returns a function that unsubscribes. */
  listen(listener: (event: StoreEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Applies the event of a write. */
  record(event: StoreEvent): void {
    this.#makePrepared();
    this.#apply(event);
    this.tell(event);
  }

  /** Registers events that are created when the collection is first read or written. */
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

  /** Returns a collection with the same objects and history, without listeners. */
  fork(): Collection {
    const fork = new Collection(1);
    fork.#history = this.history.fork();
    fork.#entries = this.#entries.fork();
    return fork;
  }

  /**
   * Restores an earlier revision and forgets later events. The caller has checked that the history reaches back that
   * far.
   */
  rewind(revision: bigint): void {
    this.#entries = undone(this.#entries, this.history.after(revision));
    this.#history.forgetAfter(revision);
  }

  /** Takes over the content of another collection. Keeps its listeners; returns the events to notify them of. */
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

  /** Notifies the listeners of an event. */
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
