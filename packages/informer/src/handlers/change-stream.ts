import type { KubeObject } from "@typekube/api";
import type { Clock } from "@typekube/core/internal";
import { TimeSlice } from "../time-slice.js";
import type { Change } from "./change.js";
import { coalesce } from "./coalesce.js";

/**
 * A cursor over changes for `for await`. What is not read yet is held as one change per object: a slow reader misses
 * states in between, never the last one, and costs no more than one change per object.
 */
export class ChangeStream<T extends KubeObject> implements AsyncIterableIterator<Change<T>> {
  readonly #pending = new Map<string, Change<T>>();
  /** One iterator over what is pending for as long as it lasts: a new one would walk over all that was deleted before. */
  #cursor: Iterator<[string, Change<T>]> | undefined;
  readonly #wake = new Set<() => void>();
  #ended = false;
  readonly #stint: TimeSlice;
  readonly #onEnd: () => void;

  constructor(clock: Clock, onEnd: () => void) {
    this.#stint = new TimeSlice(clock);
    this.#onEnd = onEnd;
  }

  /** Adds changes. */
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

  /** No change comes any more; what is pending is still read. */
  end(): void {
    this.#ended = true;
    this.#wakeReaders();
  }

  async next(): Promise<IteratorResult<Change<T>, undefined>> {
    if (this.#stint.isOver) {
      await this.#stint.rest();
    }
    while (this.#pending.size === 0 && !this.#ended) {
      await new Promise<void>((resolve) => this.#wake.add(resolve));
      this.#stint.renew();
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
