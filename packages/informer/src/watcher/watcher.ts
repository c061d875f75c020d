import type { KubeObject } from "@typekube/api";
import { errorFromEvent } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import {
  type Clock,
  linkAbort,
  monotonicNow,
  sleep,
  type WireWatchEvent,
} from "@typekube/core/internal";
import { RetryDelay } from "../backoff/retry-delay.js";
import type { FollowEvent } from "../events/follow-event.js";
import { BookmarkRhythm } from "../guards/bookmark-rhythm.js";
import { ShortWatches, veryShortWatchMs } from "../guards/short-watches.js";
import type { WatchSource } from "../sources/watch-source.js";
import { hasNews } from "../versions/has-news.js";
import { ClosedClient } from "./closed-client.js";
import { type ListMemory, listRound } from "./list-round.js";
import { SnapshotCounter } from "./snapshot-counter.js";
import { StateChannel, type StateReason } from "./state-channel.js";
import { translateEvent } from "./translate-event.js";
import { WatchPosition } from "./watch-position.js";
import { streamingList, type WatchStart, watchRequest } from "./watch-request.js";
import type { WatcherSettings } from "./watcher-options.js";
import type { WatcherState } from "./watcher-state.js";

/**
 * Follows a collection indefinitely: lists, then watches, and recovers from failures. `watcher-state.ts` has the states
 * and their transitions; `watch-position.ts` and `watch-failure.ts` decide the action after a failure.
 */
export class Watcher<T extends KubeObject = KubeObject> {
  readonly #source: WatchSource;
  readonly #settings: WatcherSettings;
  readonly #clock: Clock;
  #signal: AbortSignal;
  readonly #retryDelay: RetryDelay;
  readonly #shortWatches = new ShortWatches();
  readonly #client = new ClosedClient();
  readonly #listMemory: ListMemory = { alwaysPaged: false, remaining: undefined };
  readonly #position: WatchPosition;
  readonly #rhythm: BookmarkRhythm;
  readonly #channel: StateChannel;
  readonly #counter: SnapshotCounter;
  #state: WatcherState;
  /** `true` when the failed watch got a response before it was cut: the next one starts without a wait. */
  #resumesAtOnce = false;

  /** @param notOlderThan - a resourceVersion that was seen elsewhere: the first snapshot must not be older. */
  constructor(
    source: WatchSource,
    settings: WatcherSettings,
    clock: Clock,
    signal: AbortSignal,
    notOlderThan?: string,
  ) {
    this.#source = source;
    this.#settings = settings;
    this.#clock = clock;
    this.#signal = signal;
    this.#retryDelay = new RetryDelay(settings, clock);
    this.#position = new WatchPosition(settings, clock, notOlderThan, source.streamingLists);
    this.#rhythm = new BookmarkRhythm(settings.idleMs);
    this.#channel = new StateChannel(source.subject);
    this.#counter = new SnapshotCounter(settings.onProgress);
    this.#state = this.#position.snapshotState();
  }

  /** Current state. */
  get state(): WatcherState {
    return this.#state;
  }

