import type { KubeObject } from "@typekube/api";
import type { Change } from "./change.js";

/**
 * A cursor over changes for `for await`. What is not read yet is held as one change per object: a slow reader misses
 * states in between, never the last one, and costs no more than one change per object.
 */
export class ChangeStream<T extends KubeObject> implements AsyncIterableIterator<Change<T>> {
  readonly #pending = new Map<string, Change<T>>();
  #wake: (() => void) | undefined;
  #ended = false;
  readonly #onEnd: () => void;

  constructor(onEnd: () => void) {
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
    this.#wake?.();
  }

  /** No change comes any more; what is pending is still read. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<Change<T>, undefined>> {
    while (this.#pending.size === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    for (const [key, change] of this.#pending) {
      this.#pending.delete(key);
      return { done: false, value: change };
    }
    return { done: true, value: undefined };
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
}

/** Two changes of one object as one; `undefined` when they cancel each other out. */
function coalesce<T extends KubeObject>(
  first: Change<T>,
  second: Change<T>,
): Change<T> | undefined {
  if (first.type === "add") {
    return second.type === "delete"
      ? undefined
      : { type: "add", key: first.key, object: second.object, initial: first.initial };
  }
  if (second.type === "delete") {
    return second;
  }
  const previous = first.type === "delete" ? first.object : first.previous;
  const replaced = previous.metadata.uid !== second.object.metadata.uid;
  return {
    type: replaced ? "replaced" : "update",
    key: first.key,
    object: second.object,
    previous,
  };
}
