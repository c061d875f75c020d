import {
  isExpired,
  isNetworkError,
  isTooLargeResourceVersion,
  type KubeError,
} from "@typekube/core";
import { type Clock, monotonicNow } from "@typekube/core/internal";
import { RetryWindow } from "../backoff/retry-window.js";
import type { StreamingLists } from "../sources/streaming-lists.js";
import { isOlderVersion } from "../versions/is-older-version.js";
import { isVersion } from "../versions/is-version.js";
import { staleSnapshotError } from "../versions/stale-snapshot.js";
import { isSlowReader } from "./slow-reader.js";
import { StreamOrList } from "./stream-or-list.js";
import { afterWatchFailure, cannotStream, isOfVersion, retriesStreaming } from "./watch-failure.js";
import type { WatcherSettings } from "./watcher-options.js";
import type { WatcherState } from "./watcher-state.js";

/** Consecutive unreadable or immediately closed watches before we relist. */
const maxUseless = 2;

/**
 * Consecutive streaming lists that may be cut before their end. Beyond this, each one is followed by a list until one
 * is completed.
 */
const maxCutStreams = 2;

/** Number of consecutive snapshots older than the known resourceVersion after which the server is believed. */
const believedAfter = 4;

/**
 * Consecutive silent watches, without an event in between, before we relist. A server that was restored from a backup
 * (of etcd) accepts a watch from a resourceVersion that it has not reached, and sends nothing on it, not even
 * bookmarks, until it has: all changes up to there would be missed. (measured with 1.37.1) Others send events older
 * than that resourceVersion, which is no better.
 */
const maxSilences = 1;

/**
 * Consecutive watches without a response in time, before we relist. Usually the server is too busy, and lists don't
 * help; but one that was restored from a backup may not even begin to respond to a watch from a resourceVersion that it
 * has not reached.
 */
const maxWithoutResponse = 4;

/** Minimum milliseconds between two relists that follow an expired resourceVersion at once. */
const expiryPauseMs = 60_000;

/** Next step of a watcher after a failure. */
export interface Recovery {
  readonly next: WatcherState;
  /** `true` to back off first. */
  readonly wait: boolean;
  /** `true` when a new snapshot begins. */
  readonly isGap: boolean;
}

/** Position of a watcher: the resourceVersion it has reached, and what it has learned about the server. */
export class WatchPosition {
  /**
   * The resourceVersion up to which all changes were delivered. Before the first snapshot: the resourceVersion that the
   * snapshot must reach, or "" for any.
   */
  version: string;
  /** `true` when the server reported that it does not have this resourceVersion (any more, or yet). */
  #isUnavailable = false;
  #useless = 0;
  /** `true` when the request that has just ended got a response without events. */
  #cameToNothing = false;
  #cutStreams = 0;
  #silences = 0;
  #withoutResponse = 0;
  #staleSnapshots = 0;
  /** Number of times that a resourceVersion was gone, without any progress in between. */
  #expiries = 0;
  #expiredAt = Number.NEGATIVE_INFINITY;
  readonly #clock: Clock;
  readonly #internalErrors: RetryWindow;
  readonly #streamOrList: StreamOrList;
  readonly #isPolled: boolean;

  /**
   * @param notOlderThan - a resourceVersion that was seen elsewhere: an older state is rejected.
   * @param streamingLists - shared knowledge about streaming lists of this resource, read and updated.
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
   * Called when the server, or a proxy, accepted a streaming list and did not complete it.
   *
   * @param isSilent - `true` when not one event arrived.
   */
  streamingListStalled(isSilent: boolean): void {
    this.#streamOrList.wasEndless(isSilent);
  }

  /** Called when a streaming list was completed. */
  streamed(): void {
    this.#cutStreams = 0;
    this.#streamOrList.completed();
  }

  /** Returns the state that takes a snapshot: a streaming list where that works, otherwise a list. */
  snapshotState(): WatcherState {
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
   * Called when a snapshot is complete.
   *
   * @throws {KubeError} `Timeout` when it is older than the known resourceVersion: the response came from a lagging
   * replica. A server that repeats this again and again was restored from a backup (of etcd), and is believed.
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
   * Called when an event or a bookmark of a watch was delivered.
   *
   * @returns `false` when it is older than the known resourceVersion (from a server that lags, was restored from a
   * backup or repeats itself): it neither moves the watch back nor counts as recovery.
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

  /** Called when a watch was cut because it was silent. A watch without any response is counted separately. */
  fellSilent(): void {
    this.#silences++;
  }

  /** Called when a watch was cut because its response did not begin. */
  gotNoResponse(): void {
    this.#withoutResponse++;
  }

  /** Called when the server responds. */
  responded(): void {
    this.#withoutResponse = 0;
  }

  /**
   * Called when a watch got a response and ended at once without events, or when a streaming list ended early: a proxy
   * may pass lists but not watches.
   */
  endedEmpty(): void {
    this.#cameToNothing = true;
  }

  /** Decides how to continue after the request of a state failed. */
  afterFailure(failed: WatcherState, error: KubeError): Recovery {
    const isCut = this.#cameToNothing && isNetworkError(error);
    this.#cameToNothing = false;
    if (failed.name === "watching") {
      return this.#afterWatch(error, isCut);
    }
    if (failed.name === "listing") {
      this.#streamOrList.listFailed(cannotStream(error));
    }
    // The snapshot arrived in part, or not at all.
    const unavailable = isExpired(error) || isTooLargeResourceVersion(error);
    if (failed.name === "streaming") {
      if (isOfVersion(error, failed.resourceVersion)) {
        this.#isUnavailable = true;
        return { next: { ...failed, resourceVersion: undefined }, wait: false, isGap: true };
      }
      if (cannotStream(error)) {
        this.#streamOrList.wasRefused();
      }
      // The newest state can't be too old, nor too new.
      const isCutAgain = (isCut || unavailable) && ++this.#cutStreams > maxCutStreams;
      if (isCutAgain || (!retriesStreaming(error) && !unavailable)) {
        // For this round only, unless the server was found to be unable.
        const known = this.version || "0";
        const next = {
          name: "listing",
          resourceVersion: this.#isUnavailable ? "" : known,
        } as const;
        return { next, wait: false, isGap: true };
      }
    }
    this.#isUnavailable ||= unavailable;
    return { next: this.snapshotState(), wait: true, isGap: true };
  }

  #afterWatch(error: KubeError, isCut: boolean): Recovery {
    let after = afterWatchFailure(error);
    const isUseless = isCut || ["Decode", "NotKubernetes", "TooLarge"].includes(error.code);
    if (isUseless && after === "rewatch" && ++this.#useless > maxUseless) {
      this.#useless = 0;
      after = "relist";
    }
    const isDeaf = this.#silences > maxSilences || this.#withoutResponse > maxWithoutResponse;
    if (error.code === "DeadlineExceeded" && isDeaf) {
      this.#withoutResponse = 0;
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
    // Waiting would only make the cache older.
    const atOnce = isSlowReader(error) || (isExpired(error) && this.#isRareExpiry());
    return { next: this.snapshotState(), wait: !atOnce, isGap: true };
  }

  /**
   * Returns true for a first expiry after a while. A server that expires every resourceVersion, or each after a few
   * events, must not be flooded with lists.
   */
  #isRareExpiry(): boolean {
    const now = monotonicNow(this.#clock);
    const isRare = this.#expiries === 0 && now - this.#expiredAt >= expiryPauseMs;
    this.#expiries++;
    this.#expiredAt = now;
    return isRare;
  }
}
