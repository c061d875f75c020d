import type { Clock, WireWatchEvent } from "@typekube/core/internal";
import { Watchdog } from "./watchdog.js";

/**
 * Deadlines after which initial events that only trickle are no initial events. A server that does not know of streaming lists tells of
 * each object that is made from now on in the same way, for ever; one that does brings what is there as fast as it can.
 */
const trickleDeadlines = 6;
/** Initial events in each deadline, on average, below which they trickle. */
const trickle = 10;

/** Finds a streaming list that is not answered, or whose end is not told. */
export class InitialEventsGuard {
  readonly #clock: Clock;
  readonly #deadlineMs: number;
  readonly #onEndless: (isSilent: boolean, afterMs: number) => void;
  #quiet: Watchdog;
  readonly #slow: Watchdog;
  #hasResponse = false;
  #hasEvents = false;
  /** Something changed already: all that was there has come. */
  #hasChanges = false;
  /** Events since they last came to as many as do not trickle. */
  #events = 0;

  /**
   * @param responseMs - how long it may be before the answer begins.
   * @param deadlineMs - how long it may be quiet from then on.
   * @param onNoResponse - not even the answer has begun.
   * @param onEndless - it was answered. `isSilent`: not one event came. `afterMs`: what it was given.
   */
  constructor(
    clock: Clock,
    responseMs: number,
    deadlineMs: number,
    onNoResponse: () => void,
    onEndless: (isSilent: boolean, afterMs: number) => void,
  ) {
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
    this.#onEndless = onEndless;
    const slowMs = trickleDeadlines * deadlineMs;
    this.#quiet = new Watchdog(clock, responseMs, onNoResponse);
    this.#slow = new Watchdog(clock, slowMs, () => {
      if (this.#hasResponse) {
        onEndless(false, slowMs);
      }
    });
  }

  /** The answer has begun. */
  responded(): void {
    if (this.#hasResponse) {
      this.#quiet.touch();
      return;
    }
    this.#hasResponse = true;
    this.#quiet.stop();
    this.#quiet = new Watchdog(this.#clock, this.#deadlineMs, () =>
      this.#onEndless(!this.#hasEvents, this.#deadlineMs),
    );
  }

  /** Nobody listens for a while, which is no silence. */
  hold(): void {
    this.#quiet.hold();
    this.#slow.hold();
  }

  /** Somebody listens again, and has dealt with these. After a change, whatever follows is no initial event. */
  processed(batch: readonly WireWatchEvent[]): void {
    if (!this.#hasResponse) {
      this.responded();
    }
    this.#quiet.release();
    this.#slow.release();
    this.#hasEvents = true;
    if (!this.#hasChanges) {
      this.#quiet.touch();
      this.#events += batch.length;
    }
    if (this.#events >= trickleDeadlines * trickle) {
      this.#events = 0;
      this.#slow.touch();
    }
    this.#hasChanges ||= batch.some(({ type }) => type === "MODIFIED" || type === "DELETED");
  }

  /** No call comes after this. */
  stop(): void {
    this.#quiet.stop();
    this.#slow.stop();
  }
}
