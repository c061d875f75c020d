import type { Live } from "@typekube/api";
import type { Lease } from "@typekube/api/coordination/v1";
import { KubeError } from "@typekube/core";
import type { ObjectStore, WatchedObject } from "../../../src/election/object-store.js";
import type { SimulatedProcess } from "./simulated-process.js";
import type { World } from "./world.js";

/** An API server that stores one lease, with optimistic concurrency. */
export class LeaseServer {
  #lease: Live<Lease> | undefined;
  #revision = 100;
  readonly #watches = new Set<() => void>();

  get lease(): Live<Lease> | undefined {
    return this.#lease;
  }

  get revision(): string {
    return String(this.#revision);
  }

  create(lease: Lease): Live<Lease> {
    if (this.#lease !== undefined) {
      throw new KubeError("AlreadyExists", "the lease exists");
    }
    return this.#store(lease);
  }

  update(lease: Lease): Live<Lease> {
    if (this.#lease === undefined) {
      throw new KubeError("NotFound", "no lease");
    }
    if (lease.metadata?.resourceVersion !== this.#lease.metadata.resourceVersion) {
      throw new KubeError("Conflict", "the lease has changed");
    }
    return this.#store(lease);
  }

  /** Calls back after each write. Returns a function that ends that. */
  watch(callback: () => void): () => void {
    this.#watches.add(callback);
    return () => this.#watches.delete(callback);
  }

  #store(lease: Lease): Live<Lease> {
    this.#revision += 1;
    const metadata = { ...lease.metadata, name: "lease", resourceVersion: this.revision };
    this.#lease = { ...lease, metadata } as Live<Lease>;
    for (const callback of this.#watches) {
      callback();
    }
    return this.#lease;
  }
}

/** The network between one process and the server. */
export class Network {
  readonly #world: World;
  readonly #random: () => number;
  /** True time until which nothing arrives. */
  cutUntil = 0;
  /** `true` ends slow and lost messages. */
  isCalm = false;

  constructor(world: World, random: () => number) {
    this.#world = world;
    this.#random = random;
  }

  get isCut(): boolean {
    return this.#world.now < this.cutUntil;
  }

  /** Milliseconds for one way: mostly short, sometimes longer than the timeout of a request. */
  delayMs(): number {
    const kind = this.isCalm ? 0 : this.#random();
    return kind < 0.95 ? this.#random() * 40 : this.#random() * (kind < 0.99 ? 2_000 : 12_000);
  }

  /** Fate of one message. */
  fate(): "arrives" | "lost" | "refused" {
    if (this.isCut) {
      return this.#random() < 0.5 ? "lost" : "refused";
    }
    const kind = this.isCalm ? 0 : this.#random();
    return kind < 0.97 ? "arrives" : kind < 0.99 ? "lost" : "refused";
  }
}

/** Returns the store of a process. `onWritten` gets the true time at which a write that succeeded was sent. */
export function simulatedStore(
  world: World,
  server: LeaseServer,
  process: SimulatedProcess,
  network: Network,
  onWritten: (sentAt: number) => void,
): ObjectStore<Lease> {
  const request = <R>(handle: () => R, signal: AbortSignal): Promise<R> => {
    const answer = exchange(world, process, network, handle, signal);
    return withTimeout(process, answer, signal);
  };
  const write = async (handle: () => Live<Lease>, signal: AbortSignal) => {
    const sentAt = world.now;
    const written = await request(handle, signal);
    onWritten(sentAt);
    return written;
  };
  return {
    get: (signal) => request(() => server.lease, signal),
    create: (lease, signal) => write(() => server.create(lease), signal),
    update: (lease, signal) => write(() => server.update(lease), signal),
    changes: (signal) => watchOf(world, server, process, network, signal),
  };
}

/** Milliseconds of a process until a request fails; the elector's own timeout. */
const timeoutMs = 5_000;

function exchange<R>(
  world: World,
  process: SimulatedProcess,
  network: Network,
  handle: () => R,
  signal: AbortSignal,
): Promise<R> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const refuse = () => reject(new KubeError("ConnectionRefused", "no connection"));
    const fate = network.fate();
    if (fate === "refused") {
      world.after(1, () => process.run(refuse));
    } else if (fate === "arrives") {
      world.after(network.delayMs(), () => {
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
}

function withTimeout<R>(
  process: SimulatedProcess,
  answer: Promise<R>,
  signal: AbortSignal,
): Promise<R> {
  return new Promise((resolve, reject) => {
    const onAbort = () => settle(() => reject(signal.reason));
    const cancel = process.schedule(timeoutMs, () =>
      settle(() => reject(new KubeError("DeadlineExceeded", "no response"))),
    );
    const settle = (end: () => void) => {
      cancel();
      signal.removeEventListener("abort", onAbort);
      end();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    answer.then(
      (result) => settle(() => resolve(result)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}

/** Yields the state of the lease after each write, late, and not at all while the network is cut. */
async function* watchOf(
  world: World,
  server: LeaseServer,
  process: SimulatedProcess,
  network: Network,
  signal: AbortSignal,
): AsyncGenerator<WatchedObject<Lease>, void> {
  const arrived: WatchedObject<Lease>[] = [];
  let wake = () => {};
  const send = () => {
    const state = { object: server.lease, resourceVersion: server.revision };
    const arrive = () => {
      if (network.isCut) {
        // The connection breaks with the network; the next one begins with the newest state.
        world.after(network.cutUntil - world.now + network.delayMs(), send);
        return;
      }
      process.run(() => {
        arrived.push(state);
        wake();
      });
    };
    world.after(network.delayMs(), arrive);
  };
  const end = server.watch(send);
  const onAbort = () => wake();
  signal.addEventListener("abort", onAbort);
  send();
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
