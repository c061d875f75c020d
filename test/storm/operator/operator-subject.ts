import { type JournalEntry, startApiServer } from "@typekube/apiserver";
import { codecs, type HttpSend, intercept } from "@typekube/core/internal";
import { randomFrom } from "@typekube/test-support/mixed-random";
import { retry } from "@typekube/transport/internal";
import { type ChangeHandler, type Client, connect } from "typekube";
import { ConfigMap, Secret } from "typekube/api/core/v1";
import { type Controller, type Manager, startManager } from "typekube/controller";
import { shopDefinition } from "../../../packages/controller/test/shop.js";
import { jumpingClock } from "../clocks.js";
import type { Weather } from "../faults/fault.js";
import { FaultLayer } from "../faults/fault-layer.js";
import { StaleServer } from "../faults/stale-server.js";
import { Tally } from "../faults/tally.js";
import type { Disaster } from "../storm-plan.js";

/** Number of events in the server's history: few, so that the resourceVersion of a slow reader expires. */
const historyLimit = 500;

/** An operator and its server on a virtual clock, with faults between them. */
export interface OperatorSubject extends AsyncDisposable {
  /** Client without faults. */
  readonly writer: Client;
  readonly manager: Manager;
  readonly weather: Weather;
  readonly struck: Tally;
  /** Writes of the operator that reached the server. */
  readonly writes: Tally;
  /** Children that were created while their owner had one of that kind. */
  readonly twice: string[];
  /** Names of the log's errors. */
  readonly errors: Tally;
  disaster(disaster: Disaster): void;
  pass(ms: number): Promise<void>;
  readonly timers: number;
  tidy(): void;
}

/** Returns a handler that finds two children of one kind and owner. */
function watchForTwins(twice: string[]): ChangeHandler {
  const living = new Map<string, Set<string>>();
  return {
    add({ kind, metadata }) {
      for (const { uid, name } of metadata.ownerReferences ?? []) {
        const siblings = living.get(uid) ?? new Set();
        living.set(uid, siblings.add(metadata.name));
        if (siblings.size > 1) {
          twice.push(
            `${name} has several children of the kind ${kind}: ${[...siblings].join(", ")}`,
          );
        }
      }
    },
    delete({ metadata }) {
      for (const { uid } of metadata.ownerReferences ?? []) {
        living.get(uid)?.delete(metadata.name);
      }
    },
  };
}

/** Starts an operator on the embedded server. */
export async function operatorSubject(
  seed: number,
  controller: Controller,
): Promise<OperatorSubject> {
  // Loading on demand takes real time, which would change the storm.
  await Promise.all([codecs.protobuf, codecs.cbor].map((codec) => codec.prepare?.()));
  const api = await startApiServer({
    clock: "virtual",
    seed,
    historyLimit,
    load: [shopDefinition] as never,
    controllers: { garbageCollection: true },
  });
  const struck = new Tally();
  const requests = new Tally();
  const writes = new Tally();
  const errors = new Tally();
  const twice: string[] = [];
  const counted: HttpSend = async (request) => {
    const response = await api.send(request);
    const [path = ""] = request.path.split("?");
    if (request.method !== "GET" && path.startsWith("/api")) {
      writes.add(request.method);
    }
    return response;
  };
  const stale = new StaleServer({ struck, requests });
  const layer = new FaultLayer(counted, { clock: api.clock, struck, requests });
  const random = randomFrom(seed);
  const attempts = retry({ maxRetries: 2, timeoutMs: 300_000, clock: api.clock, random });
  const send = intercept(layer.send, [(next) => stale.wrap(next), attempts]);
  const clock = jumpingClock(api.clock, true);
  const client = await connect({ transport: { ...api, send }, clock });
  const writer = await connect({ transport: api, clock: api.clock });
  const children = [
    writer.informer(ConfigMap, { namespace: "storm" }),
    writer.informer(Secret, { namespace: "storm" }),
  ];
  for (const informer of children) {
    informer.onChange(watchForTwins(twice));
  }
  const manager = await startManager(client, {
    controllers: [controller],
    random: randomFrom(seed),
    log: ({ level, error }) => {
      if (level === "error") {
        errors.add((error as { code?: string } | undefined)?.code ?? String(error));
      }
    },
  });
  return {
    writer,
    manager,
    weather: stale.under(layer),
    struck,
    writes,
    twice,
    errors,
    disaster(disaster) {
      struck.add(disaster.kind);
      switch (disaster.kind) {
        case "compaction":
          api.dropWatches();
          api.compact();
          break;
        case "crash":
          api.dropWatches();
          layer.refuse(disaster.refused, "ConnectionRefused");
          break;
        case "certificate-swap":
          layer.refuse(disaster.refused, "Tls");
          break;
        case "clock-jump":
          clock.jump(disaster.ms);
          break;
        default:
          disaster satisfies never;
      }
    },
    pass: (ms) => api.clock.advance(ms),
    get timers() {
      return api.clock.pending;
    },
    tidy() {
      (api.requests as JournalEntry[]).length = 0;
    },
    async [Symbol.asyncDispose]() {
      const stopped = manager.stop().catch(() => {});
      await api.clock.advance(60_000);
      await stopped;
      await Promise.all(children.map((informer) => informer.close()));
      await client.close();
      await writer.close();
      await api.close();
    },
  };
}
