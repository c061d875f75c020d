import type { ServerContext } from "../../../context/server-context.js";
import type { VirtualClock } from "../../../time/virtual-clock.js";
import { AwaitedTurns, realTime, untilQuiet } from "./quiet.js";

/** Parts of {@link RunTime}. */
export interface RunTimeParts {
  readonly context: ServerContext;
  readonly clock: VirtualClock;
  /** Real milliseconds to wait for code that is being loaded, whenever nothing goes on. */
  readonly patienceMs: number;
  /** Returns a number that grows while the operator does something; `undefined` while that cannot be told. */
  readonly progress: () => number | undefined;
  /** Returns the number of faults that have occurred. */
  readonly faults: () => number;
  /** Returns the number of the user's requests. */
  readonly userRequests: () => number;
  /** Passes on what is due, in each turn of the event loop. */
  readonly act: () => void;
}

/** Waits in succession that brought nothing, after which a patient run waits for a shorter time, and then no longer. */
const idleWaitsInFull = 5;
const mostIdleWaits = 100;
/** The shorter time, as a share: code that is loaded late is rare, and its loading goes on through several waits. */
const shortWaitShare = 1 / 4;

/** Requests in succession after which a user step counts as one that polls: time passes between its requests from then on. */
const pollRequests = 1_000;
/** Requests of such a step until time passes again. */
const furtherRequests = 20;

/** The time of one run: it passes only when nothing else goes on. */
export class RunTime {
  readonly #parts: RunTimeParts;
  readonly #turns = new AwaitedTurns();
  /** Waits in succession that brought nothing, since the last fault. */
  #idleWaits = 0;
  #lastFaults = 0;
  /** Progress before the last wait. */
  #lastProgress: number | undefined;
  /** Progress when the run was quiet last; `undefined` once something may have begun since. */
  #still: number | undefined;
  #pollLimit = pollRequests;
  #isHurried = false;

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

  /** True while a user step polls without a pause. */
  get isPolled(): boolean {
    return this.#pollLimit < pollRequests;
  }

  /** Leaves out waits in real time, or takes them again: a long wait is a repetition of what was. */
  hurry(isHurried = true): void {
    this.#isHurried = isHurried;
  }

  /**
   * Notes that something may have begun, so that the next {@link quiet} waits in full. Call it for what neither a timer
   * nor progress shows.
   */
  stir(): void {
    this.#still = undefined;
  }

  /** Waits until nothing goes on, or until a user step turns out to poll. */
  async quiet(): Promise<void> {
    const patienceMs = this.#isHurried ? 0 : this.#parts.patienceMs;
    const first = this.#parts.userRequests();
    const isPolled = () => this.#parts.userRequests() - first > this.#pollLimit;
    await this.#untilQuiet(isPolled);
    if (isPolled()) {
      this.#pollLimit = furtherRequests;
      return;
    }
    this.#pollLimit = pollRequests;
    if (patienceMs > 0) {
      await this.#waitForCode(patienceMs, isPolled);
    }
  }

  /** Waits in real time, as long as that brings something: code may be loaded. */
  async #waitForCode(patienceMs: number, isPolled: () => boolean): Promise<void> {
    const faults = this.#parts.faults();
    if (faults !== this.#lastFaults) {
      // A fault may lead to code that is not loaded yet.
      this.#lastFaults = faults;
      this.#idleWaits = 0;
    }
    for (let isIdle = false; !(isIdle || isPolled()) && this.#idleWaits < mostIdleWaits; ) {
      this.#lastProgress = this.#progress();
      const isShort = this.#idleWaits >= idleWaitsInFull;
      await realTime(patienceMs * (isShort ? shortWaitShare : 1));
      await this.#untilQuiet(isPolled);
      isIdle = this.#progress() === this.#lastProgress;
      this.#idleWaits = isIdle ? this.#idleWaits + 1 : 0;
    }
  }

  async #untilQuiet(isEnough: () => boolean): Promise<void> {
    const { act } = this.#parts;
    await untilQuiet(() => this.#progress(), act, isEnough, this.#still, this.#turns);
    // A patient run waits for code, which shows in no progress while it is being loaded.
    this.#still = this.#parts.patienceMs > 0 || isEnough() ? undefined : this.#progress();
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
    if ((this.nextTimer ?? Number.POSITIVE_INFINITY) <= time) {
      this.stir();
    }
    await this.#parts.clock.advance(Math.max(0, time - this.now));
  }
}
