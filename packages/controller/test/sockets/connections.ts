import { type ApiServer, startApiServer } from "@typekube/apiserver";
import {
  type Controller,
  type Manager,
  type ManagerOptions,
  startManager,
} from "@typekube/controller";
import { type Client, connect } from "typekube";
import { shopDefinition } from "../shop.js";

/** Ways of a program to an embedded server. */
export const connections = ["in process", "over HTTP", "over HTTPS"] as const;

export type Connection = (typeof connections)[number];

/** A server on the real clock, and programs that reach it in one way. */
export interface Cluster extends AsyncDisposable {
  readonly api: ApiServer;
  readonly client: Client;
  /** Errors and warnings of the managers. */
  readonly complaints: string[];
  /** Starts a manager with a client of its own. */
  start(controllers: Controller, options?: Omit<ManagerOptions, "controllers">): Promise<Manager>;
}

/** Starts a server that has the kind Shop. */
export async function clusterReached(connection: Connection): Promise<Cluster> {
  const api = await startApiServer({
    load: [shopDefinition] as never,
    controllers: { garbageCollection: true },
  });
  const options =
    connection === "in process"
      ? { transport: api }
      : connection === "over HTTPS"
        ? (await api.listen()).connectOptions()
        : { server: (await api.listen({ tls: false, anonymous: true })).server };
  const client = await connect(options);
  const clients = [client];
  const managers: Manager[] = [];
  const complaints: string[] = [];
  return {
    api,
    client,
    complaints,
    async start(controllers, more = {}) {
      const own = await connect(options);
      clients.push(own);
      const manager = await startManager(own, {
        controllers: [controllers],
        log({ level, message }) {
          if (level === "error" || level === "warn") {
            complaints.push(message);
          }
        },
        ...more,
      });
      managers.push(manager);
      return manager;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(managers.map((manager) => manager.stop()));
      await Promise.all(clients.map((one) => one.close()));
      await api.close();
    },
  };
}
