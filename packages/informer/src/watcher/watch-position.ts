import {
  isExpired,
  isNetworkError,
  isTooLargeResourceVersion,
  type KubeError,
} from "@typekube/core";
import { type Clock, monotonicNow } from "@typekube/core/internal";
import { isOlderVersion } from "../store/is-older-version.js";
import { isVersion } from "../store/is-version.js";
import { RetryWindow } from "./retry-window.js";
import { isSlowReader } from "./slow-reader.js";
import { staleSnapshotError } from "./stale-snapshot.js";
import { StreamOrList } from "./stream-or-list.js";
import type { StreamingLists } from "./streaming-lists.js";
import { afterWatchFailure, cannotStream, isOfVersion, retriesStreaming } from "./watch-failure.js";
import type { WatcherSettings } from "./watcher-options.js";
import type { WatcherState } from "./watcher-state.js";

/** Watches in a row that cannot be read, or are cut at once with nothing, before everything is looked at again. */
const maxUseless = 2;

/** Streaming lists that may be cut before their end, one after the other, before each is followed by a list until one is not. */
const maxCutStreams = 2;

/** Pictures in a row from before the version known after which the server is taken at its word. */
const believedAfter = 4;

/**
 * Silences in a row, without a word in between, after which everything is looked at again. A server that was set back (etcd restored
 * from a backup) takes a watch from a version that it has not reached, and sends nothing on it, not even bookmarks, until it has:
 * what happens up to there would never be heard of. (measured with 1.37.1) Others send what is from before that version, which is no better.
 */
const maxSilences = 1;

/**
 * Watches in a row that were not answered in time, after which everything is looked at again. As a rule the server is too busy, which
 * lists make no better; but one that was set back may not even begin to answer a watch from what it has not reached.
 */
const maxWithoutResponse = 4;

/** Milliseconds between two lists that follow an expired version at once. */
const expiryPauseMs = 60_000;

/** How a watcher goes on after a failure. */
export interface Recovery {
  readonly next: WatcherState;
  /** Wait before that. */
  readonly wait: boolean;
  /** A new picture begins. */
  readonly isGap: boolean;
}

/** Where a watcher stands: the version it has reached, and what it has learned of the server on the way. */
export class WatchPosition {
  /** The version up to which everything was delivered; before the first picture the one that it must reach, or "". */
  version: string;
  /** The server said that it does not have this version (any more, or yet). */
  #isUnavailable = false;
  #useless = 0;
  /** The request that has just ended was answered, and brought nothing. */
  #cameToNothing = false;
  #cutStreams = 0;
  #silences = 0;
  #unanswered = 0;
  #staleSnapshots = 0;
  /** How often a version was gone without any progress in between. */
  #expiries = 0;
  #expiredAt = Number.NEGATIVE_INFINITY;
  readonly #clock: Clock;
  readonly #internalErrors: RetryWindow;
  readonly #streamOrList: StreamOrList;
  readonly #isPolled: boolean;

  /**
   * @param notOlderThan - a version that was seen elsewhere: nothing from before it will do.
   * @param streamingLists - what others know of streaming lists of this resource, and are to learn.
   */
  constructor(
    settings: WatcherSettings,
    clock: Clock,
    notOlderThan = "",
    streamingLists?: StreamingLists,
  ) {
    this.version = notOlderThan;
    this.#isPolled = settings.poll !== undefined;
    this.#clock = clock;
    this.#streamOrList = new StreamOrList(settings, streamingLists);
    this.#internalErrors = new RetryWindow(settings.internalErrorWindowMs, clock);
  }

  /**
   * The server, or something before it, accepted a streaming list and did not bring it to its end.
   *
   * @param isSilent - not one event came.
   */
  foundEndless(isSilent: boolean): void {
    this.#streamOrList.wasEndless(isSilent);
  }

  /** A streaming list came to its end. */
  streamed(): void {
    this.#cutStreams = 0;
    this.#streamOrList.cameToItsEnd();
  }