  /**
   * Yields all events, in the groups in which they arrived, until the signal aborts.
   *
   * @throws {KubeError} `Closed` when the client was closed and no request is possible any more. No other failure ends
   * it.
   */
  async *run(): AsyncGenerator<readonly FollowEvent<T>[], void> {
    this.#channel.publish("stopped", this.#state.name, { reason: "Started" });
    this.#settings.onState(this.#state);
    let closed: KubeError | undefined;
    const given = this.#signal;
    using open = linkAbort(given, this.#source.closed);
    this.#signal = open.signal;
    try {
      while (!this.#signal.aborted && this.#state.name !== "stopped") {
        const state = this.#state;
        try {
          switch (state.name) {
            case "streaming":
              yield* this.#follow(streamingList(state.resourceVersion));
              break;
            case "listing":
              yield* this.#list(state.resourceVersion);
              break;
            case "watching":
              yield* this.#follow({ resourceVersion: this.#position.version });
              this.#client.received();
              this.#settings.onRestart("Ended");
              break;
            case "polling":
              await sleep(this.#clock, state.delayMs, this.#signal);
              this.#enter({ name: "listing", resourceVersion: "" }, { reason: "Waited" });
              break;
            case "waiting":
              await sleep(this.#clock, state.delayMs, this.#signal);
              this.#enter(state.next, { reason: "Waited" });
              break;
            default:
              state satisfies never;
          }
        } catch (error) {
          if (this.#signal.aborted) {
            break;
          }
          const failure = KubeError.from(error);
          if (this.#client.confirms(failure)) {
            closed = failure;
            break;
          }
          yield* this.#recover(failure);
        }
      }
      if (open.signal.aborted && !given.aborted) {
        closed = KubeError.from(open.signal.reason);
      }
    } finally {
      // Also when the reader has what it wants and leaves.
      this.#enter({ name: "stopped" }, { reason: "Closed", error: closed });
    }
    if (closed !== undefined) {
      throw closed;
    }
  }

  #enter(state: WatcherState, why: StateReason): void {
    const from = this.#state.name;
    this.#state = state;
    this.#channel.publish(from, state.name, why);
    this.#settings.onState(state);
  }

  async #describe(): Promise<{ readonly kind: string; readonly plural: string }> {
    const descriptor = await this.#source.descriptor({ signal: this.#signal });
    this.#channel.found(descriptor.plural);
    return descriptor;
  }

  async *#list(resourceVersion: string): AsyncIterable<readonly FollowEvent<T>[]> {
    const { plural } = await this.#describe();
    const round = listRound<T>(
      this.#source,
      this.#settings,
      resourceVersion,
      this.#listMemory,
      this.#signal,
    );
    for await (const events of round) {
      this.#client.received();
      const last = events.at(-1);
      if (last?.type === "synced") {
        this.#synced(last.resourceVersion);
      } else if (last?.type === "gap") {
        this.#counter.reset();
      } else {
        this.#counter.add(events.length);
        this.#counter.report(this.#listMemory.remaining);
      }
      yield events;
    }
    if (this.#state.name === "listing") {
      throw new KubeError("Decode", `the list of ${plural} has no resourceVersion`);
    }
  }

