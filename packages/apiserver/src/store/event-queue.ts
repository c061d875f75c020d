/**
 * Passes values from a writer that never waits to one reader. When the reader falls behind by more than the limit, the
 * queue ends instead of dropping values, so that the reader notices and starts over.
 */
export class EventQueue<T> {
  readonly #limit: number;
  #values: T[] = [];
  /** Values added while the queue was held, in order. */
  #kept: T[] = [];
  #holds = 0;
  #taken = 0;
  #ended = false;
  #error: unknown;
  #wake: (() => void) | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Number of values ready to be read. */
  get size(): number {
    return this.#values.length;
  }

  /** Number of values held back. */
  get held(): number {
    return this.#kept.length;
  }

  /** The held value that is released next; `undefined` when none is held. */
  get nextHeld(): T | undefined {
    return this.#kept[0];
  }

  /** Number of completed `take` calls. */
  get taken(): number {
    return this.#taken;
  }

  /** Adds a value; returns `false` when the queue has ended, for example because the reader is too slow. */
  push(value: T): boolean {
    if (this.#ended) {
      return false;
    }
    if (this.#values.length + this.#kept.length >= this.#limit) {
      this.end();
      return false;
    }
    if (this.#holds > 0 || this.#kept.length > 0) {
      this.#kept.push(value);
      return true;
    }
    this.#values.push(value);
    this.#wake?.();
    return true;
  }

  /** Adds initial values, which are neither limited nor held. */
  prefill(values: readonly T[]): void {
    for (const value of values) {
      this.#values.push(value);
    }
    this.#wake?.();
  }

  /** Adds initial values, which are not limited but may be held. */
  prefillHeld(values: readonly T[]): void {
    if (this.#holds > 0) {
      this.#kept.push(...values);
    } else {
      this.prefill(values);
    }
  }

  /** Starts holding back values. Returns a function that ends this hold; values flow again when all holds have ended. */
  hold(): () => void {
    this.#holds += 1;
    let isHeld = true;
    return () => {
      if (isHeld) {
        isHeld = false;
        this.#holds -= 1;
        if (this.#holds === 0) {
          this.release(Number.POSITIVE_INFINITY);
        }
      }
    };
  }

  /** Releases the first `count` held values; returns their number. */
  release(count: number): number {
    const released = this.#kept.splice(0, Math.min(count, this.#kept.length));
    this.prefill(released);
    return released.length;
  }

  /** Ends the queue: queued values can still be read, held ones are dropped. */
  end(): void {
    this.#ended = true;
    this.#kept = [];
    this.#wake?.();
  }

  /** Ends the queue with an error: queued values are dropped, and the reader fails. */
  fail(error: unknown): void {
    this.#values = [];
    this.#error = error;
    this.end();
  }

  /** Takes all queued values, waiting for at least one; `undefined` at the end. */
  async take(): Promise<T[] | undefined> {
    while (this.#values.length === 0) {
      if (this.#error !== undefined) {
        throw this.#error;
      }
      if (this.#ended) {
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    this.#taken += 1;
    const taken = this.#values;
    this.#values = [];
    return taken;
  }
}
