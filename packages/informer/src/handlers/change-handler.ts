import type { KubeObject, Live } from "@typekube/api";
import type { WaitOptions } from "../options/wait-options.js";

/**
 * Methods that an informer calls for changes, one call after the other. When a method returns a promise, the next
 * change waits for it. Errors go to `onError`, and the next change is delivered all the same.
 */
export interface ChangeHandler<T extends KubeObject = KubeObject> {
  /** Called when an object was added, and once for each object that is cached when the handler is registered. */
  add?(object: Live<T>, info: AddInfo): unknown;
  /**
   * Called when an object was modified, and for each object of a resync with the same object twice. `previous` is the
   * state that the handler saw last.
   */
  update?(object: Live<T>, previous: Live<T>): unknown;
  /** Called when another object took the same name (new uid). If missing, `update` is called. */
  replaced?(object: Live<T>, previous: Live<T>): unknown;
  /** `object` is the last known state. */
  delete?(object: Live<T>, info: DeleteInfo): unknown;
  /** Receives errors of the other methods and of `filter`. Default: the informer's `onError`. */
  onError?(error: unknown): void;
}

/** Details of an add. */
export interface AddInfo {
  /** `true` for an object that existed when the handler was registered. (client-go's `isInInitialList`) */
  readonly initial: boolean;
  /** `true` when the object was not created but belonged to another worker's shard until now (`reshard`). */
  readonly moved: boolean;
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

/** The registration of a handler with an informer. */
export interface HandlerHandle {
  /**
   * Resolves when the handler has processed its initial objects: those that were cached when the informer synced, or
   * when the handler was added later.
   *
   * @throws {KubeError} `DeadlineExceeded` after `timeoutMs`; `Closed` when the handler is removed first.
   */
  synced(options?: WaitOptions): Promise<void>;
  /** Calls `update` now for every cached object, with the same object twice. Skips objects that have a queued change. */
  resync(): void;
  /** Number of changes queued for the handler. */
  readonly queued: number;
  /**
   * Removes the handler. No call follows after the promise resolves. Can be called repeatedly. Waits for the call in
   * progress, so the handler may call it but must not await it.
   */
  remove(): Promise<void>;
}
