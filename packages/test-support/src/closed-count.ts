/** Counts closed connections for tests that wait for them. */
export class ClosedCount {
  #closed = 0;
  readonly #waiting = new Set<() => void>();

  /** Counts one more closed connection. */
  add(): void {
    this.#closed += 1;
    for (const check of this.#waiting) {
      check();
    }
  }

  /** Resolves when this many connections have been closed. */
  reached(count: number): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (this.#closed >= count) {
          this.#waiting.delete(check);
          resolve();
        }
      };
      this.#waiting.add(check);
      check();
    });
  }
}
