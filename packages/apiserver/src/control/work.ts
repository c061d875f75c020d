/** The work of a server that is under way, so that tests can wait until it is done. */
export interface Work {
  /** Pieces of work under way. */
  readonly active: number;
  /** Pieces of work begun so far. */
  readonly begun: number;
  /** The time of the server's clock at which the next reaction of a controller is due; `undefined` when none is expected. */
  readonly nextReaction: number | undefined;
  /** Counts a piece of work that begins; {@link end} follows exactly once. */
  begin(): void;
  end(): void;
  /** Announces a reaction; the returned function takes it back once it has begun or is cancelled. */
  expect(due: number): () => void;
  /** Waits for the clock or for somebody outside, without counting as work until that is over. */
  aside<T>(waiting: Promise<T>): Promise<T>;
}

/** Creates the record of one server. */
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
