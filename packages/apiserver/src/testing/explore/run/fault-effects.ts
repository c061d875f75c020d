import type { EventGate } from "./event-gate.js";
import type { FaultSchedule } from "./fault-schedule.js";
import type { Processes } from "./processes.js";

/** Milliseconds after which a leader that stands still continues when no other has taken over. */
export const longestPauseMs = 120_000;
/** Number of ends with an error after which a process counts as one that ends again and again. */
export const manyEnds = 5;

/** Parts of {@link FaultEffects}. */
export interface FaultEffectsParts {
  readonly schedule: Pick<FaultSchedule, "struck">;
  readonly events: Pick<EventGate, "hasLong" | "rest" | "stepped">;
  readonly processes: Pick<
    Processes<object & Readonly<Record<string, object>>>,
    "ends" | "isDown" | "pausedMs" | "pausedName" | "recoveries" | "resume" | "starts" | "stepTaken"
  >;
}

/** The faults of a run that are in effect for a time: events that wait, a process that is down or stands still. */
export class FaultEffects {
  readonly #parts: FaultEffectsParts;

  constructor(parts: FaultEffectsParts) {
    this.#parts = parts;
  }

  /** Number of faults, and of their effects that have ended. A process that ends again and again is no new one. */
  get count(): number {
    const { schedule, processes } = this.#parts;
    const { starts, recoveries, ends } = processes;
    const ownEnds = Math.max(0, ends.length - manyEnds);
    return starts - ownEnds + recoveries + schedule.struck.length;
  }

  /** The error with which processes end again and again; `undefined` when they don't. */
  get endlessError(): string | undefined {
    const { ends } = this.#parts.processes;
    return ends.length >= manyEnds ? ends.at(-1) : undefined;
  }

  /** Milliseconds after which a process that stands still continues in any case; `undefined` when none does. */
  get pauseLeftMs(): number | undefined {
    const { pausedName, pausedMs } = this.#parts.processes;
    return pausedName === undefined ? undefined : Math.max(0, longestPauseMs - pausedMs);
  }

  /** Ends the waits of events that last until nothing else happens. Returns whether there were some. */
  rest(): boolean {
    return this.#parts.events.rest();
  }

  /** Ends the effects that would last through a user step. Returns whether there were some. */
  endLong(): boolean {
    const { events, processes } = this.#parts;
    const hadSome = events.hasLong || processes.isDown;
    events.stepped();
    processes.stepTaken();
    return hadSome;
  }

  /** Lets a process continue that has stood still for long. Returns whether there was one. */
  endPause(): boolean {
    return this.pauseLeftMs === 0 && this.#parts.processes.resume();
  }
}
