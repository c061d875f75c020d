import type { Live } from "@typekube/api";
import type { Lease } from "@typekube/api/coordination/v1";
import { KubeError } from "@typekube/core";
import type { LeaseChange, LeaseStore } from "../../../src/shards/lease-store.js";
import type { Network } from "../../election/simulation/lease-server.js";
import type { SimulatedProcess } from "../../election/simulation/simulated-process.js";
import type { World } from "../../election/simulation/world.js";

/** An API server that stores Leases, with optimistic concurrency. */
export class LeasesServer {
  readonly leases = new Map<string, Live<Lease>>();
  requests = 0;
  #revision = 100;
  readonly #watches = new Set<(change: LeaseChange) => void>();

  create(lease: Lease): Live<Lease> {
    if (this.leases.has(nameOf(lease))) {
      throw new KubeError("AlreadyExists", "the lease exists");
    }
    return this.#store(lease);
  }

  update(lease: Lease): Live<Lease> {
    const stored = this.leases.get(nameOf(lease));
    if (stored === undefined) {
      throw new KubeError("NotFound", "no lease");
    }
    if (lease.metadata?.resourceVersion !== stored.metadata.resourceVersion) {
      throw new KubeError("Conflict", "the lease has changed");
    }
    return this.#store(lease);
  }

  delete(name: string, resourceVersion?: string): void {
    const stored = this.leases.get(name);
    if (stored === undefined) {
      throw new KubeError("NotFound", "no lease");
    }
    if (resourceVersion !== undefined && resourceVersion !== stored.metadata.resourceVersion) {
      throw new KubeError("Conflict", "the lease has changed");
    }
    this.leases.delete(name);
    this.#revision += 1;
    const metadata = { ...stored.metadata, resourceVersion: String(this.#revision) };
    this.#tell({ type: "deleted", lease: { ...stored, metadata } });
  }

  /** Calls back with each change. Returns a function that ends that. */
  watch(callback: (change: LeaseChange) => void): () => void {
    this.#watches.add(callback);
    return () => this.#watches.delete(callback);
  }

  #store(lease: Lease): Live<Lease> {
    this.#revision += 1;
    const metadata = { ...lease.metadata, resourceVersion: String(this.#revision) };
    const stored = { ...lease, metadata } as Live<Lease>;
    this.leases.set(nameOf(lease), stored);
    this.#tell({ type: "applied", lease: stored });
    return stored;
  }

  #tell(change: LeaseChange): void {
    for (const callback of this.#watches) {
      callback(change);
    }
  }
}

function nameOf(lease: Lease): string {
  return lease.metadata?.name ?? "";
}

/** Milliseconds of a process until a request fails. */
const timeoutMs = 5_000;

/** Returns the Leases as a process reaches them. */
export function simulatedLeases(
  world: World,
  server: LeasesServer,
  process: SimulatedProcess,
  network: Network,
): LeaseStore {
  const request = <R>(handle: () => R, signal: AbortSignal): Promise<R> => {
    const exchange = new Promise<R>((resolve, reject) => {
      signal.throwIfAborted();
      const fate = network.fate();
      if (fate === "refused") {
        const refuse = () => reject(new KubeError("ConnectionRefused", "no connection"));
        world.after(1, () => process.run(refuse));
      } else if (fate === "arrives") {
        world.after(network.delayMs(), () => {
          server.requests += 1;
          let settle = () => {};
          try {
            const result = handle();
            settle = () => resolve(result);
          } catch (error) {
            settle = () => reject(error);
          }
          if (network.fate() === "arrives") {
            world.after(network.delayMs(), () => process.run(settle));
          }
        });
      }
    });
    return withTimeout(process, exchange, signal);
  };
  return {
    get: (name, signal) => request(() => server.leases.get(name), signal),
    list: (signal) => request(() => [...server.leases.values()], signal),
    create: (lease, signal) => request(() => server.create(lease), signal),
    update: (lease, signal) => request(() => server.update(lease), signal),
    delete: (name, signal, resourceVersion) =>
      request(() => server.delete(name, resourceVersion), signal),
    changes: (signal) => watchOf(world, server, process, network, signal),
  };
}

function withTimeout<R>(
  process: SimulatedProcess,
  exchange: Promise<R>,
  signal: AbortSignal,
): Promise<R> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      cancel();
      signal.removeEventListener("abort", onAbort);
      end();
    };
    const onAbort = () => settle(() => reject(signal.reason));
    const cancel = process.schedule(timeoutMs, () =>
      settle(() => reject(new KubeError("DeadlineExceeded", "no response"))),
    );
    signal.addEventListener("abort", onAbort, { once: true });
    exchange.then(
      (result) => settle(() => resolve(result)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}

/** Yields all Leases, then each change, in order and late; after a cut of the network all of them again. */
async function* watchOf(
  world: World,
  server: LeasesServer,
  process: SimulatedProcess,
  network: Network,
  signal: AbortSignal,
): AsyncGenerator<LeaseChange, void> {
  const arrived: LeaseChange[] = [];
  let wake = () => {};
  let lastAt = 0;
  let isBroken = true;
  /** Number of the connection: what an earlier one sent does not arrive any more. */
  let connection = 0;
  const send = (change: LeaseChange) => {
    const own = connection;
    lastAt = Math.max(lastAt, world.now + network.delayMs());
    world.after(lastAt - world.now, () => {
      if (own !== connection || isBroken) {
        return;
      }
      if (network.isCut) {
        breakOff();
        return;
      }
      process.run(() => {
        arrived.push(change);
        wake();
      });
    });
  };
  const begin = () => {
    isBroken = false;
    connection += 1;
    send({ type: "snapshot", leases: [...server.leases.values()] });
  };
  const breakOff = () => {
    if (!isBroken) {
      isBroken = true;
      world.after(network.cutUntil - world.now + 1, retry);
    }
  };
  const retry = () => (network.isCut ? world.after(1_000, retry) : begin());
  const end = server.watch((change) => {
    if (!isBroken) {
      send(change);
    }
  });
  const onAbort = () => wake();
  signal.addEventListener("abort", onAbort);
  retry();
  try {
    while (!signal.aborted) {
      const next = arrived.shift();
      if (next !== undefined) {
        yield next;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    end();
    signal.removeEventListener("abort", onAbort);
  }
}
