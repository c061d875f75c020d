import type { KubeObject, Live } from "@typekube/api";
import type { WaitOptions } from "../informer-options.js";

/**
 * What is called for changes, one after the other: a handler that returns a promise is awaited before the next
 * change. What it throws goes to `onError` and the next change is delivered all the same.
 */
export interface ChangeHandler<T extends KubeObject = KubeObject> {
  add?(object: Live<T>, info: AddInfo): unknown;
  update?(object: Live<T>, previous: Live<T>): unknown;
  /** Another object under the same name. Where it is absent, `update` is called. */
  replaced?(object: Live<T>, previous: Live<T>): unknown;
  /** `object` is the last known state. */
  delete?(object: Live<T>, info: DeleteInfo): unknown;
  /** Told of what another method threw. Default: the informer's `onError`. */
  onError?(error: unknown): void;
}

/** Details of an add. */
export interface AddInfo {
  /** `true` for an object that existed when the handler was registered. (client-go's `isInInitialList`) */
  readonly initial: boolean;
}

/** Details of a delete. */
export interface DeleteInfo {
  /** `true` when the deletion itself was missed, so the object may have changed before it was deleted. */
  readonly finalStateUnknown: boolean;
  /**
   * `true` when the object was not deleted but belongs to another worker's shard now (`reshard`): there is nothing to clean up.
   */
  readonly moved: boolean;
}

/** Options of a handler. */
export interface HandlerOptions<T extends KubeObject = KubeObject> {
  /**
   * Tells only of the objects that pass: one that begins to pass is an add, one that stops to pass a delete. Asked when a change is
   * delivered, of the states before and after it. A state for which it throws does not pass; the error goes to `onError`.
   */
  readonly filter?: ((object: Live<T>) => boolean) | undefined;
  /**
   * Calls `update` for every cached object each so many milliseconds, with the same object twice: for handlers that compare with
   * something outside of the cluster. Default 0: never.
   */
  readonly resyncMs?: number | undefined;
  /**
   * Changes that may wait while the handler is busy before those of one object are folded into one: a handler that does not keep
   * up misses states in between, never the last one. Default 1,000; `Number.POSITIVE_INFINITY` never folds.
   */
  readonly maxQueued?: number | undefined;
}

/** A handler's own place at an informer. */
export interface HandlerHandle {
  /**
   * Resolves when the handler has seen everything that was there when the informer was synced.
   *
   * @throws {KubeError} `DeadlineExceeded` after `timeoutMs`; `Closed` when the handler is removed before.
   */
  synced(options?: WaitOptions): Promise<void>;
  /** Calls `update` for every cached object now, with the same object twice; not for those that have a change waiting. */
  resync(): void;
  /** How many changes wait for the handler. */
  readonly queued: number;
  /**
   * No call comes after it resolves. Can be called again. It waits for the call in progress, so the handler may call it but must
   * not await it.
   */
  remove(): Promise<void>;
}
