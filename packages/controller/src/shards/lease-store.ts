import type { Live } from "@typekube/api";
import { Lease } from "@typekube/api/coordination/v1";
import type { ClientCore } from "@typekube/client";
import { contextOf, resourceOf } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { type Clock, linkAbort, type Random } from "@typekube/core/internal";
import { follow } from "@typekube/informer";
import { asElection, type ObjectStore } from "../election/object-store.js";
import { shardingLabel } from "./shard-layout.js";

/** A change of the Leases of a sharding. */
export type LeaseChange =
  /** All Leases; others do not exist. */
  | { readonly type: "snapshot"; readonly leases: readonly Live<Lease>[] }
  | { readonly type: "applied"; readonly lease: Live<Lease> }
  | { readonly type: "deleted"; readonly lease: Live<Lease> };

/** Reads and writes the Leases of one sharding. */
export interface LeaseStore {
  get(name: string, signal: AbortSignal): Promise<Live<Lease> | undefined>;
  list(signal: AbortSignal): Promise<readonly Live<Lease>[]>;
  create(lease: Lease, signal: AbortSignal): Promise<Live<Lease>>;
  /** Replaces a Lease. Fails with `Conflict` when it changed since it was read. */
  update(lease: Lease, signal: AbortSignal): Promise<Live<Lease>>;
  /**
   * Deletes a Lease.
   *
   * @param resourceVersion - fails with `Conflict` when the Lease has another one.
   */
  delete(name: string, signal: AbortSignal, resourceVersion?: string): Promise<void>;
  /** Yields all Leases, then each change, until the signal aborts. */
  changes(signal: AbortSignal): AsyncIterable<LeaseChange>;
}

/** Settings of {@link leaseStore}. */
export interface LeaseStoreSettings {
  /** Name of the sharding. */
  readonly name: string;
  readonly namespace: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Milliseconds for each request. */
  readonly timeoutMs: number;
  readonly onError: (error: KubeError) => void;
}

/** Returns the store of the Leases on a server. */
export function leaseStore(
  client: ClientCore,
  { name: sharding, namespace, clock, random, timeoutMs, onError }: LeaseStoreSettings,
): LeaseStore {
  const leases = resourceOf(contextOf(client), Lease, namespace);
  const labelSelector = { [shardingLabel]: sharding };
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
    get: (name, signal) => bounded(signal, (options) => leases.find(name, options)),
    list: (signal) =>
      bounded(signal, async (options) => (await leases.list({ ...options, labelSelector })).items),
    create: (lease, signal) => bounded(signal, (options) => leases.create(lease, options)),
    update: (lease, signal) => bounded(signal, (options) => leases.update(lease, options)),
    delete: (name, signal, resourceVersion) =>
      bounded(signal, async (options) => {
        const preconditions = resourceVersion === undefined ? undefined : { resourceVersion };
        await leases.delete(name, { ...options, preconditions });
      }),
    changes: (signal) =>
      changesOf(follow(client, Lease, { namespace, labelSelector, random, signal, onError })),
  };
}

/**
 * Returns the store of one Lease among them; its changes are not followed on their own.
 *
 * @param onLease - called with each Lease that was read or written.
 */
export function storeOfLease(
  store: LeaseStore,
  name: string,
  onLease: (lease: Live<Lease>) => void,
): ObjectStore<Lease> {
  const seen = <L extends Live<Lease> | undefined>(lease: L): L => {
    if (lease !== undefined) {
      onLease(lease);
    }
    return lease;
  };
  return {
    get: async (signal) => seen(await store.get(name, signal)),
    create: async (lease, signal) => seen(await store.create(lease, signal)),
    update: async (lease, signal) => seen(await store.update(lease, signal)),
    async *changes() {},
  };
}

async function* changesOf(
  events: ReturnType<typeof follow<Lease>>,
): AsyncGenerator<LeaseChange, void> {
  let snapshot = new Map<string, Live<Lease>>();
  let isComplete = false;
  for await (const event of events) {
    if (event.type === "gap") {
      snapshot = new Map();
      isComplete = false;
    } else if (event.type === "synced") {
      isComplete = true;
      yield { type: "snapshot", leases: [...snapshot.values()] };
    } else if (event.type !== "bookmark") {
      const { object: lease } = event;
      if (isComplete) {
        yield { type: event.type === "deleted" ? "deleted" : "applied", lease };
      } else if (event.type === "deleted") {
        snapshot.delete(lease.metadata.name);
      } else {
        snapshot.set(lease.metadata.name, lease);
      }
    }
  }
}
