import { KubeError } from "@typekube/core";
import type { Clock, WireWatchEvent } from "@typekube/core/internal";
import type { BookmarkRhythm } from "./bookmark-rhythm.js";
import { InitialEventsGuard } from "./initial-events-guard.js";
import { Watchdog } from "./watchdog.js";
import type { WatcherSettings } from "./watcher-options.js";

/** Milliseconds beyond its own timeout after which a watch that did not end is taken for dead. */
const overdueMs = 30_000;

/** What a guard must know of the watch that it guards. */
export interface GuardedWatch {
  /** The resource, for messages. */
  readonly plural: string;
  /** The life that the watch asked the server for. */
  readonly lifeMs: number;
  /** Whether initial events are still to come. */
  isStreaming(): boolean;
  /** Whether what came last says how things are; what is from before the version known does not. */
  isNews(batch: readonly WireWatchEvent[]): boolean;
  /** What the bookmarks of this server say about silence. */
  readonly rhythm: BookmarkRhythm;
  /** The answer has begun. */
  onResponse(): void;
  /**
   * The answer began and the end of the initial events was not told.
   *
   * @param isSilent - not one event came either.
   */
  onEndless(isSilent: boolean): void;
  /** Nothing new was heard for so long that the watch is given up. */
  onSilent(): void;
  /** Ends the watch with an error. */
  fail(error: KubeError): void;
}

/** Timers that find a dead or endless watch. */
export class WatchGuard implements Disposable {
  readonly #clock: Clock;
  readonly #settings: WatcherSettings;
  readonly #watch: GuardedWatch;
  readonly #overdue: Watchdog;
  #initialEvents: InitialEventsGuard | undefined;
  /** Of the watch as such, from the end of the initial events on. */
  #idle: Watchdog | undefined;

  constructor(clock: Clock, settings: WatcherSettings, watch: GuardedWatch) {
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

  /** The answer has begun. */
  responded(): void {
    this.#watch.onResponse();
    this.#initialEvents?.responded();
    this.#idle?.touch();
  }

  /** Something came, and is about to be dealt with, however long that takes. */
  received(): void {
    this.#watch.onResponse();
    this.#overdue.hold();
    this.#initialEvents?.hold();
    this.#idle?.hold();
  }

  /** It was dealt with. To a watch what is old news is as good as silence. */
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
