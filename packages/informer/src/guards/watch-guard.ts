import { KubeError } from "@typekube/core";
import type { Clock, WireWatchEvent } from "@typekube/core/internal";
import type { BookmarkRhythm } from "./bookmark-rhythm.js";
import { InitialEventsGuard } from "./initial-events-guard.js";
import { Watchdog } from "./watchdog.js";

/** Milliseconds past its own timeout after which a watch that did not end counts as dead. */
const overdueMs = 30_000;

/** Settings of a watcher that limit a streaming list. */
export interface GuardSettings {
  /** Milliseconds in which the response to a streaming list must begin. */
  readonly responseDeadlineMs: number;
  /** Milliseconds of quiet allowed from then on. */
  readonly initialEventsDeadlineMs: number;
}

/** The watch that a guard supervises, and its callbacks. */
export interface GuardedWatch {
  /** Resource name, for messages. */
  readonly plural: string;
  /** Duration that the watch requested from the server, in milliseconds. */
  readonly lifeMs: number;
  /** Returns true while initial events are expected. */
  isStreaming(): boolean;
  /** Returns true when the batch contains something that is not older than the known resourceVersion. */
  isNews(batch: readonly WireWatchEvent[]): boolean;
  /** Silence limit, learned from the bookmarks of this server. */
  readonly rhythm: BookmarkRhythm;
  /** Called when the response has begun, and for every batch. */
  onResponse(): void;
  /**
   * Called when the response began but the initial events did not end.
   *
   * @param isSilent - `true` when not one event arrived.
   */
  onEndless(isSilent: boolean): void;
  /** Called when the watch is cut because nothing new arrived for too long. */
  onSilent(): void;
  /** Ends the watch with an error. */
  fail(error: KubeError): void;
}

/** Timers that detect a dead or endless watch. */
export class WatchGuard implements Disposable {
  readonly #clock: Clock;
  readonly #settings: GuardSettings;
  readonly #watch: GuardedWatch;
  readonly #overdue: Watchdog;
  #initialEvents: InitialEventsGuard | undefined;
  /** Timer of the watch itself, after the initial events. */
  #idle: Watchdog | undefined;

  constructor(clock: Clock, settings: GuardSettings, watch: GuardedWatch) {
    this.#clock = clock;
    this.#settings = settings;
    this.#watch = watch;
    this.#overdue = new Watchdog(clock, watch.lifeMs + overdueMs, () => {
      watch.onSilent();
      this.#fail(`the watch of ${watch.plural} did not end at its timeoutSeconds`);
    });
    if (watch.isStreaming()) {
      this.#initialEvents = this.#guardInitialEvents();
    } else {
      this.#guardSilence();
    }
  }

  /** Called when the response has begun. */
  responded(): void {
    this.#watch.onResponse();
    this.#initialEvents?.responded();
    this.#idle?.touch();
  }

  /**
   * Called when a batch has arrived, before it is processed. Pauses the timers until `processed`: the time that the
   * consumer takes is not silence of the server.
   */
  received(): void {
    this.#watch.onResponse();
    this.#overdue.hold();
    this.#initialEvents?.hold();
    this.#idle?.hold();
  }

  /**
   * Called when the batch was processed. Resumes the timers. After the initial events, only a batch with news restarts
   * the silence timer: a batch of events older than the known resourceVersion counts as silence.
   */
  processed(batch: readonly WireWatchEvent[]): void {
    this.#overdue.release();
    this.#initialEvents?.processed(batch);
    this.#idle?.release();
    if (this.#idle !== undefined && this.#watch.isNews(batch)) {
      this.#idle.touch();
    }
    if (!this.#watch.isStreaming()) {
      this.#initialEvents?.stop();
      this.#initialEvents = undefined;
      this.#guardSilence();
    }
  }

  #guardInitialEvents(): InitialEventsGuard {
    const { plural } = this.#watch;
    const { responseDeadlineMs, initialEventsDeadlineMs } = this.#settings;
    return new InitialEventsGuard(
      this.#clock,
      responseDeadlineMs,
      initialEventsDeadlineMs,
      () =>
        this.#fail(
          `no response to the streaming list of ${plural} within ${responseDeadlineMs} ms`,
        ),
      (isSilent, afterMs) => {
        this.#watch.onEndless(isSilent);
        this.#fail(`no initial event of ${plural} and no end bookmark for ${afterMs} ms`);
      },
    );
  }

  #guardSilence(): void {
    const { plural, rhythm } = this.#watch;
    const { idleMs } = rhythm;
    if (idleMs !== undefined) {
      this.#idle ??= new Watchdog(this.#clock, idleMs, () => {
        rhythm.wasSilent();
        this.#watch.onSilent();
        this.#fail(`no event and no bookmark in the watch of ${plural} for ${idleMs} ms`);
      });
    }
  }

  #fail(message: string): void {
    this.#watch.fail(new KubeError("DeadlineExceeded", message));
  }

  [Symbol.dispose](): void {
    this.#overdue.stop();
    this.#initialEvents?.stop();
    this.#idle?.stop();
  }
}
