import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import type { ClientCore, KindOf, ObjectOf } from "@typekube/client";
import type { KindReference } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { type Clock, linkAbort, systemClock } from "@typekube/core/internal";
import { assertWait } from "./assert-waiting.js";
import type { Change } from "./handlers/change.js";
import { assertWatching } from "./known-options.js";
import { ownOptions } from "./own-options.js";
import { Reflector } from "./store/reflector.js";
import { Store } from "./store/store.js";
import type { FollowOptions } from "./watcher/follow.js";
import { guardCallbacks } from "./watcher/guard-callbacks.js";
import { sourceOf } from "./watcher/source-of.js";
import type { WatchSource } from "./watcher/watch-source.js";
import { Watcher } from "./watcher/watcher.js";
import { defaultInitialEventsDeadlineMs, watcherSettings } from "./watcher/watcher-options.js";

/** Whether what one waits for has happened. */
export type UntilCondition<T extends KubeObject> = (
  change: Change<T>,
) => boolean | Promise<boolean>;

/** What {@link until} looks at and for how long. */
export interface UntilOptions<T extends KubeObject = KubeObject>
  extends Omit<FollowOptions, "maxBufferedEvents" | "maxBufferedObjects" | "view"> {
  /** Milliseconds. Default: no limit. A streaming list whose end does not come in half of it is given up for a list. */
  readonly timeoutMs?: number | undefined;
  /**
   * Asked once, with everything that is there when it is known: true when there is nothing to wait for. Conditions are asked from
   * then on.
   */
  readonly precondition?: ((present: ReadonlyStore<T>) => boolean | Promise<boolean>) | undefined;
}

/** The objects that are there, by key. */
export type ReadonlyStore<T extends KubeObject> = Pick<Store<T>, "get" | "size" | "values">;

/**
 * Waits until changes of a collection have met each condition in turn; one change may meet several. What is there already comes as
 * adds; a deletion that was missed comes too. Failures on the way are told to `onError` and healed.
 *
 * @returns the change that met the last condition; `undefined` when the precondition did.
 * @throws {KubeError} `DeadlineExceeded` after `timeoutMs`, with the last failure as its cause; `Forbidden` or `Unauthorized` when the
 * collection cannot even be looked at. What a condition throws, and the signal's reason, as they are.
 *
 * @example
 * await until(client, Pod, (change) => change.type === "delete", { namespace: "prod", fieldSelector: "metadata.name=web-0" });
 */
export async function until<T extends KubeObject>(
  client: ClientCore,
  type: ResourceDescriptor<T>,
  conditions: UntilCondition<T> | readonly UntilCondition<T>[],
  options?: UntilOptions<T>,
): Promise<Change<T> | undefined>;
export async function until<D extends ResourceDescriptor>(
  client: ClientCore,
  oneOfSeveral: D,
  conditions: UntilCondition<ObjectOf<D>> | readonly UntilCondition<ObjectOf<D>>[],
  options?: UntilOptions<ObjectOf<D>>,
): Promise<Change<ObjectOf<D>> | undefined>;
export async function until<const R extends KindReference>(
  client: ClientCore,
  type: R & { readonly plural?: never },
  conditions: UntilCondition<KindOf<R>> | readonly UntilCondition<KindOf<R>>[],
  options?: UntilOptions<KindOf<R>>,
): Promise<Change<KindOf<R>> | undefined>;
export async function until(
  client: ClientCore,
  type: KindReference | ResourceDescriptor,
  conditions: UntilCondition<KubeObject> | readonly UntilCondition<KubeObject>[],
  options: UntilOptions = {},
): Promise<unknown> {
  assertWatching("until", type, options);
  const source = sourceOf(client, type, { ...options, view: undefined });
  return untilOf(source, conditions, options, client.context.clock);
}

/** {@link until} on anything that lists and watches. */
export async function untilOf<T extends KubeObject>(
  source: WatchSource,
  conditions: UntilCondition<T> | readonly UntilCondition<T>[],
  options: UntilOptions<T> = {},
  clock: Clock = systemClock,
): Promise<Change<T> | undefined> {
  const left = Array.isArray(conditions) ? [...conditions] : [conditions as UntilCondition<T>];
  if (left.length === 0 || left.some((one) => typeof one !== "function")) {
    throw new KubeError("InvalidArgument", "no condition given");
  }
  const { precondition } = options;
  const store = new Store<T>();
  let isFirstLook = true;
  return watchStore(source, store, options, clock, async (changes, signal) => {
    if (isFirstLook && (await precondition?.(store))) {
      return { result: undefined };
    }
    isFirstLook = false;
    for (const change of changes) {
      // Nobody is asked any more when the wait has ended.
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
 * Keeps a store up to date until `look` has found what it looks for; it is asked first when everything is there, then after each
 * group of changes, with the signal by which the wait ends. `waitedFor` says what has not come to pass when the time is up.
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
      // Nobody waits for a role to be granted, and no later change would show what went before it.
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
 * When a streaming list is given up that was answered: what waits not for long must have the time to list instead. A server that has not
 * even answered would take as long again for a list.
 */
function endDeadlineWithin(timeoutMs = Number.POSITIVE_INFINITY): number {
  return Math.min(defaultInitialEventsDeadlineMs, timeoutMs / 2);
}

/** What a condition says, unless the signal comes first: what one's own code waits for has no other end. */
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
