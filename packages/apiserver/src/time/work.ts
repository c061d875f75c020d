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
  let active = 0;
  let begun = 0;
  const reactions = new Set<{ readonly due: number }>();
  return {
    get active() {
      return active;
    },
    get begun() {
      return begun;
    },
    get nextReaction() {
      return reactions.size === 0 ? undefined : Math.min(...[...reactions].map(({ due }) => due));
    },
    begin() {
      active += 1;
      begun += 1;
    },
    end() {
      active -= 1;
    },
    expect(due) {
      const reaction = { due };
      reactions.add(reaction);
      return () => reactions.delete(reaction);
    },
    async aside(waiting) {
      active -= 1;
      try {
        return await waiting;
      } finally {
        active += 1;
        begun += 1;
      }
    },
  };
}
