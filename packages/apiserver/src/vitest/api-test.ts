import type { Clock } from "@typekube/core/internal";
import type { Client } from "typekube";
import { afterAll, test as plain, type TestAPI } from "vitest";
import type { ApiServer, ApiServerOptions } from "../api-server.js";
import type { VirtualClock } from "../control/virtual-clock.js";
import { startApiServer } from "../start-api-server.js";
import { addRequestMatchers } from "./request-matchers.js";

/** What each test gets. */
export interface ApiFixtures<C extends Clock = Clock> {
  /** A server of its own, closed after the test. */
  readonly api: ApiServer<C>;
  /** A client of it, in the namespace `default`. */
  readonly client: Client;
}

/** How the servers of tests begin. */
export interface ApiTestOptions extends ApiServerOptions {
  /** Fills the server that all others are forks of. Runs once for each call of {@link apiTest}, before its first test. */
  readonly prepare?: ((api: ApiServer) => unknown) | undefined;
}

/**
 * Makes a `test` whose tests have a server each: a fork of one that was prepared once. Adds the matchers for requests.
 *
 * @example
 * const test = apiTest({ clock: "virtual", load: { path: "manifests/" } });
 * test("creates a pod", async ({ api, client, expect }) => { ... });
 */
export function apiTest(
  options: ApiTestOptions & { readonly clock: "virtual" },
): TestAPI<ApiFixtures<VirtualClock>>;
export function apiTest<C extends Clock>(
  options: ApiTestOptions & { readonly clock: C },
): TestAPI<ApiFixtures<C>>;
export function apiTest(options?: ApiTestOptions): TestAPI<ApiFixtures>;
export function apiTest({ prepare, ...options }: ApiTestOptions = {}): unknown {
  addRequestMatchers();
  let prepared: Promise<ApiServer> | undefined;
  const begin = async () => {
    const api = await startApiServer(options);
    await prepare?.(api);
    await api.settled();
    return api;
  };
  afterAll(async () => {
    await (await prepared)?.close();
  });
  return plain.extend<ApiFixtures>({
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs.
    api: async ({}, use) => {
      prepared ??= begin();
      await using api = (await prepared).fork();
      await use(api);
    },
    client: async ({ api }, use) => {
      await using client = await api.client({ namespace: "default" });
      await use(client);
    },
  });
}
