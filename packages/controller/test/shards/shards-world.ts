import { Lease } from "@typekube/api/coordination/v1";
import { ConfigMap } from "@typekube/api/core/v1";
import {
  type ApiServer,
  type ApiServerOptions,
  startApiServer,
  type VirtualClock,
} from "@typekube/apiserver";
import {
  type Controller,
  defineController,
  type Manager,
  type ManagerOptions,
} from "@typekube/controller";
import { type LoopObserver, startObservedManager } from "@typekube/controller/internal";
import { KubeError } from "@typekube/core";
import type { HttpSend } from "@typekube/core/internal";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { type Client, connect } from "typekube";
import type { LogEntry } from "../../src/log/log.js";

/** A run of a replica. */
export interface ReplicaRun {
  readonly replica: string;
  readonly key: string;
  readonly uid: string;
  readonly atMs: number;
  endMs: number | undefined;
}

/** A replica: a manager with a client of its own. */
export interface Replica {
  readonly identity: string;
  readonly manager: Manager;
  readonly client: Client;
  readonly log: LogEntry[];
  /** Paths of its requests, with their times. */
  readonly requests: { readonly path: string; readonly atMs: number }[];
  /** Bytes of the objects that it has received. */
  readonly received: { bytes: number };
  /** Ends its connections and refuses others, as a partition of the network does, or the end of the process. */
  cut(): void;
  /** Ends the partition. */
  heal(): void;
}

/** An embedded server with replicas on a virtual clock. */
export interface ShardsWorld extends AsyncDisposable {
  readonly api: ApiServer<VirtualClock>;
  readonly client: Client;
  readonly runs: ReplicaRun[];
  /** Priorities of the runs. */
  readonly priorities: {
    readonly replica: string;
    readonly key: string;
    readonly priority: number;
  }[];
  readonly replicas: Replica[];
  start(identity: string, options?: ReplicaOptions): Promise<Replica>;
  /** Creates config maps in the namespace `default`. */
  create(count: number, prefix?: string): Promise<void>;
  advance(ms: number): Promise<void>;
  /** Names of the shards' Leases by holder. */
  holders(): Promise<Record<string, number[]>>;
}

/** Options of a replica. */
export interface ReplicaOptions extends Omit<ManagerOptions, "controllers" | "shards"> {
  readonly shards?: ManagerOptions["shards"];
  readonly reconcile?: (name: string, signal: AbortSignal) => unknown;
  readonly controller?: Controller;
}

/** Returns a way to the server that a test can cut. */
function cuttableLine(api: ApiServer<VirtualClock>) {
  const requests: { path: string; atMs: number }[] = [];
  let isCut = new AbortController();
  const refused = () => new KubeError("ConnectionRefused", "the network is cut");
  const send: HttpSend = async (request) => {
    isCut.signal.throwIfAborted();
    requests.push({ path: request.path, atMs: api.clock.now() });
    const signals = [isCut.signal, ...(request.signal ? [request.signal] : [])];
    const response = await api.send({ ...request, signal: AbortSignal.any(signals) });
    return request.path.startsWith("/api/v1/configmaps")
      ? { ...response, body: counted(response.body) }
      : response;
  };
  const received = { bytes: 0 };
  async function* counted(body: AsyncIterable<Uint8Array>) {
    for await (const chunk of body) {
      received.bytes += chunk.length;
      yield chunk;
    }
  }
  return {
    requests,
    received,
    send,
    cut: () => isCut.abort(refused()),
    heal() {
      isCut = new AbortController();
    },
  };
}

let loading: Promise<void> | undefined;

/** Starts the server. */
export async function shardsWorld(options: ApiServerOptions = {}): Promise<ShardsWorld> {
  loading ??= loadCode();
  await loading;
  return newWorld(options);
}

/** Loads what replicas need, by letting one run: that takes real time, for which virtual time would not wait. */
async function loadCode(): Promise<void> {
  await using w = await newWorld({});
  await w.create(1);
  const { manager } = await w.start("first");
  while (manager.shards.length < 12 || w.runs.length === 0) {
    await w.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function newWorld(options: ApiServerOptions): Promise<ShardsWorld> {
  const api = await startApiServer({ seed: 1, ...options, clock: "virtual" });
  const client = await api.client();
  const runs: ReplicaRun[] = [];
  const priorities: { replica: string; key: string; priority: number }[] = [];
  const replicas: Replica[] = [];
  const clients: Client[] = [client];
  return {
    api,
    client,
    runs,
    priorities,
    replicas,
    async start(identity, { shards, reconcile = () => {}, controller, ...more } = {}) {
      const line = cuttableLine(api);
      const own = await connect({ transport: { ...api, send: line.send }, clock: api.clock });
      clients.push(own);
      const log: LogEntry[] = [];
      const record = defineController(ConfigMap, {
        name: "configmap",
        when: ({ metadata }) => metadata.namespace === "default",
        async reconcile(object, run) {
          if (run.namespace !== "default") {
            return undefined;
          }
          const begun: ReplicaRun = {
            replica: identity,
            key: run.key,
            uid: object.metadata.uid,
            atMs: api.clock.now(),
            endMs: undefined,
          };
          runs.push(begun);
          try {
            return (await reconcile(run.name, run.signal)) as undefined;
          } finally {
            begun.endMs = api.clock.now();
          }
        },
      });
      const observer: LoopObserver = {
        runStarted: ({ key, priority }) => priorities.push({ replica: identity, key, priority }),
      };
      const managing = {
        controllers: [controller ?? record],
        shards: shards ?? { count: 12, name: "op", namespace: "default", identity },
        log: (entry: LogEntry) => log.push(entry),
        random: seededRandom(replicas.length),
        ...more,
      };
      const manager = await startObservedManager(own, managing, [observer]);
      const replica = {
        identity,
        manager,
        client: own,
        log,
        ...line,
      };
      replicas.push(replica);
      return replica;
    },
    async create(count, prefix = "c") {
      for (let n = 0; n < count; n += 1) {
        await client.resource(ConfigMap, "default").create({ metadata: { name: `${prefix}${n}` } });
      }
    },
    async advance(ms) {
      await api.clock.advance(ms);
      await api.settled();
    },
    async holders() {
      const { items } = await client.resource(Lease, "default").list();
      const held: Record<string, number[]> = {};
      for (const { metadata, spec } of items) {
        const shard = /-shard-(\d+)$/.exec(metadata.name)?.[1];
        if (shard !== undefined) {
          const holder = spec?.holderIdentity ?? "";
          held[holder] = [...(held[holder] ?? []), Number(shard)];
        }
      }
      for (const shards of Object.values(held)) {
        shards.sort((a, b) => a - b);
      }
      return held;
    },
    async [Symbol.asyncDispose]() {
      const stopped = replicas.map(({ manager }) => manager.stop().catch(() => {}));
      await api.clock.advance(60_000);
      await Promise.all(stopped);
      await Promise.all(clients.map((one) => one.close()));
      await api.close();
    },
  };
}
