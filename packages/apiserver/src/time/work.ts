/** Tracks the work in progress on a server, so that tests can wait for it. */
export interface Work {
  /** Number of work items in progress. */
  readonly active: number;
  /** Number of work items started so far. */
  readonly begun: number;
  /** The server clock's time of the next reaction of a controller; `undefined` when none is expected. */
  readonly nextReaction: number | undefined;
  /** Counts the start of a work item; {@link end} follows exactly once. */
  begin(): void;
  end(): void;
  /** Announces a reaction; the returned function withdraws it once it has begun or is cancelled. */
  expect(due: number): () => void;
  /** Waits for the clock or an external event; the current item does not count as work during the wait. */
  aside<T>(waiting: Promise<T>): Promise<T>;
}

/** Creates the tracker of one server. */
export function createWork(): Work {
  return new CountedWork();
}

class CountedWork implements Work {
  #active = 0;
  #begun = 0;
  readonly #reactions = new Set<{ readonly due: number }>();

  get active(): number {
    return this.#active;
  }

  get begun(): number {
    return this.#begun;
  }

  get nextReaction(): number | undefined {
    const due = [...this.#reactions].map((reaction) => reaction.due);
    return due.length === 0 ? undefined : Math.min(...due);
  }

  begin(): void {
    this.#active += 1;
    this.#begun += 1;
  }

  end(): void {
    this.#active -= 1;
  }

  expect(due: number): () => void {
    const reaction = { due };
    this.#reactions.add(reaction);
    return () => this.#reactions.delete(reaction);
  }

  async aside<T>(waiting: Promise<T>): Promise<T> {
    this.#active -= 1;
    try {
      return await waiting;
    } finally {
      this.#active += 1;
      this.#begun += 1;
    }
  }
}
