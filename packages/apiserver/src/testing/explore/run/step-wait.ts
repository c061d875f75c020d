import type { CallBook } from "./call-book.js";
import type { FaultEffects } from "./fault-effects.js";
import { mostTimersInWait, type Patience } from "./patience.js";
import type { RunTime } from "./run-time.js";

/** Milliseconds of a step after which faults that would last through it end: it may wait for the operator itself. */
const longestEffectMs = 10_000;
/** Least milliseconds for which a step may wait after the last fault has ended. */
const shortestLimitMs = 600_000;
/** Milliseconds of a step after which the operator's calls count as endless only when no time passes between them. */
const callLimitMs = 60_000;

/** Parts of a {@link StepWait}. */
export interface StepWaitParts {
  readonly time: Pick<RunTime, "hurry" | "nextTimer" | "now">;
  readonly effects: FaultEffects;
  readonly calls: Pick<CallBook, "renew">;
  /** Milliseconds in which the operator must get there. */
  readonly withinMs: number;
  /** The longest wait of a step without faults, in milliseconds; 0 while that is not known. */
  readonly expectedMs: number;
  /** Goes on until the operator has looked again; `undefined` for a run that only shows whether that is necessary. */
  readonly patience: Patience | undefined;
}

/** The time for which a user step waits. */
export class StepWait {
  readonly #parts: StepWaitParts;
  readonly #beganMs: number;
  readonly #limitMs: number;
  /** Time of the last fault, or of the end of its effect. */
  #calmMs: number;
  #effects: number;
  #timers = 0;
  #isLate = false;

  constructor(parts: StepWaitParts) {
    this.#parts = parts;
    this.#beganMs = parts.time.now;
    this.#calmMs = parts.time.now;
    this.#effects = parts.effects.count;
    // A fault may cost one more look of an operator that looks rarely.
    this.#limitMs = Math.max(shortestLimitMs, parts.withinMs, 2 * parts.expectedMs);
  }

  /** Milliseconds so far. */
  get waitedMs(): number {
    return this.#parts.time.now - this.#beganMs;
  }

  /** True when it went on for longer than a run may that does not wait for the operator's looks. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** True when the wait is over because the operator wakes all the time: it says nothing about the operator's work. */
  get isGivenUp(): boolean {
    return this.#timers > mostTimersInWait;
  }

  /** Returns the time at which the step may go on; `undefined` when nothing will happen that it waits for. */
  next(): number | undefined {
    const { time, effects, calls, patience } = this.#parts;
    const { now } = time;
    this.#timers += 1;
    if (this.isGivenUp) {
      return undefined;
    }
    const { waitedMs } = this;
    const hasEnded =
      effects.rest() || (waitedMs >= longestEffectMs && effects.endLong()) || effects.endPause();
    const { count, pauseLeftMs } = effects;
    if (hasEnded || count !== this.#effects || pauseLeftMs !== undefined) {
      this.#effects = count;
      this.#calmMs = now;
    }
    if (hasEnded) {
      return now;
    }
    if (waitedMs >= callLimitMs) {
      calls.renew();
      time.hurry();
    }
    const end = this.#calmMs + this.#limitMs;
    if (now >= end) {
      this.#isLate = true;
      if (patience?.isOver() !== false) {
        return undefined;
      }
    }
    const moments = [
      this.#beganMs + longestEffectMs,
      end,
      now + (pauseLeftMs ?? this.#limitMs),
      time.nextTimer ?? Number.POSITIVE_INFINITY,
    ];
    return Math.min(...moments.filter((moment) => moment > now), now + this.#limitMs);
  }
}
