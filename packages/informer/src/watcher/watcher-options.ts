import type { Encoding, SelectorOptions } from "@typekube/client";
import type { KubeError, Random } from "@typekube/core";
import { type BackoffOptions, defaultBackoff } from "./backoff.js";
import type { WatcherState } from "./watcher-state.js";

/** How a collection is followed. */
export interface WatcherOptions extends SelectorOptions {
  /** Begin with a streaming list where the server can. Default true; false always lists. */
  readonly streamingList?: boolean | undefined;
  /** Items per page of a list. Default 500 for the first list; later ones ask for all at once, which caches serve. */
  readonly pageSize?: number | undefined;
  /** Keep `metadata.managedFields`, a third of the bytes and of the memory. Default false. */
  readonly managedFields?: boolean | undefined;
  readonly encoding?: Encoding | undefined;
  readonly backoff?: Partial<BackoffOptions> | undefined;
  /** Milliseconds that each watch lives at least; each lives up to twice as long. At least and by default 300,000. */
  readonly minWatchMs?: number | undefined;
  /** Milliseconds of quiet in a streaming list after which the end bookmark is given up. Default 10,000. */
  readonly initialEventsDeadlineMs?: number | undefined;
  /** Milliseconds without any event, once bookmarks were seen, after which a watch counts as dead. Default 75,000. */
  readonly idleMs?: number | undefined;
  /** Told of each failure; the watcher goes on by itself. */
  readonly onError?: ((error: KubeError) => void) | undefined;
  /** Told of each change of state. */
  readonly onState?: ((state: WatcherState) => void) | undefined;
  readonly random?: Random | undefined;
}

/** Options with every default filled in. */
export interface WatcherSettings
  extends Omit<WatcherOptions, "backoff" | "onError" | "onState" | "random"> {
  readonly streamingList: boolean;
  readonly managedFields: boolean;
  readonly backoff: BackoffOptions;
  readonly minWatchMs: number;
  readonly initialEventsDeadlineMs: number;
  readonly idleMs: number;
  readonly onError: (error: KubeError) => void;
  readonly onState: (state: WatcherState) => void;
  readonly random: Random;
}

/** A watch asks the server for a random life in [300, 600] seconds, so that many do not end at once. (client-go) */
const minWatchMs = 300_000;
/** Bookmarks come every minute; a quarter of a minute later something is wrong. */
const idleMs = 75_000;
/** Initial events come in one go; client-go warns after the same time of quiet, and waits for ever. */
const initialEventsDeadlineMs = 10_000;

/** Fills the defaults in. */
export function watcherSettings(options: WatcherOptions): WatcherSettings {
  return {
    ...options,
    streamingList: options.streamingList ?? true,
    managedFields: options.managedFields ?? false,
    backoff: { ...defaultBackoff, ...options.backoff },
    minWatchMs: Math.max(options.minWatchMs ?? minWatchMs, minWatchMs),
    initialEventsDeadlineMs: options.initialEventsDeadlineMs ?? initialEventsDeadlineMs,
    idleMs: options.idleMs ?? idleMs,
    onError: options.onError ?? (() => {}),
    onState: options.onState ?? (() => {}),
    random: options.random ?? Math.random,
  };
}
