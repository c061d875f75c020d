import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import type { ClientCore, KindReference, UnknownKind } from "@typekube/client";
import { contextOf } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { type Clock, linkAbort, systemClock } from "@typekube/core/internal";
import type { Change } from "../events/change.js";
import { assertWatching } from "../options/assert-watching.js";
import { ownOptions } from "../options/own-options.js";
import type { UntilOptions } from "../options/until-options.js";
import { sourceOf } from "../sources/source-of.js";
import type { WatchSource } from "../sources/watch-source.js";
import { Reflector } from "../store/reflector.js";
import { Store } from "../store/store.js";
import { guardCallbacks } from "../watcher/guard-callbacks.js";
import { Watcher } from "../watcher/watcher.js";
import { defaultInitialEventsDeadlineMs, watcherSettings } from "../watcher/watcher-options.js";
import { assertWait } from "./assert-waiting.js";

/** Returns true when a change meets the condition. */
export type UntilCondition<T extends KubeObject> = (
  change: Change<T>,
) => boolean | Promise<boolean>;

/**
 * Waits until changes of a collection have met each condition in turn; one change may meet several. Existing objects
 * arrive as adds; missed deletions arrive too. Failures along the way go to `onError` and are retried.
 *
 * @returns the change that met the last condition; `undefined` when the precondition was true.
 * @throws {KubeError} `DeadlineExceeded` after `timeoutMs`, with the last failure as its cause; `Forbidden` or
 * `Unauthorized` when the collection can't be read at all. An error of a condition and the signal's reason are thrown
 * unchanged.
 *
 * @example
 * ```ts
 * await until(client, Pod, (change) => change.type === "delete", { namespace: "prod", fieldSelector: "metadata.name=web-0" });
 * ```
 */
export async function until<T extends KubeObject = UnknownKind>(
  client: ClientCore,
  type: KindReference | ResourceDescriptor<T>,
  conditions: UntilCondition<T> | readonly UntilCondition<T>[],
  options: UntilOptions<T> = {},
): Promise<Change<T> | undefined> {
  assertWatching("until", type, options);
  const source = sourceOf(client, type, { ...options, view: undefined });
  return untilOf(source, conditions, options, contextOf(client).clock);
}

/** {@link until} for any source that lists and watches. */
export async function untilOf<T extends KubeObject>(
  source: WatchSource,
  conditions: UntilCondition<T> | readonly UntilCondition<T>[],
  options: UntilOptions<T> = {},
  clock: Clock = systemClock,
): Promise<Change<T> | undefined> {
  const left = Array.isArray(conditions) ? [...conditions] : [conditions as UntilCondition<T>];
  if (left.length === 0 || left.some((one) => typeof one !== "function")) {
    throw new KubeError("InvalidArgument", "conditions: must be a function or a list of functions");
  }
  const { precondition } = options;
  const store = new Store<T>();
  let isFirstCheck = true;
  return watchStore(source, store, options, clock, async (changes, signal) => {
    if (isFirstCheck && (await precondition?.(store))) {
      return { result: undefined };
    }
    isFirstCheck = false;
    for (const change of changes) {
      // Call no condition after the wait has ended.
      while (!signal.aborted && (await left[0]?.(change))) {
        left.shift();
      }
      if (left.length === 0) {
        return { result: change };
      }
    }
    return undefined;
  });
}

/**
 * Keeps a store up to date until `look` returns a result. Calls `look` when the first snapshot is complete, then after
 * each group of changes, with the signal that ends the wait. `waitedFor` describes the unmet condition for the timeout
 * error.
 */
export async function watchStore<T extends KubeObject, R>(
  source: WatchSource,
  store: Store<T>,
  options: UntilOptions<T>,
  clock: Clock,
  look: (
    changes: readonly Change<T>[],
    signal: AbortSignal,
  ) => Promise<{ readonly result: R } | undefined>,
  waitedFor: (lastError?: KubeError) => string = () => "the condition was not met",
): Promise<R> {
  assertWait(options);
  const { signal, timeoutMs } = options;
  signal?.throwIfAborted();
  using abort = linkAbort(signal);
  const reflector = new Reflector(store);
  let lastError: KubeError | undefined;
  const fail = (error: unknown) => abort.abort(error);
  const guarded = guardCallbacks(ownOptions(options), fail);
  const usual = watcherSettings({
    ...guarded,
    onError: (error) => {
      lastError = error;
      guarded.onError?.(error);
      // Reject now instead of waiting for a role to be granted: changes until then would be missed.
      if (!reflector.isSynced && isRefusal(error)) {
        fail(error);
      }
    },
  });
  const settings = {
    ...usual,
    initialEventsDeadlineMs: guarded.initialEventsDeadlineMs ?? endDeadlineWithin(timeoutMs),
  };
  const cancelTimer =
    timeoutMs === undefined
      ? () => {}
      : clock.schedule(timeoutMs, () =>
          abort.abort(
            new KubeError("DeadlineExceeded", `${waitedFor(lastError)} within ${timeoutMs} ms`, {
              cause: lastError,
            }),
          ),
        );
  try {
    for await (const events of new Watcher<T>(source, settings, clock, abort.signal).run()) {
      const changes = reflector.take(events);
      if (!reflector.isSynced) {
        continue;
      }
      const found = await untilAborted(look(changes, abort.signal), abort.signal);
      if (found !== undefined) {
        return found.result;
      }
      abort.signal.throwIfAborted();
    }
  } finally {
    cancelTimer();
  }
  throw abort.signal.reason;
}

/**
 * Returns the quiet deadline of a streaming list whose response has begun: a short wait must leave time to list
 * instead. The deadline for the response itself is not shortened: a server that has not responded would take as long
 * for a list.
 */
function endDeadlineWithin(timeoutMs = Number.POSITIVE_INFINITY): number {
  return Math.min(defaultInitialEventsDeadlineMs, timeoutMs / 2);
}

/** Waits for a condition, or until the signal aborts: user code may never settle. */
async function untilAborted<R>(response: Promise<R>, signal: AbortSignal): Promise<R> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) {
      onAbort();
    }
  });
  try {
    return await Promise.race([response, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function isRefusal({ code }: KubeError): boolean {
  return code === "Forbidden" || code === "Unauthorized" || code === "InvalidArgument";
}
