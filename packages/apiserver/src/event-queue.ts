/**
 * Hands values from a writer that never waits to one reader. When the reader falls further behind than the limit, the
 * queue ends instead of dropping anything: the reader notices and starts anew.
 */
export class EventQueue<T> {
  readonly #limit: number;
  #values: T[] = [];
  #ended = false;
  #error: unknown;
  #wake: (() => void) | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Adds a value; `false` when the reader is too slow and the queue is over. */
  push(value: T): boolean {
    if (this.#ended) {
      return false;
    }
    if (this.#values.length >= this.#limit) {
      this.end();
      return false;
    }
    this.#values.push(value);
    this.#wake?.();
    return true;
  }

  /** Adds what was there before the reader came; the limit does not count it. */
  prefill(values: readonly T[]): void {
    for (const value of values) {
      this.#values.push(value);
    }
    this.#wake?.();
  }

  /** Nothing more comes; what is queued is still read. */
  end(): void {
    this.#ended = true;
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
    const taken = this.#values;
    this.#values = [];
    return taken;
  }
}
