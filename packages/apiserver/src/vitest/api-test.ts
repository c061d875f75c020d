import type { Clock } from "@typekube/core/internal";
import type { Client } from "typekube";
import { afterAll, test as plain, type TestAPI } from "vitest";
import type { ApiServer } from "../api-server/api-server.js";
import { startApiServer } from "../api-server/start-api-server.js";
import type { ApiServerOptions } from "../server/api-server-options.js";
import type { VirtualClock } from "../time/virtual-clock.js";
import { addManifestMatcher } from "./manifest-matcher.js";
import { addRequestMatchers } from "./request-matchers.js";

/** Fixtures of each test. */
export interface ApiFixtures<C extends Clock = Clock> {
  /** The test's own server, closed after the test. */
  readonly api: ApiServer<C>;
  /** A client of the server, in the namespace `default`. */
  readonly client: Client;
}

/** Options of the test servers. */
export interface ApiTestOptions extends ApiServerOptions {
  /**
   * Prepares the server from which all test servers are forked. Runs once for each call of {@link apiTest}, before its
   * first test.
   */
  readonly prepare?: ((api: ApiServer) => unknown) | undefined;
}

/**
 * Creates a `test` function that gives each test its own server, forked from one that is prepared once. Adds the
 * request matchers.
 *
 * @example
 * ```ts
 * const test = apiTest({ clock: "virtual", load: { path: "manifests/" } });
 * test("a new server has no pods", async ({ client, expect }) => {
 *   expect((await client.resource(Pod).list()).items).toEqual([]);
 * });
 * ```
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
  addManifestMatcher();
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
    // biome-ignore lint/correctness/noEmptyPattern: vitest derives the fixture's dependencies from the pattern.
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
