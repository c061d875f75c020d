/** What a server is doing now, so that others can wait until it is done. */
export interface Work {
  /** How many pieces of work are going on. */
  readonly active: number;
  /** Grows with everything that begins. */
  readonly begun: number;
  /** Something begins; {@link end} follows exactly once. */
  begin(): void;
  end(): void;
  /** Something that is going on waits for the clock or for somebody outside: until it goes on, it does not count. */
  aside<T>(waiting: Promise<T>): Promise<T>;
}

/** Creates it for one server. */
export function createWork(): Work {
  let active = 0;
  let begun = 0;
  return {
    get active() {
      return active;
    },
    get begun() {
      return begun;
    },
    begin() {
      active += 1;
      begun += 1;
    },
    end() {
      active -= 1;
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
