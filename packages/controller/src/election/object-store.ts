import type { KubeObject, Live, ResourceDescriptor, Verb } from "@typekube/api";
import type { ClientCore } from "@typekube/client";
import { contextOf, resourceOf } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { type Clock, linkAbort, type Random, withCallScope } from "@typekube/core/internal";
import { follow } from "@typekube/informer";

/** An object as a watch shows it. */
export interface WatchedObject<T extends KubeObject> {
  /** `undefined` when the object does not exist. */
  readonly object: Live<T> | undefined;
  /** State of the collection in which this was so. */
  readonly resourceVersion: string | undefined;
}

/** Reads and writes one object by name: a Lease or a LeaseCandidate. */
export interface ObjectStore<T extends KubeObject> {
  /** Returns the object; `undefined` when it does not exist. */
  get(signal: AbortSignal): Promise<Live<T> | undefined>;
  create(object: T, signal: AbortSignal): Promise<Live<T>>;
  /** Replaces the object. Fails with `Conflict` when it changed since it was read. */
  update(object: T, signal: AbortSignal): Promise<Live<T>>;
  /** Yields the object, or that it does not exist, and each change, until the signal aborts. */
  changes(signal: AbortSignal): AsyncIterable<WatchedObject<T>>;
}

/** Settings of {@link objectStore}. */
export interface ObjectStoreSettings {
  readonly name: string;
  readonly namespace: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Milliseconds for each request. */
  readonly timeoutMs: number;
  readonly onError: (error: KubeError) => void;
}

/**
 * Runs a function whose calls belong to an election: they use their own connections and ignore the rate limit, and no
 * fence applies to them, whatever code starts them.
 */
export function asElection<R>(run: () => R): R {
  return withCallScope({ isUrgent: true }, run);
}

/** Returns the store of an object on a server. */
export function objectStore<T extends KubeObject>(
  client: ClientCore,
  descriptor: ResourceDescriptor<T, "Namespaced", Verb>,
  { name, namespace, clock, random, timeoutMs, onError }: ObjectStoreSettings,
): ObjectStore<T> {
  const objects = resourceOf(contextOf(client), descriptor, namespace);
  const bounded = async <R>(
    signal: AbortSignal,
    call: (options: { readonly signal: AbortSignal; readonly timeoutMs: number }) => Promise<R>,
  ): Promise<R> => {
    // Transports in process have no timeouts of their own.
    using abort = linkAbort(signal);
    const cancel = clock.schedule(timeoutMs, () =>
      abort.abort(new KubeError("DeadlineExceeded", `no response within ${timeoutMs} ms`)),
    );
    try {
      return await asElection(() => call({ signal: abort.signal, timeoutMs }));
    } finally {
      cancel();
    }
  };
  return {
    get: (signal) => bounded(signal, (options) => objects.find(name, options)),
    create: (object, signal) => bounded(signal, (options) => objects.create(object, options)),
    update: (object, signal) => bounded(signal, (options) => objects.update(object, options)),
    changes: (signal) =>
      changesOf(
        follow<T>(client, descriptor, {
          namespace,
          fieldSelector: { "metadata.name": name },
          random,
          signal,
          onError,
        }),
      ),
  };
}

async function* changesOf<T extends KubeObject>(
  events: ReturnType<typeof follow<T>>,
): AsyncGenerator<WatchedObject<T>, void> {
  /** `true` once the current snapshot contains the object. */
  let isThere = false;
  for await (const event of events) {
    if (event.type === "initial" || event.type === "applied") {
      isThere = true;
      const { object } = event;
      yield { object, resourceVersion: object.metadata.resourceVersion };
    } else if (event.type === "deleted") {
      isThere = false;
      yield { object: undefined, resourceVersion: event.object.metadata.resourceVersion };
    } else if (event.type === "gap") {
      isThere = false;
    } else if (event.type === "synced" && !isThere) {
      yield { object: undefined, resourceVersion: event.resourceVersion };
    }
  }
}
