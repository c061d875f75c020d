import type { KubeObject, Live } from "@typekube/api";
import {
  amount,
  type Clock,
  callback,
  flag,
  integerFrom,
  milliseconds,
  type NestedOptions,
  type OptionCheck,
  type OptionTable,
  object,
  oneOf,
  text,
} from "@typekube/core/internal";
import type { Run } from "../run/run.js";
import type { KindObject } from "./keep-fields.js";
import type { ChosenKind, KindChoice, NamedKind } from "./kind-choice.js";
import type { KeyLike } from "./object-key.js";
import type { Outcome, StatusOf } from "./outcome.js";
import type { ChangeFilter } from "./predicates.js";

/** Keys of the controller's objects: several, one by one or in a promise. */
export type Keys = Iterable<KeyLike> | Promise<Iterable<KeyLike> | undefined> | undefined;

/** Another kind whose changes cause runs: of the objects that refer to it (`by`), or of those that `map` names. */
export interface WatchedKind<T extends KubeObject, C extends KindChoice = KindChoice> {
  /** The kind, with a narrowed cache if desired. */
  readonly kind: C;
  /**
   * Returns the objects of the watched kind that an object of the controller refers to; a name without a namespace is in
   * the object's own. The controller keeps the reverse index, so a change costs only the matching objects.
   */
  readonly by?: ((object: Live<T>) => Iterable<KeyLike>) | undefined;
  /** Returns the keys of the controller's objects that a change concerns. Called for the old and the new state. */
  readonly map?: ((object: Live<KindObject<ChosenKind<C>>>) => Keys) | undefined;
  /** Decides which changes count. Default: all. */
  readonly when?: ChangeFilter<KindObject<ChosenKind<C>>> | undefined;
}

/** Yields keys of objects to reconcile, for causes outside of the cluster. Restarted with a back-off when it throws. */
export type KeySource = (context: KeySourceContext) => AsyncIterable<KeyLike>;

/** Argument of a {@link KeySource}. */
export interface KeySourceContext {
  /** Aborts when the controller stops; the source then ends. */
  readonly signal: AbortSignal;
  /** Clock of the manager, for timers. */
  readonly clock: Clock;
}

/** How failed runs are tried again. */
export interface RetryPolicy {
  /** Milliseconds before the first retry; doubled after each further failure. Default 5. */
  readonly baseMs?: number | undefined;
  /** Longest delay in milliseconds. Default 1,000,000. (client-go's ItemExponentialFailureRateLimiter) */
  readonly maxMs?: number | undefined;
  /** Share of each delay that is added at random, so that keys that fail together don't retry together. Default 0.2. */
  readonly jitter?: number | undefined;
  /** Attempts after which a key is left alone until something changes. Default: no limit. */
  readonly maxAttempts?: number | undefined;
}

/** How the queue orders keys. */
export interface QueuePolicy {
  /** Milliseconds after which a key of low priority counts as one of priority 0. Default 60,000. */
  readonly agingMs?: number | undefined;
  /** Groups keys; the groups of one priority take turns. Default: no groups. */
  readonly fairBy?: ((key: string) => string) | undefined;
  /** Limits the runs at once of each group of keys. Default: no limit. */
  readonly groupConcurrency?:
    | { readonly by: (key: string) => string; readonly max: number }
    | undefined;
}

/** A finalizer of its own name, next to others of the same controller. */
export interface Finalizer<T extends KubeObject, R> {
  /** Qualified name: `example.com/dns`. */
  readonly name: string;
  /** Cleans up. The finalizer is removed once it returns; see `finalize`. */
  readonly finalize: (object: Live<T>, run: R) => FinalizeOutcome | Promise<FinalizeOutcome>;
}

/** Return value of a finalizer: nothing when everything is cleaned up, otherwise when to try again. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement returns void
export type FinalizeOutcome = Outcome<never> | void;

/** Object type of a controller of kind `K`. */
export type ControlledObject<K extends KindChoice> = KindObject<ChosenKind<K>>;

/** Options of {@link defineController}. */
export interface ControllerOptions<
  K extends KindChoice,
  O extends readonly KindChoice[],
  W extends readonly KindChoice[],
  R extends readonly KindChoice[],
  Reason extends string,
