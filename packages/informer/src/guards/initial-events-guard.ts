import type { Clock, WireWatchEvent } from "@typekube/core/internal";
import { Watchdog } from "./watchdog.js";

/**
 * Number of deadlines after which events that only trickle in are not initial events. A server without streaming lists
 * reports each object that is created from now on in the same way, indefinitely; one with streaming lists sends the
 * existing objects as fast as it can.
 */
const trickleDeadlines = 6;
/** Average number of initial events per deadline below which they only trickle in. */
const trickle = 10;

/** Detects a streaming list without a response, or without an end. */
export class InitialEventsGuard {
  readonly #clock: Clock;
  readonly #deadlineMs: number;
  readonly #onEndless: (isSilent: boolean, afterMs: number) => void;
  #quiet: Watchdog;
  readonly #slow: Watchdog;
  #hasResponse = false;
  #hasEvents = false;
  /** `true` once a change arrived: all existing objects have been sent by then. */
  #hasChanges = false;
  /** Events since they last reached the number that does not count as trickling. */
  #events = 0;

  /**
   * @param responseMs - milliseconds until the response must begin.
   * @param deadlineMs - milliseconds without an event that are allowed from then on.
   * @param onNoResponse - called when the response has not begun in time.
   * @param onEndless - called when the response began but the initial events do not end. `isSilent`: no event arrived. `afterMs`:
   * the allowed time.
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

  /** Called when the response has begun. */
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

  /** Pauses the timers while a batch is processed: that is not silence of the server. */
  hold(): void {
    this.#quiet.hold();
    this.#slow.hold();
  }

  /** Resumes the timers after a batch was processed. After a change, no event is an initial event. */
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

  /** Stops the timers. No callback follows. */
  stop(): void {
    this.#quiet.stop();
    this.#slow.stop();
  }
}
