/** Longest time of the run's clock in which a run that fails waits for the operator to look again: a day, in milliseconds. */
export const longestPatienceMs = 86_400_000;
/** Timers of a wait after which it ends: the operator wakes all the time. */
export const mostTimersInWait = 50_000;
/** Most calls of the operator in that time. */
export const mostPatientCalls = 20_000;

/**
 * Times that each timer fires in a run without faults, or the one that follows it: a resync once an hour queues objects that
 * are then handled one after the other, within the next hour.
 */
export const looksWithoutFaults = 2;
/** The same before a run fails: an operator may handle one of several objects at each look. */
export const looksWithFaults = 10;

/** Parts of {@link Patience}. */
export interface PatienceParts {
  /** Times that each timer must fire. */
  readonly looks: number;
  /** Time of the run's clock, in milliseconds. */
  readonly now: () => number;
  /** Number of the operator's calls so far. */
  readonly calls: () => number;
  /** Returns the timers that the operator holds. */
  readonly pending: () => readonly object[];
  /** Returns what is equal as long as nothing changes. */
  readonly state: () => string;
}

/**
 * Waits for an operator that looks rarely: until all timers that it holds have fired since the last change. Only then is it
 * sure that it does nothing more.
 */
export class Patience {
  readonly #parts: PatienceParts;
  #begun: { readonly atMs: number; readonly calls: number } | undefined;
  #state: string | undefined;
  /** The timers that must fire, of those that were held at the last look. */
  #awaited: readonly object[] = [];
  #looks = 0;

  constructor(parts: PatienceParts) {
    this.#parts = parts;
  }

  /** True once the wait has begun. */
  get hasBegun(): boolean {
    return this.#begun !== undefined;
  }

  /** Returns whether the wait is over. Call it when nothing goes on, after each timer. */
  isOver(): boolean {
    const { looks, now, calls, pending, state } = this.#parts;
    this.#begun ??= { atMs: now(), calls: calls() };
    const { atMs, calls: callsBefore } = this.#begun;
    if (now() - atMs >= longestPatienceMs || calls() - callsBefore >= mostPatientCalls) {
      return true;
    }
    const current = state();
    const held = pending();
    if (current !== this.#state) {
      this.#state = current;
      this.#looks = 0;
      this.#awaited = held;
    }
    const left = new Set(held);
    this.#awaited = this.#awaited.filter((timer) => left.has(timer));
    while (this.#awaited.length === 0) {
      this.#looks += 1;
      if (this.#looks >= looks) {
        return true;
      }
      this.#awaited = held;
    }
    return false;
  }
}
