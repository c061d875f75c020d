import type { KubeObject } from "@typekube/api";
import type { Change } from "../events/change.js";
import { coalesce } from "./coalesce.js";

/** A mark in a queue, called when everything before it was delivered. */
export type QueueMark = () => void;

/**
 * Changes that may queue for one handler before those of each object are coalesced. A handler that keeps up never
 * notices; a slow one holds at most twice as many changes as there are objects.
 */
export const defaultMaxQueuedChanges = 1_000;

/**
 * The queued changes of a handler, in order. Beyond a limit the changes of each object become one, at the place of the
 * first, so that no object overtakes another and the handler never sees an impossible sequence.
 */
export class ChangeQueue<T extends KubeObject> {
  readonly #limit: number;
  #items: (Change<T> | QueueMark | undefined)[] = [];
  #head = 0;
  #foldAt: number;

  constructor(limit: number = defaultMaxQueuedChanges) {
    this.#limit = limit;
    this.#foldAt = limit;
  }

  /** Number of queued items. */
  get length(): number {
    return this.#items.length - this.#head;
  }

  /** Returns the keys of the objects that have a queued change. */
  keys(): Set<string> {
    const keys = new Set<string>();
    for (let i = this.#head; i < this.#items.length; i++) {
      const item = this.#items[i];
      if (typeof item === "object") {
        keys.add(item.key);
      }
    }
    return keys;
  }

  push(changes: readonly Change<T>[]): void {
    const wasEmpty = this.length === 0;
    for (const change of changes) {
      this.#items.push(change);
    }
    if (wasEmpty) {
      // A large batch is a snapshot with one change per object: there is nothing to coalesce.
      this.#foldAt = Math.max(this.#limit, 2 * changes.length);
    } else if (this.length > this.#foldAt) {
      this.#fold();
    }
  }

  mark(mark: QueueMark): void {
    this.#items.push(mark);
  }

  /** Removes and returns the first item. */
  shift(): Change<T> | QueueMark | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) {
      return undefined;
    }
    // Release delivered items, even while others wait behind them.
    this.#items[this.#head++] = undefined;
    if (this.#head === this.#items.length) {
      this.clear();
    } else if (this.#head > defaultMaxQueuedChanges && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  clear(): void {
    this.#items = [];
    this.#head = 0;
    this.#foldAt = this.#limit;
  }

  #fold(): void {
    const folded: (Change<T> | QueueMark | undefined)[] = [];
    const places = new Map<string, number>();
    for (let i = this.#head; i < this.#items.length; i++) {
      const item = this.#items[i];
      const place = typeof item === "object" ? places.get(item.key) : undefined;
      if (typeof item !== "object" || place === undefined) {
        if (typeof item === "object") {
          places.set(item.key, folded.length);
        }
        folded.push(item);
        continue;
      }
      const merged = coalesce(folded[place] as Change<T>, item);
      folded[place] = merged;
      if (merged === undefined) {
        places.delete(item.key);
      }
    }
    this.#items = folded.filter((item) => item !== undefined);
    this.#head = 0;
    // Coalescing takes time in proportion to the queue, so it waits until the queue has doubled.
    this.#foldAt = Math.max(this.#limit, 2 * this.#items.length);
  }
}