> {
  /**
   * Name of the controller: field manager of its writes, label of its metrics, part of its finalizer. Default: the kind
   * in lower case.
   */
  readonly name?: string | undefined;
  /** Kinds whose objects `run.apply` creates for an object. A change of one causes a run of its owner. */
  readonly owns?: O | undefined;
  /** Other kinds whose changes cause runs. */
  readonly watches?:
    | { readonly [I in keyof W]: WatchedKind<ControlledObject<K>, W[I]> }
    | undefined;
  /** Other kinds that runs read or write, and whose changes cause nothing. */
  readonly reads?: R | undefined;
  /** Further causes of runs: timers, queues, webhooks. */
  readonly sources?: readonly KeySource[] | undefined;
  /** Decides which changes of the controller's own objects cause runs. Default: all but those of managedFields only. */
  readonly when?: ChangeFilter<ControlledObject<K>> | undefined;
  /** Reasons of this controller's events: any other is then a compile error. Default: any. */
  readonly reasons?: readonly Reason[] | undefined;
  /** Runs at once. Default 1. */
  readonly concurrency?: number | undefined;
  /** Milliseconds after which a run is aborted. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /**
   * Milliseconds after which a run that ignores its aborted signal no longer counts as one of `concurrency`. Its key
   * stays blocked. Default: never.
   */
  readonly abandonAfterMs?: number | undefined;
  readonly retry?: RetryPolicy | undefined;
  readonly queue?: QueuePolicy | undefined;
  /** Milliseconds in which every object is reconciled once more, spread evenly. Default 0: never. */
  readonly resyncMs?: number | undefined;
  /** Milliseconds from a change to its run, so that changes in quick succession cause one run. Default 0. */
  readonly debounceMs?: number | undefined;
  /**
   * `overlay` shows a run the writes of earlier runs that the cache does not have yet; `wait` also holds a key, for up to
   * 5 s, until the cache has them. (KEP-5647) Default `overlay`.
   */
  readonly consistency?: "overlay" | "wait" | undefined;
  /** `run` reconciles also after the controller's own writes. Default `skip`. */
  readonly ownEvents?: "run" | "skip" | undefined;
  /** Deletes objects of `owns` that an earlier run applied and the last one did not. Default true. */
  readonly prune?: boolean | undefined;
  /** Returns true for objects that are left alone. Default: those with the annotation `typekube.dev/paused: "true"`. */
  readonly pauseWhen?: ((object: Live<ControlledObject<K>>) => boolean) | undefined;
  /** Leaves paused objects alone even when they are deleted. Default false. */
  readonly pauseDeletion?: boolean | undefined;
  /** Reaction to an object that leaves the selectors of the cache: a last run, or nothing. Default `run`. */
  readonly onLeave?: "ignore" | "run" | undefined;
  /** `wait` starts the controller without a source that cannot be read, and continues to try. Default `fail`. */
  readonly onUnavailable?: "fail" | "wait" | undefined;
  /** Milliseconds in which the caches must be complete. Default 120,000. (controller-runtime's CacheSyncTimeout) */
  readonly syncTimeoutMs?: number | undefined;
  /** Reports failed runs as Warning events of their object. Default true. */
  readonly failureEvents?: boolean | undefined;
  /** Makes the object's state as its spec says. Called with the newest object, own writes included. */
  readonly reconcile?: (
    object: Live<ControlledObject<K>>,
    run: RunOf<K, O, W, R, Reason>,
  ) => ReconcileResult<ControlledObject<K>>;
  /** In place of `reconcile`: called with the key, also when there is no object, as controllers that aggregate need. */
  readonly reconcileKey?: (
    key: string,
    run: RunOf<K, O, W, R, Reason>,
  ) => ReconcileResult<ControlledObject<K>>;
  /** Cleans up what the object stands for before it is deleted. Its presence alone adds the finalizer to each object. */
  readonly finalize?: (
    object: Live<ControlledObject<K>>,
    run: RunOf<K, O, W, R, Reason>,
  ) => FinalizeOutcome | Promise<FinalizeOutcome>;
  /** Several finalizers, run in this order. In place of `finalize`. */
  readonly finalizers?:
    | readonly Finalizer<ControlledObject<K>, RunOf<K, O, W, R, Reason>>[]
    | undefined;
  /** Name of the finalizer of `finalize`. Default `<group>/<name>`. */
  readonly finalizer?: string | undefined;
  /** Called once when the attempts of `retry.maxAttempts` are used up. */
  readonly onGiveUp?:
    | ((object: Live<ControlledObject<K>> | undefined, error: unknown) => void)
    | undefined;
}

/** Return value of a reconciler, or its promise. */
export type ReconcileResult<T> =
  // biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement returns void
  Outcome<StatusOf<T>> | Promise<Outcome<StatusOf<T>> | void> | void;

/** The run of a controller with these kinds. */
export type RunOf<
  K extends KindChoice,
  O extends readonly KindChoice[],
  W extends readonly KindChoice[],
  R extends readonly KindChoice[],
  Reason extends string,
> = Run<
  ControlledObject<K>,
  ChosenKind<K> | ChosenKind<O[number]> | ChosenKind<R[number]> | ChosenKind<W[number]>,
  Reason
>;

const list: OptionCheck = { mustBe: "an array", isValid: Array.isArray };
/** A timer or a queue: what a duration must be to have a meaning. */
const retry: NestedOptions = {
  call: "retry",
  prefix: "retry.",
  table: {
    baseMs: milliseconds,
    jitter: amount,
    maxAttempts: integerFrom(1),
    maxMs: milliseconds,
  } satisfies OptionTable<RetryPolicy>,
};
const queue: NestedOptions = {
  call: "queue",
  prefix: "queue.",
  table: {
    agingMs: milliseconds,
    fairBy: callback,
    groupConcurrency: object,
  } satisfies OptionTable<QueuePolicy>,
};

/** Names and checks of {@link ControllerOptions}. */
export const controllerOptions: OptionTable<
  ControllerOptions<
    NamedKind,
    readonly KindChoice[],
    readonly KindChoice[],
    readonly KindChoice[],
    string
  >
> = {
  abandonAfterMs: milliseconds,
  concurrency: integerFrom(1),
  consistency: oneOf("overlay", "wait"),
  debounceMs: milliseconds,
  failureEvents: flag,
  finalize: callback,
  finalizer: text,
  finalizers: list,
  name: text,
  onGiveUp: callback,
  onLeave: oneOf("ignore", "run"),
  onUnavailable: oneOf("fail", "wait"),
  ownEvents: oneOf("run", "skip"),
  owns: list,
  pauseDeletion: flag,
  pauseWhen: callback,
  prune: flag,
  queue,
  reads: list,
  reasons: list,
  reconcile: callback,
  reconcileKey: callback,
  resyncMs: milliseconds,
  retry,
  sources: list,
  syncTimeoutMs: milliseconds,
  timeoutMs: milliseconds,
  watches: list,
  when: callback,
};
