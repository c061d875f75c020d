import type { Encoding, SelectorOptions } from "@typekube/client";
import type { KubeError, KubeErrorCode } from "@typekube/core";
import type { Random } from "@typekube/core/internal";
import { type BackoffOptions, backoffOptions } from "./backoff.js";
import type { WatcherState } from "./watcher-state.js";

/** How far a first picture, or one after a gap, has come. */
export interface SnapshotProgress {
  /** Objects that are here. */
  readonly received: number;
  /**
   * Objects that are still to come, an estimate of the server. It tells of lists in pages and without a selector; in a streaming
   * list nobody knows.
   */
  readonly remaining: number | undefined;
}

/** How a collection is polled. */
export interface PollOptions {
  /** Milliseconds between the end of a list and the next one; at least {@link minPollMs}. */
  readonly everyMs: number;
}

/** The shortest interval of polling: a list is the most expensive request that there is. */
export const minPollMs = 1_000;

/** Why a watcher sent another request. */
export type RestartReason = KubeErrorCode | "Ended";

/**
 * How a collection is followed. What a callback throws ends the iteration that it was given to, with that error; an informer, whose
 * watch others may use, goes on.
 */
export interface WatcherOptions extends SelectorOptions {
  /** Begin with a streaming list where the server can. Default true; false always lists. */
  readonly streamingList?: boolean | undefined;
  /** Items per page of a list. Default 500 for the first list, and for all of CBOR and YAML; later ones ask for all at once, which caches serve. */
  readonly pageSize?: number | undefined;
  /** Keep `metadata.managedFields`, a third of the bytes and of the memory. Default false. */
  readonly managedFields?: boolean | undefined;
  /**
   * Parts of objects that are equal may be one and the same object, frozen all the way down: a third of the memory less. Default for
   * an informer true, unless it has a transform, which may want to change what it gets; for others false.
   */
  readonly shareEqual?: boolean | undefined;
  readonly encoding?: Encoding | undefined;
  /**
   * Lists the collection again and again instead of watching it, for resources without the verb `watch` such as those of
   * metrics.k8s.io. Objects that did not change make no event. Default: a watch.
   */
  readonly poll?: PollOptions | undefined;
  readonly backoff?: Partial<BackoffOptions> | undefined;
  /** Milliseconds that each watch lives at least; each lives up to twice as long. At least and by default 300,000. */
  readonly minWatchMs?: number | undefined;
  /**
   * Milliseconds of quiet in a streaming list, or of nothing but changes, after which the end bookmark is given up; six times as long where
   * objects only trickle, fewer than ten in each. Default 10,000.
   */
  readonly initialEventsDeadlineMs?: number | undefined;
  /**
   * Milliseconds without any event, once bookmarks were seen, after which a watch counts as dead; longer after a watch that was
   * given up for it, until the next bookmark. Default 75,000.
   */
  readonly idleMs?: number | undefined;
  /**
   * Milliseconds in which a watch that fails with InternalError is taken up again from its version, counted from the first of them
   * within a minute; after that everything is listed again. Default 0: at once. (client-go's MaxInternalErrorRetryDuration)
   */
  readonly internalErrorWindowMs?: number | undefined;
  /**
   * Called with each failure; the watcher goes on by itself. Default for informers and `follow`: at most one warning a minute through
   * `process.emitWarning`, with the code `TYPEKUBE_WATCH`. `() => {}` turns it off.
   */
  readonly onError?: ((error: KubeError) => void) | undefined;
  /** Told of each change of state. */
  readonly onState?: ((state: WatcherState) => void) | undefined;
  /** Told how far a picture has come, each time a part of it arrives. */
  readonly onProgress?: ((progress: SnapshotProgress) => void) | undefined;
  /** Told why a request is followed by another: the code of the failure, or `Ended` for a watch that ended as it should. */
  readonly onRestart?: ((reason: RestartReason) => void) | undefined;
  readonly random?: Random | undefined;
}

/** Options with every default filled in. */
export interface WatcherSettings
  extends Omit<
    WatcherOptions,
    "backoff" | "onError" | "onProgress" | "onRestart" | "onState" | "random"
  > {
  readonly streamingList: boolean;
  readonly managedFields: boolean;
  readonly shareEqual: boolean;
  readonly backoff: BackoffOptions;
  readonly minWatchMs: number;
  /** Milliseconds in which the answer to a streaming list must begin. */
  readonly responseDeadlineMs: number;
  /** Milliseconds of quiet from then on. */
  readonly initialEventsDeadlineMs: number;
  readonly idleMs: number;
  readonly onError: (error: KubeError) => void;
  readonly internalErrorWindowMs: number;
  readonly onState: (state: WatcherState) => void;
  readonly onProgress: (progress: SnapshotProgress) => void;
  readonly onRestart: (reason: RestartReason) => void;
  readonly random: Random;
}

/** A watch asks the server for a random life in [300, 600] seconds, so that many do not end at once. (client-go) */
const minWatchMs = 300_000;
/** Bookmarks come every minute; a quarter of a minute later something is wrong. */
const idleMs = 75_000;
/** Initial events come in one go, and before all changes; client-go warns after the same time of quiet, and waits for ever. */
export const defaultInitialEventsDeadlineMs = 10_000;

/** Fills the defaults in. */
export function watcherSettings(options: WatcherOptions): WatcherSettings {
  const initialEventsDeadlineMs = options.initialEventsDeadlineMs ?? defaultInitialEventsDeadlineMs;
  return {
    ...options,
    streamingList: options.streamingList ?? true,
    managedFields: options.managedFields ?? false,
    shareEqual: options.shareEqual ?? false,
    backoff: backoffOptions(options.backoff),
    minWatchMs: Math.max(options.minWatchMs ?? minWatchMs, minWatchMs),
    responseDeadlineMs: initialEventsDeadlineMs,
    initialEventsDeadlineMs,
    idleMs: options.idleMs ?? idleMs,
    onError: options.onError ?? (() => {}),
    internalErrorWindowMs: options.internalErrorWindowMs ?? 0,
    onState: options.onState ?? (() => {}),
    onProgress: options.onProgress ?? (() => {}),
    onRestart: options.onRestart ?? (() => {}),
    random: options.random ?? Math.random,
  };
}

/** What lists and watches of a watcher ask for alike. */
export type ReadOptions = Pick<
  WatcherSettings,
  "encoding" | "fieldSelector" | "labelSelector" | "managedFields" | "shardSelector" | "shareEqual"
>;

/** The part of the settings that goes into every request. */
export function readOptions(settings: WatcherSettings): ReadOptions {
  const { labelSelector, fieldSelector, shardSelector } = settings;
  const { managedFields, shareEqual, encoding } = settings;
  return { labelSelector, fieldSelector, shardSelector, managedFields, shareEqual, encoding };
}
