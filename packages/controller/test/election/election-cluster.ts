import { Lease } from "@typekube/api/coordination/v1";
import {
  type ApiServer,
  type ApiServerOptions,
  startApiServer,
  type VirtualClock,
} from "@typekube/apiserver";
import type { KubeError } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";
import type { Client } from "typekube";
import { type Elector, type ElectorOptions, startElector } from "../../src/index.js";

/** Name and namespace of the lease in tests. */
export const lease = { name: "shop", namespace: "default" } as const;

/** An embedded server on a virtual clock, and the candidates of an election. */
export interface ElectionCluster extends AsyncDisposable {
  readonly api: ApiServer<VirtualClock>;
  readonly admin: Client;
  /** Errors that electors reported. */
  readonly errors: KubeError[];
  /** Starts a candidate as a user of that name, with a client of its own. */
  join(identity: string, options?: Partial<ElectorOptions>): Promise<Elector>;
  /** Advances the clock, and waits until the server is idle. */
  advance(ms: number): Promise<void>;
  /** Reads the lease's spec. */
  spec(): Promise<NonNullable<Lease["spec"]> | undefined>;
  /** Verbs of requests for the lease by a user, except watches and lists. */
  verbs(user: string): string[];
}

/** A clock beside the server's, whose time of day a test can set. */
export interface SettableClock extends Clock {
  jump(ms: number): void;
}

/** Returns a clock that runs with the server's. */
export function settableClock(clock: Clock): SettableClock {
  let jumped = 0;
  return {
    now: () => clock.now() + jumped,
    monotonic: () => clock.now(),
    schedule: (delayMs, callback) => clock.schedule(delayMs, callback),
    jump(ms) {
      jumped += ms;
    },
  };
}

/** Starts the server. */
export async function electionCluster(
  options: Pick<ApiServerOptions, "featureGates" | "runtimeConfig"> = {},
): Promise<ElectionCluster> {
  const api = await startApiServer({ clock: "virtual", ...options });
  const admin = await api.client();
  const errors: KubeError[] = [];
  const electors: Elector[] = [];
  const clients: Client[] = [admin];
  return {
    api,
    admin,
    errors,
    async join(identity, options = {}) {
      const client = await api.client({ as: { name: identity, groups: ["system:masters"] } });
      clients.push(client);
      const elector = await startElector(client, {
        ...lease,
        identity,
        random: () => 0.5,
        onError: (error) => errors.push(error),
        ...options,
      });
      electors.push(elector);
      await api.settled();
      return elector;
    },
    async advance(ms) {
      await api.clock.advance(ms);
      await api.settled();
    },
    spec: async () => (await admin.resource(Lease, lease.namespace).find(lease.name))?.spec,
    verbs: (user) =>
      api.requests
        .filter((request) => request.user === user && request.resource === "leases")
        .map(({ verb }) => verb)
        .filter((verb) => verb !== "watch" && verb !== "list"),
    async [Symbol.asyncDispose]() {
      await Promise.all(electors.map((elector) => elector.close({ release: false })));
      await Promise.all(clients.map((client) => client.close()));
      await api.close();
    },
  };
}