  #synced(resourceVersion: string): void {
    this.#position.synced(resourceVersion);
    this.#counter.complete();
    const { poll } = this.#settings;
    this.#enter(
      poll ? { name: "polling", delayMs: poll.everyMs } : { name: "watching", resourceVersion },
      { reason: "Synced" },
    );
  }

  /** Runs one watch request from its start to its end. */
  async *#follow(start: WatchStart): AsyncIterable<readonly FollowEvent<T>[]> {
    const { kind, plural } = await this.#describe();
    const startedAt = monotonicNow(this.#clock);
    const lastedMs = () => monotonicNow(this.#clock) - startedAt;
    const versionBefore = this.#position.version;
    const stoodStill = () => this.#position.version === versionBefore;
    let hasResponse = false;
    const batches = watchRequest(this.#source, this.#settings, this.#clock, this.#signal, start, {
      plural,
      isStreaming: () => this.#state.name === "streaming",
      isNews: (batch) => hasNews(batch, this.#position.version),
      rhythm: this.#rhythm,
      onResponse: () => {
        hasResponse = true;
        this.#position.responded();
      },
      onEndless: (isSilent) => this.#position.streamingListStalled(isSilent),
      onSilent: () => this.#position.fellSilent(),
    });
    const noteUse = () => {
      const isShort = lastedMs() < veryShortWatchMs && stoodStill();
      if (hasResponse && (isShort || this.#state.name === "streaming")) {
        this.#position.endedEmpty();
      }
    };
    try {
      for await (const batch of batches) {
        for (let at = 0; at < batch.length; ) {
          const events: FollowEvent<T>[] = [];
          at = this.#translate(batch, at, kind, events);
          if (events.length > 0) {
            yield events;
          }
        }
        if (this.#state.name === "streaming") {
          this.#counter.report(undefined);
        }
      }
    } catch (error) {
      noteUse();
      // A snapshot that was cut must be sent again completely, so only a plain watch resumes without a wait.
      if (this.#state.name === "watching") {
        if (!hasResponse && KubeError.from(error).code === "DeadlineExceeded") {
          this.#position.gotNoResponse();
        }
        this.#resumesAtOnce = this.#shortWatches.failed(
          error,
          hasResponse,
          lastedMs(),
          !stoodStill(),
        );
      }
      throw error;
    }
    noteUse();
    if (this.#state.name === "streaming") {
      throw new KubeError(
        "ConnectionClosed",
        `the streaming list of ${plural} ended before its end bookmark`,
      );
    }
    this.#shortWatches.ended(plural, lastedMs(), !stoodStill());
    this.#retryDelay.reset();
  }

  /**
   * Adds the events of a batch from `start` on to `events`: to its end, to the end of a snapshot, or to an ERROR event.
   * Not part of a generator, which V8 would compile later.
   *
   * @returns the index of the next event.
   * @throws {KubeError} the error of an ERROR event, if no events were added before it.
   */
  #translate(
    batch: readonly WireWatchEvent[],
    start: number,
    kind: string,
    events: FollowEvent<T>[],
  ): number {
    for (let at = start; at < batch.length; at++) {
      const event = batch[at] as WireWatchEvent;
      if (event.type === "ERROR") {
        if (events.length > 0) {
          return at;
        }
        throw errorFromEvent(event);
      }
      const isInitial = this.#state.name === "streaming";
      const translated = translateEvent<T>(event, kind, isInitial, this.#position.version);
      if (translated?.type === "skipped") {
        this.#settings.onError(translated.cause);
      } else if (translated !== undefined) {
        this.#took(translated);
        events.push(translated);
        if (translated.type === "synced") {
          return at + 1;
        }
      }
    }
    return batch.length;
  }

  /** Updates the position for an event that is about to be yielded. */
  #took(event: FollowEvent<T>): void {
    this.#client.received();
    switch (event.type) {
      case "initial":
        this.#counter.add(1);
        break;
      case "synced":
        this.#rhythm.begin();
        this.#position.streamed();
        this.#synced(event.resourceVersion);
        break;
      case "applied":
        this.#position.delivered(event.object.metadata.resourceVersion);
        break;
      case "deleted":
        if (this.#state.name !== "streaming") {
          this.#position.delivered(event.object.metadata.resourceVersion);
        }
        break;
      case "bookmark":
        if (this.#position.delivered(event.resourceVersion)) {
          this.#rhythm.beat();
        } else {
          this.#rhythm.begin();
        }
        break;
      case "gap":
        break;
      default:
        event satisfies never;
    }
  }

  /** Reports a failure and enters the next state. */
  *#recover(error: KubeError): Iterable<readonly FollowEvent<T>[]> {
    if (!this.#shortWatches.isRepeated(error)) {
      this.#settings.onError(error);
    }
    this.#settings.onRestart(error.code);
    this.#counter.reset();
    const { next, wait, isGap } = this.#position.afterFailure(this.#state, error);
    const why = { reason: error.code, error };
    const isWaiting = wait && !this.#resumesAtOnce;
    if (this.#resumesAtOnce) {
      this.#resumesAtOnce = false;
      this.#retryDelay.reset();
    }
    if (isGap) {
      yield [{ type: "gap", cause: error }];
    }
    if (isWaiting) {
      const delayMs = this.#retryDelay.after(error);
      this.#enter({ name: "waiting", cause: error, delayMs, next }, why);
    } else {
      this.#enter(next, why);
    }
  }
}
