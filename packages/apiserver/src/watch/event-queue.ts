/**
 * Hands values from a writer that never waits to one reader. When the reader falls further behind than the limit, the
 * queue ends instead of dropping anything: the reader notices and starts anew.
 */
export class EventQueue<T> {
  readonly #limit: number;
  #values: T[] = [];
  /** What came while the queue was held, in order. */
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

  /** How many values the reader could take now. */
  get size(): number {
    return this.#values.length;
  }

  /** How many values are held back. */
  get held(): number {
    return this.#kept.length;
  }

  /** How often the reader has taken something. */
  get taken(): number {
    return this.#taken;
  }

  /** Adds a value; `false` when the reader is too slow and the queue is over. */
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

  /** Adds what was there before the reader came; the limit does not count it, and nothing holds it. */
  prefill(values: readonly T[]): void {
    for (const value of values) {
      this.#values.push(value);
    }
    this.#wake?.();
  }

  /** The same, but it may be held. */
  prefillHeld(values: readonly T[]): void {
    if (this.#holds > 0) {
      this.#kept.push(...values);
    } else {
      this.prefill(values);
    }
  }

  /** From now on values are kept back. Returns what ends that; while several hold, all must. */
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

  /** Lets the reader have the first so many of what is kept back; returns how many those were. */
  release(count: number): number {
    const released = this.#kept.splice(0, Math.min(count, this.#kept.length));
    this.prefill(released);
    return released.length;
  }

  /** Nothing more comes; what is queued is still read, what is kept back is not. */
  end(): void {
    this.#ended = true;
    this.#kept = [];
    this.#wake?.();
  }

  /** Nothing more comes and nothing more is read: the reader fails. */
  fail(error: unknown): void {
    this.#values = [];
    this.#error = error;
    this.end();
  }

  /** Everything that is queued, at least one value; `undefined` at the end. */
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
