import type { KubeObject } from "@typekube/api";
import type { Clock } from "@typekube/core/internal";
import { TimeSlice } from "../callbacks/time-slice.js";
import type { Change } from "../events/change.js";
import { coalesce } from "./coalesce.js";

/**
 * An async iterator over changes. Holds at most one unread change per object: a slow reader misses intermediate states,
 * but never the last one.
 */
export class ChangeStream<T extends KubeObject> implements AsyncIterableIterator<Change<T>> {
  readonly #pending = new Map<string, Change<T>>();
  /** One iterator over the pending changes, reused while it lasts: a new one would walk over all deleted entries. */
  #cursor: Iterator<[string, Change<T>]> | undefined;
  readonly #wake = new Set<() => void>();
  #ended = false;
  readonly #slice: TimeSlice;
  readonly #onEnd: () => void;

  constructor(clock: Clock, onEnd: () => void) {
    this.#slice = new TimeSlice(clock);
    this.#onEnd = onEnd;
  }

  push(changes: readonly Change<T>[]): void {
    for (const change of changes) {
      const before = this.#pending.get(change.key);
      const merged = before === undefined ? change : coalesce(before, change);
      if (merged === undefined) {
        this.#pending.delete(change.key);
      } else {
        this.#pending.set(change.key, merged);
      }
    }
    this.#wakeReaders();
  }

  /** Ends the stream. Pending changes can still be read. */
  end(): void {
    this.#ended = true;
    this.#wakeReaders();
  }

  async next(): Promise<IteratorResult<Change<T>, undefined>> {
    if (this.#slice.isOver) {
      await this.#slice.rest();
    }
    while (this.#pending.size === 0 && !this.#ended) {
      await new Promise<void>((resolve) => this.#wake.add(resolve));
      this.#slice.renew();
    }
    const change = this.#first();
    return change === undefined ? { done: true, value: undefined } : { done: false, value: change };
  }

  async return(): Promise<IteratorResult<Change<T>, undefined>> {
    this.#pending.clear();
    this.end();
    this.#onEnd();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #first(): Change<T> | undefined {
    if (this.#pending.size === 0) {
      return undefined;
    }
    this.#cursor ??= this.#pending.entries();
    const { value, done } = this.#cursor.next();
    if (done) {
      this.#cursor = undefined;
      return this.#first();
    }
    const [key, change] = value;
    this.#pending.delete(key);
    return change;
  }

  #wakeReaders(): void {
    for (const wake of this.#wake) {
      wake();
    }
    this.#wake.clear();
  }
}
