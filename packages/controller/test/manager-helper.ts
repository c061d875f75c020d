import { type ApiServer, startApiServer, type VirtualClock } from "@typekube/apiserver";
import {
  type Controller,
  type Manager,
  type ManagerOptions,
  startManager,
} from "@typekube/controller";
import type { Client } from "typekube";
import type { LogEntry } from "../src/log/log.js";
import { shopDefinition } from "./shop.js";

/** A manager on an embedded server, both on one virtual clock. */
export interface World extends AsyncDisposable {
  readonly api: ApiServer<VirtualClock>;
  readonly client: Client;
  readonly manager: Manager;
  readonly log: readonly LogEntry[];
  /** Waits until nothing is going on. */
  settled(): Promise<void>;
  advance(ms: number): Promise<void>;
}

/** Starts a server with the definition of Shop, and a manager. Jitter is 0. */
export async function startWorld(
  controllers: readonly Controller<never>[] | readonly Controller[],
  options: Omit<ManagerOptions, "controllers"> = {},
  before: (client: Client) => Promise<unknown> = async () => {},
): Promise<World> {
  const api = await startApiServer({ clock: "virtual", seed: 1 });
  const client = await api.client();
  await api.load([shopDefinition]);
  await before(client);
  const log: LogEntry[] = [];
  const manager = await startManager(client, {
    controllers: controllers as readonly Controller[],
    log: (entry) => log.push(entry),
    random: () => 0,
    ...options,
  });
  const settled = () => api.settled();
  return {
    api,
    client,
    manager,
    log,
    settled,
    async advance(ms) {
      await api.clock.advance(ms);
      await settled();
    },
    async [Symbol.asyncDispose]() {
      await manager.stop();
      await client.close();
      await api.close();
    },
  };
}
