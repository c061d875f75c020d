import { type Clock, KubeError, type WireWatchEvent } from "@typekube/core";
import type { BookmarkRhythm } from "./bookmark-rhythm.js";
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
  onAnswer(): void;
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
  #watchdog: Watchdog | undefined;
  #guardsInitialEvents = false;
  #isAnswered = false;
  #hasEvents = false;
  /** Something changed already: all that was there has come. */
  #hasChanges = false;

  constructor(clock: Clock, settings: WatcherSettings, watch: GuardedWatch) {
    this.#clock = clock;
    this.#settings = settings;
    this.#watch = watch;
    this.#overdue = new Watchdog(clock, watch.lifeMs + overdueMs, () => {
      watch.onSilent();
      this.#fail(`the watch of ${watch.plural} outlived its own timeout`);
    });
    this.#guard();
  }

  /** The answer has begun; its first events may take as long again. */
  answered(): void {
    this.#isAnswered = true;
    this.#watch.onAnswer();
    this.#watchdog?.touch();
  }

  /** Something came, and is about to be dealt with, however long that takes. */
  received(): void {
    this.#isAnswered = true;
    this.#watch.onAnswer();
    this.#hasEvents = true;
    this.#overdue.hold();
    this.#watchdog?.hold();
  }

  /** It was dealt with. To a watch what is old news is as good as silence, to a streaming list what follows a change. */
  heard(batch: readonly WireWatchEvent[]): void {
    this.#overdue.release();
    this.#watchdog?.release();
    const isHeard = this.#watch.isStreaming() ? !this.#hasChanges : this.#watch.isNews(batch);
    if (isHeard) {
      this.#watchdog?.touch();
    }
    // A server that streams lists tells their end soon after; one that does not goes on with changes for ever.
    this.#hasChanges ||= batch.some(({ type }) => type === "MODIFIED" || type === "DELETED");
    this.#guard();
  }

  #guard(): void {
    const { initialEventsDeadlineMs } = this.#settings;
    const { plural, rhythm } = this.#watch;
    const { idleMs } = rhythm;
    const isStreaming = this.#watch.isStreaming();
    if (this.#guardsInitialEvents && !isStreaming) {
      this.#watchdog?.stop();
      this.#watchdog = undefined;
    }
    this.#guardsInitialEvents = isStreaming;
    if (this.#watchdog !== undefined) {
      return;
    }
    if (isStreaming) {
      this.#watchdog = new Watchdog(this.#clock, initialEventsDeadlineMs, () => {
        if (!this.#isAnswered) {
          this.#fail(
            `no answer to the streaming list of ${plural} in ${initialEventsDeadlineMs} ms`,
          );
          return;
        }
        this.#watch.onEndless(!this.#hasEvents);
        this.#fail(`no end of the initial events of ${plural} for ${initialEventsDeadlineMs} ms`);
      });
    } else if (idleMs !== undefined) {
      this.#watchdog = new Watchdog(this.#clock, idleMs, () => {
        rhythm.wasSilent();
        this.#watch.onSilent();
        this.#fail(`nothing new was heard of the watch of ${plural} for ${idleMs} ms`);
      });
    }
  }

  #fail(message: string): void {
    this.#watch.fail(new KubeError("DeadlineExceeded", message));
  }

  [Symbol.dispose](): void {
    this.#overdue.stop();
    this.#watchdog?.stop();
  }
}