  /** How to look at everything: by a streaming list where that works, else by listing. */
  firstLook(): WatcherState {
    if (this.#isPolled) {
      return { name: "listing", resourceVersion: "" };
    }
    const known = this.#isUnavailable ? "" : this.version;
    if (this.#streamOrList.streamsNow()) {
      return { name: "streaming", resourceVersion: known || undefined };
    }
    return { name: "listing", resourceVersion: known || (this.#isUnavailable ? "" : "0") };
  }

  /**
   * A picture is whole.
   *
   * @throws {KubeError} `Timeout` when it is older than what was seen before: an API server that lags behind another one answered. A
   * server that says so again and again was set back (etcd restored from a backup), and is believed.
   */
  synced(version: string): void {
    if (isOlderVersion(version, this.version) && ++this.#staleSnapshots < believedAfter) {
      throw staleSnapshotError(version, this.version);
    }
    this.#staleSnapshots = 0;
    this.#streamOrList.snapshotIsComplete();
    this.version = version;
    this.#isUnavailable = false;
    this.#useless = 0;
    this.#silences = 0;
  }

  /**
   * An event or a bookmark of a watch was delivered.
   *
   * @returns whether it says how things are. What is from before the version known (of a server that lags, was set back or repeats itself)
   * does not take the watch back, and does not heal it.
   */
  delivered(version: string): boolean {
    if (isOlderVersion(version, this.version)) {
      return false;
    }
    this.#useless = 0;
    this.#silences = 0;
    if (isVersion(version) && version !== this.version) {
      this.#expiries = 0;
      this.version = version;
    }
    return true;
  }

  /** A watch was given up because it was silent; one that is not even answered is another matter. */
  fellSilent(): void {
    this.#silences++;
  }

  /** A watch was given up because its answer did not begin. */
  gotNoResponse(): void {
    this.#unanswered++;
  }

  /** The server answers. */
  responded(): void {
    this.#unanswered = 0;
  }

  /**
   * A watch was answered and ended at once with nothing, or a streaming list before its end: something on the way may be able to
   * bring lists and no watches.
   */
  cameToNothing(): void {
    this.#cameToNothing = true;
  }

  /** Decides how to go on when the request of a state failed. */
  afterFailure(failed: WatcherState, error: KubeError): Recovery {
    const isCut = this.#cameToNothing && isNetworkError(error);
    this.#cameToNothing = false;
    if (failed.name === "watching") {
      return this.#afterWatch(error, isCut);
    }
    if (failed.name === "listing") {
      this.#streamOrList.listFailed(cannotStream(error));
    }
    // A picture was half delivered, or not at all.
    const unavailable = isExpired(error) || isTooLargeResourceVersion(error);
    if (failed.name === "streaming") {
      if (isOfVersion(error, failed.resourceVersion)) {
        this.#isUnavailable = true;
        return { next: { ...failed, resourceVersion: undefined }, wait: false, isGap: true };
      }
      if (cannotStream(error)) {
        this.#streamOrList.wasRefused();
      }
      // The newest cannot be too old, nor too new.
      const isCutAgain = (isCut || unavailable) && ++this.#cutStreams > maxCutStreams;
      if (isCutAgain || (!retriesStreaming(error) && !unavailable)) {
        // For this round only, unless the server was seen to be unable.
        const known = this.version || "0";
        const next = {
          name: "listing",
          resourceVersion: this.#isUnavailable ? "" : known,
        } as const;
        return { next, wait: false, isGap: true };
      }
    }
    this.#isUnavailable ||= unavailable;
    return { next: this.firstLook(), wait: true, isGap: true };
  }

  #afterWatch(error: KubeError, isCut: boolean): Recovery {
    let after = afterWatchFailure(error);
    const isUseless = isCut || ["Decode", "NotKubernetes", "TooLarge"].includes(error.code);
    if (isUseless && after === "rewatch" && ++this.#useless > maxUseless) {
      this.#useless = 0;
      after = "relist";
    }
    const isDeaf = this.#silences > maxSilences || this.#unanswered > maxWithoutResponse;
    if (error.code === "DeadlineExceeded" && isDeaf) {
      this.#unanswered = 0;
      after = "relist";
    }
    if (error.code === "InternalError" && this.#internalErrors.isOpen()) {
      after = "rewatch";
    }
    if (after === "rewatch") {
      const next = { name: "watching", resourceVersion: this.version } as const;
      return { next, wait: true, isGap: false };
    }
    this.#isUnavailable = after === "relistFromNewest";
    // Waiting would only let the picture grow older.
    const atOnce = isSlowReader(error) || (isExpired(error) && this.#isRareExpiry());
    return { next: this.firstLook(), wait: !atOnce, isGap: true };
  }

  /** A server that expires every version, or each after a few events, is not to be stormed with lists. */
  #isRareExpiry(): boolean {
    const now = monotonicNow(this.#clock);
    const isRare = this.#expiries === 0 && now - this.#expiredAt >= expiryPauseMs;
    this.#expiries++;
    this.#expiredAt = now;
    return isRare;
  }
}
