import type { KubeObject, Live } from "@typekube/api";
import { assertIsOptions } from "@typekube/client/internal";
import { amount, assertOptions, callback, type OptionTable } from "@typekube/core/internal";

/** Options of a handler. */
export interface HandlerOptions<T extends KubeObject = KubeObject> {
  /**
   * Delivers only objects that pass. An object that starts to pass is an add, one that stops passing is a delete.
   * Called at delivery, with the states before and after the change. A state for which it throws does not pass; the
   * error goes to `onError`.
   */
  readonly filter?: ((object: Live<T>) => boolean) | undefined;
  /**
   * Milliseconds between resyncs. A resync calls `update` for every cached object, with the same object twice: for
   * handlers that compare with something outside the cluster. Default 0: never.
   */
  readonly resyncMs?: number | undefined;
  /**
   * Changes that may queue while the handler is busy. Beyond this, the changes of each object are coalesced into one: a
   * slow handler misses intermediate states, but never the last one. Default 1,000; `Number.POSITIVE_INFINITY` never
   * coalesces.
   */
  readonly maxQueued?: number | undefined;
}

const handlerOptions: OptionTable<HandlerOptions> = {
  filter: callback,
  maxQueued: amount,
  resyncMs: amount,
};

/**
 * Rejects invalid handler options. With a filter that is not a function the handler would receive nothing.
 *
 * @throws {KubeError} `InvalidArgument` that names the option.
 */
export function assertHandlerOptions(options: HandlerOptions<never>): void {
  assertIsOptions(options);
  assertOptions("a handler", options, handlerOptions);
}
