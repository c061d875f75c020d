import { History, type StoreEvent } from "./history.js";
import type { ApiObject } from "./stored-object.js";

/** An object and its key inside the collection. */
export type Entry = readonly [key: string, object: ApiObject];

/** All objects of one resource, with their recent history. Changed only by the store. */
export class Collection {
  readonly history: History;
  readonly #objects = new Map<string, ApiObject>();
  /** The keys in order, so that lists and pages need no sorting. */
  readonly #keys: string[] = [];
  readonly #listeners = new Set<(event: StoreEvent) => void>();

  constructor(historyLimit: number) {
    this.history = new History(historyLimit);
  }

  get size(): number {
    return this.#keys.length;
  }

  /** How many watches listen. */
  get listeners(): number {
    return this.#listeners.size;
  }

  get(key: string): ApiObject | undefined {
    return this.#objects.get(key);
  }

  /** The entries whose key starts with `prefix`, in the order of their keys, from `start` on. */
  entries(prefix: string, start = ""): Entry[] {
    return this.#select(this.#keys, this.#objects, prefix, start);
  }

  /**
   * The same as they were at a version: what happened since then is undone on a copy.
   * The caller has checked that the history reaches so far.
   */
  entriesAt(revision: bigint, prefix: string, start = ""): Entry[] {
    const later = this.history.after(revision);
    if (later.length === 0) {
      return this.entries(prefix, start);
    }
    const objects = new Map(this.#objects);
    for (const event of later.reverse()) {
      if (event.previous === undefined) {
        objects.delete(event.key);
      } else {
        objects.set(event.key, event.previous);
      }
    }
    return this.#select([...objects.keys()].sort(), objects, prefix, start);
  }

  /** Hears every event from now on, inside the write that makes it. Returns what ends that. */
  listen(listener: (event: StoreEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes in what a write did. */
  record(event: StoreEvent): void {
    if (event.type === "DELETED") {
      this.#objects.delete(event.key);
      this.#keys.splice(lowerBound(this.#keys, event.key), 1);
    } else {
      if (event.type === "ADDED") {
        this.#keys.splice(lowerBound(this.#keys, event.key), 0, event.key);
      }
      this.#objects.set(event.key, event.object);
    }
    this.history.push(event);
    for (const listener of [...this.#listeners]) {
      listener(event);
    }
  }

  #select(
    keys: readonly string[],
    objects: ReadonlyMap<string, ApiObject>,
    prefix: string,
    start: string,
  ): Entry[] {
    const selected: Entry[] = [];
    for (let at = lowerBound(keys, start > prefix ? start : prefix); at < keys.length; at++) {
      const key = keys[at] ?? "";
      const object = objects.get(key);
      if (!key.startsWith(prefix) || object === undefined) {
        break;
      }
      selected.push([key, object]);
    }
    return selected;
  }
}

/** The first position whose key is not before `key`. */
function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? "") < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
