import nodeHttp from "node:http";
import { createRequire } from "node:module";
import { configMaps, createConfigMaps, type Json } from "@typekube/test-support/api-calls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";
import { apiHandlers, type MswHttp } from "../src/msw/index.js";

const api = await startApiServer();
const server = "http://cluster.test/proxy";
// Loaded without its types, which need those of a browser.
const require = createRequire(import.meta.url);
const { http }: { http: MswHttp<object> } = require("msw");
const { setupServer }: { setupServer(...handlers: object[]): Worker } = require("msw/node");
const worker = setupServer(...apiHandlers(http, api, { server }));

interface Worker {
  listen(options: { onUnhandledRequest: "error" }): void;
  close(): void;
}

beforeAll(() => worker.listen({ onUnhandledRequest: "error" }));
afterAll(async () => {
  worker.close();
  await api.close();
});

test("ES3: a program that is unaware of it writes and reads with fetch", async () => {
  const created = await fetch(`${server}${configMaps}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ metadata: { name: "a" }, data: { key: "value" } }),
  });
  expect(created.status).toBe(201);
  const again = await fetch(`${server}${configMaps}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ metadata: { name: "a" } }),
  });
  expect([again.status, ((await again.json()) as Json).reason]).toEqual([409, "AlreadyExists"]);
  const list = await fetch(`${server}${configMaps}?limit=1`);
  expect(((await list.json()) as Json).items[0].data).toEqual({ key: "value" });
});

test("ES3: a watch arrives event by event, and ends when its reader cancels", async () => {
  const path = `${configMaps}?watch=1&resourceVersion=${api.resourceVersion}`;
  const abort = new AbortController();
  const response = await fetch(`${server}${path}`, { signal: abort.signal });
  const reader = response.body?.getReader();
  await createConfigMaps(api, "b");
  const { value } = (await reader?.read()) ?? {};
  expect(JSON.parse(Buffer.from(value ?? []).toString())).toMatchObject({
    type: "ADDED",
    object: { metadata: { name: "b" } },
  });
  abort.abort();
  await expect.poll(() => api.openWatches).toBe(0);
});

test("ES3: intercepts node:http too; a reset is an error there", async () => {
  const status = await new Promise((resolve, reject) => {
    nodeHttp
      .get(`${server}/version`, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
      .on("error", reject);
  });
  expect(status).toBe(200);
  api.fault({ reset: true });
  await expect(fetch(`${server}/version`)).rejects.toThrow();
});
