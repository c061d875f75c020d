import type { Encoding, SelectorOptions } from "@typekube/client";
import { encodings, selectorOptions } from "@typekube/client/internal";
import type { KubeError, KubeErrorCode } from "@typekube/core";
import {
  amount,
  callback,
  integerFrom,
  type OptionCheck,
  type OptionTable,
  oneOf,
  type Random,
} from "@typekube/core/internal";
import { type BackoffOptions, backoff, backoffOptions } from "../backoff/backoff.js";
import type { WatcherState } from "./watcher-state.js";

/** Progress of a first snapshot, or of one after a gap. */
export interface SnapshotProgress {
  /** Objects that have arrived. */
  readonly received: number;
  /**
   * Objects still to come, as estimated by the server. It reports them for paged lists without a selector; in a
   * streaming list the number is unknown.
   */
  readonly remaining: number | undefined;
}

/** Options of polling. */
export interface PollOptions {
  /** Milliseconds from the end of a list to the start of the next; at least {@link minPollMs}. */
  readonly everyMs: number;
}

/** Minimum milliseconds between polls: a list is the most expensive request. */
export const minPollMs = 1_000;

const poll: OptionCheck = {
  mustBe: `{ everyMs } with a number of at least ${minPollMs}, in milliseconds`,
  isValid: (value) => {
    const { everyMs } = (value ?? {}) as { readonly everyMs?: unknown };
    return typeof everyMs === "number" && everyMs >= minPollMs;
  },
};

/** Reason why a watcher sent another request. */
export type RestartReason = KubeErrorCode | "Ended";

/**
 * Options for following a collection. An error thrown by a callback ends the iteration that the callback was passed to;
 * an informer, whose watch others may share, continues.
 */
export interface WatcherOptions extends SelectorOptions {
  /** Begins with a streaming list where the server supports it. Default true; false always lists. */
  readonly streamingList?: boolean | undefined;
  /**
   * Items per page of a list. Default 500 for the first list, and for all lists in CBOR and YAML; later lists request
   * everything at once, which the server serves from its watch cache.
   */
  readonly pageSize?: number | undefined;
  /** Keeps `metadata.managedFields`, a third of the bytes and of the memory. Default false. */
  readonly managedFields?: boolean | undefined;
  /**
   * Lets equal parts of objects be one shared object, frozen deeply: a third less memory. Default true for an informer
   * without a transform (which may modify its argument), otherwise false.
   */
  readonly shareEqual?: boolean | undefined;
  /** Encoding of lists and watches. Default: the client's, otherwise `auto`. */
  readonly encoding?: Encoding | undefined;
  /**
   * Lists the collection periodically instead of watching it, for resources without the verb `watch`, such as those of
   * metrics.k8s.io. Handlers and `follow` receive only the differences from one list to the next, for which `follow`
   * keeps a copy of the last list. Default: a watch.
   */
  readonly poll?: PollOptions | undefined;
  /** Delay between attempts after a failure. Default: that of client-go, 0.8 to 30 seconds, doubling, with jitter. */
  readonly backoff?: Partial<BackoffOptions> | undefined;
  /**
   * Minimum milliseconds that each watch lasts; its random duration is up to twice as long. At least, and by default,
   * 300,000.
   */
  readonly minWatchMs?: number | undefined;
  /**
   * Milliseconds that a streaming list may be quiet, or send only changes, before the watcher lists instead of waiting
   * for the end bookmark. Six times as long where objects only trickle in, fewer than ten per deadline. Default 10,000.
   */
  readonly initialEventsDeadlineMs?: number | undefined;
  /**
   * Milliseconds without any event, once bookmarks were seen, after which a watch counts as dead. Longer after a watch
   * that was cut for it, until the next bookmark. Default 75,000.
   */
  readonly idleMs?: number | undefined;
  /**
   * Milliseconds in which a watch that fails with InternalError resumes from its resourceVersion, counted from the
   * first failure of a series; after that the watcher relists. A minute without a failure ends the series. Default 0:
   * relists at once. (client-go's MaxInternalErrorRetryDuration)
   */
  readonly internalErrorWindowMs?: number | undefined;
  /**
   * Called with each failure; the watcher retries on its own. Default for informers and `follow`: at most one warning a
   * minute through `process.emitWarning`, with the code `TYPEKUBE_WATCH`. `() => {}` turns it off.
   */
  readonly onError?: ((error: KubeError) => void) | undefined;
  /** Called with each new state. */
  readonly onState?: ((state: WatcherState) => void) | undefined;
  /** Called with the progress of a snapshot, each time a part of it arrives. */
  readonly onProgress?: ((progress: SnapshotProgress) => void) | undefined;
  /**
   * Called when a request is followed by another, with the reason: the code of the failure, or `Ended` for a watch that
   * ended normally.
   */
  readonly onRestart?: ((reason: RestartReason) => void) | undefined;
  /** Random numbers for jitter and watch durations. Default `Math.random`. */
  readonly random?: Random | undefined;
}

const encodingNames = Object.keys(encodings);

/**
 * Names and checks of {@link WatcherOptions}. An invalid value would not fail at once, but misbehave for the whole life
 * of a watcher: the server rejects every watch with a NaN timeout. For most numbers `Number.POSITIVE_INFINITY` means
 * never.
 */
export const watcherOptions: OptionTable<WatcherOptions> = {
  ...selectorOptions,
  backoff,
  encoding: { ...oneOf(...encodingNames), mustBe: encodingNames.join(" or ") },
  idleMs: amount,
  initialEventsDeadlineMs: amount,
  internalErrorWindowMs: amount,
  managedFields: true,
  minWatchMs: { ...amount, isValid: (value) => Number.isFinite(value) && amount.isValid(value) },
  onError: callback,
  onProgress: callback,
  onRestart: callback,
  onState: callback,
  pageSize: integerFrom(0),
  poll,
  random: callback,
  shareEqual: true,
  streamingList: true,
};

/** Options with all defaults filled in. */
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
  /** Milliseconds in which the response to a streaming list must begin. */
  readonly responseDeadlineMs: number;
  /** Milliseconds of quiet allowed from then on. */
  readonly initialEventsDeadlineMs: number;
  readonly idleMs: number;
  readonly onError: (error: KubeError) => void;
  readonly internalErrorWindowMs: number;
  readonly onState: (state: WatcherState) => void;
  readonly onProgress: (progress: SnapshotProgress) => void;
  readonly onRestart: (reason: RestartReason) => void;
  readonly random: Random;
}

/**
 * Minimum duration of a watch. Each watch requests a random one in [300, 600] seconds, so that many do not end at once.
 * (client-go)
 */
const minWatchMs = 300_000;
/** Bookmarks arrive every minute; 15 seconds later something is wrong. */
const idleMs = 75_000;
/**
 * Initial events arrive in one go, before all changes. client-go warns after the same time of quiet, and waits
 * indefinitely.
 */
export const defaultInitialEventsDeadlineMs = 10_000;

/** Fills in the defaults. */
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

/** Options that a watcher's lists and watches have in common. */
export type ReadOptions = Pick<
  WatcherSettings,
  "encoding" | "fieldSelector" | "labelSelector" | "managedFields" | "shardSelector" | "shareEqual"
>;

/** Returns the settings that go into every request. */
export function readOptions(settings: WatcherSettings): ReadOptions {
  const { labelSelector, fieldSelector, shardSelector } = settings;
  const { managedFields, shareEqual, encoding } = settings;
  return { labelSelector, fieldSelector, shardSelector, managedFields, shareEqual, encoding };
}
