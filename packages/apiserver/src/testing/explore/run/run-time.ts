import type { ServerContext } from "../../../context/server-context.js";
import type { VirtualClock } from "../../../time/virtual-clock.js";
import { realTime, untilQuiet } from "./quiet.js";

/** Parts of {@link RunTime}. */
export interface RunTimeParts {
  readonly context: ServerContext;
  readonly clock: VirtualClock;
  /** Real milliseconds to wait for code that is being loaded, whenever nothing goes on. */
  readonly patienceMs: number;
  /** Returns a number that grows while the operator does something; `undefined` while that cannot be told. */
  readonly progress: () => number | undefined;
  /** Passes on what is due, in each turn of the event loop. */
  readonly act: () => void;
}

/** Waits in succession that brought nothing, after which a patient run stops waiting: timers may fire all the time. */
const mostIdleWaits = 200;

/** The time of one run: it passes only when nothing else goes on. */
export class RunTime {
  readonly #parts: RunTimeParts;
  /** Waits in succession that brought nothing. */
  #idleWaits = 0;
  /** Progress when a patient run was quiet last. */
  #lastProgress: number | undefined;

  constructor(parts: RunTimeParts) {
    this.#parts = parts;
  }

  get now(): number {
    return this.#parts.clock.now();
  }

  /** Time of the next timer, or of the next reaction of a controller of the server. */
  get nextTimer(): number | undefined {
    const { context, clock } = this.#parts;
    const { nextReaction } = context.work;
    const { nextTimer } = clock;
    return nextReaction === undefined
      ? nextTimer
      : Math.min(nextReaction, nextTimer ?? Number.POSITIVE_INFINITY);
  }

  /** Waits until nothing goes on. */
  async quiet(): Promise<void> {
    const { patienceMs, act } = this.#parts;
    await untilQuiet(() => this.#progress(), act);
    const isIdle = this.#progress() === this.#lastProgress;
    this.#idleWaits = isIdle ? this.#idleWaits + 1 : 0;
    if (patienceMs > 0 && isIdle && this.#idleWaits <= mostIdleWaits) {
      await realTime(patienceMs);
      await untilQuiet(() => this.#progress(), act);
    }
    while (patienceMs > 0 && this.#progress() !== this.#lastProgress) {
      this.#lastProgress = this.#progress();
      await realTime(patienceMs);
      await untilQuiet(() => this.#progress(), act);
    }
  }

  #progress(): number | undefined {
    const { context, progress } = this.#parts;
    const { work, store, watches } = context;
    const own = progress();
    return own === undefined || work.active > 0
      ? undefined
      : own + work.begun + Number(store.revision) + watches.taken;
  }

  /** Lets time pass. */
  async advanceTo(time: number): Promise<void> {
    await this.#parts.clock.advance(Math.max(0, time - this.now));
  }
}
