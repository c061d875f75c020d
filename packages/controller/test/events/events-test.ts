import type { KubeObject, Live } from "@typekube/api";
import { ConfigMap, Event as CoreEvent } from "@typekube/api/core/v1";
import { Event } from "@typekube/api/events/v1";
import { type ApiServer, startApiServer, type VirtualClock } from "@typekube/apiserver";
import {
  type ClosableEventRecorder,
  createEventRecorder,
  type EventRecorderOptions,
} from "@typekube/controller";
import { seededRandom } from "@typekube/test-support/seeded-random";
import type { Client } from "typekube";
import type { LogEntry } from "../../src/log/log.js";

/** A recorder on an embedded API server with a virtual clock. */
export interface EventsTest extends AsyncDisposable {
  readonly api: ApiServer<VirtualClock>;
  readonly client: Client;
  readonly events: ClosableEventRecorder;
  readonly log: readonly LogEntry[];
  readonly drops: readonly string[];
  /** An object that exists. */
  readonly object: Live<KubeObject>;
  list(namespace?: string): Promise<Live<Event>[]>;
  listCore(namespace?: string): Promise<Live<CoreEvent>[]>;
  /** The writes of events so far: `create` or `patch`, and the API group. */
  writes(): string[];
  settled(): Promise<void>;
  advance(ms: number): Promise<void>;
}

/** Starts a recorder of the controller `shops` on the host `h1`. */
export async function eventsTest(options: Partial<EventRecorderOptions> = {}): Promise<EventsTest> {
  const api = await startApiServer({ clock: "virtual", seed: 1 });
  const client = await api.client();
  const log: LogEntry[] = [];
  const drops: string[] = [];
  const events = createEventRecorder({
    client,
    controller: "shops",
    host: "h1",
    random: seededRandom(1),
    log: (entry) => log.push(entry),
    onDrop: (reason) => drops.push(reason),
    ...options,
  });
  const object = await client
    .resource(ConfigMap, "default")
    .create({ metadata: { name: "tea" }, data: {} });
  return {
    api,
    client,
    events,
    log,
    drops,
    object,
    list: async (namespace = "default") =>
      (await client.resource(Event, namespace).list()).items as Live<Event>[],
    listCore: async (namespace = "default") =>
      (await client.resource(CoreEvent, namespace).list()).items as Live<CoreEvent>[],
    writes: () =>
      api.requests
        .filter(({ resource, verb }) => resource === "events" && verb !== "list")
        .map(({ verb, group }) => `${verb} ${group}`),
    settled: () => api.settled(),
    async advance(ms) {
      await api.clock.advance(ms);
      await api.settled();
    },
    async [Symbol.asyncDispose]() {
      await events.close({ timeoutMs: 0 });
      await client.close();
      await api.close();
    },
  };
}
