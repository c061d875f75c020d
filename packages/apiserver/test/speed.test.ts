import {
  call,
  configMaps,
  createConfigMaps,
  type Json,
  pods,
} from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

const pod = (at: number) => ({
  metadata: { name: `p-${String(at).padStart(6, "0")}`, namespace: "default", uid: `u-${at}` },
  apiVersion: "v1",
  kind: "Pod",
  spec: { containers: [{ name: "c", image: "i" }] },
});

test("ES28: lists, pages and watches a hundred thousand pods; a fork copies none of them", async () => {
  const count = 100_000;
  await using api = await startApiServer({
    load: Array.from({ length: count }, (_, at) => pod(at)),
  });
  const whole = await call(api, "GET", `${pods}?resourceVersion=0`);
  expect(whole.body.items).toHaveLength(count);
  const page = await call(api, "GET", `${pods}?limit=500`);
  expect([page.body.items.length, page.body.metadata.remainingItemCount]).toEqual([
    500,
    count - 500,
  ]);
  const next = await call(api, "GET", `${pods}?limit=500&continue=${page.body.metadata.continue}`);
  expect(next.body.items[0].metadata.name).toBe("p-000500");
  await using fork = api.fork();
  await call(fork, "DELETE", `${pods}/p-050000?gracePeriodSeconds=0`);
  expect((await call(fork, "GET", `${pods}/p-050000`)).status).toBe(404);
  expect((await call(api, "GET", `${pods}/p-050000`)).status).toBe(200);
  const { body } = await api.send({
    method: "GET",
    path: `${pods}?watch=1&resourceVersion=0&allowWatchBookmarks=true`,
    headers: {},
    mode: "stream",
  });
  let seen = 0;
  for await (const chunk of body) {
    for (const byte of chunk) {
      seen += byte === 0x0a ? 1 : 0;
    }
    if (seen > count) {
      break;
    }
  }
  expect(seen).toBe(count + 1);
});

describe("HLT7: shutting down", () => {
  const ready = async (api: Parameters<typeof call>[0], path = "/readyz") => {
    const { status, text } = await call(api, "GET", path);
    return [status, text] as const;
  };

  test("HLT7: readiness fails first while requests and watches continue; then watches end, then the server", async () => {
    const api = await startApiServer({ clock: "virtual" });
    expect((await ready(api))[0]).toBe(200);
    const watching = api.send({
      method: "GET",
      path: `${configMaps}?watch=1`,
      headers: {},
      mode: "stream",
    });
    const events: string[] = [];
    const reading = watching.then(async ({ body }) => {
      for await (const chunk of body) {
        events.push(...Buffer.from(chunk).toString().trim().split("\n"));
      }
    });
    const closing = api.close({ delayMs: 10_000 });
    await api.clock.advance(5_000);
    const [status, text] = await ready(api);
    expect([status, text.split("\n").slice(-3)]).toEqual([
      500,
      ["[-]shutdown failed: reason withheld", "readyz check failed", ""],
    ]);
    expect((await ready(api, "/readyz/shutdown"))[0]).toBe(500);
    expect((await ready(api, "/livez"))[0]).toBe(200);
    expect(await ready(api, "/readyz?exclude=shutdown")).toEqual([200, "ok"]);
    expect(await ready(api, "/readyz/ping")).toEqual([200, "ok"]);
    await createConfigMaps(api, "late");
    await api.settled();
    expect(events.map((line) => JSON.parse(line).object.metadata.name)).toEqual(["late"]);
    await api.clock.advance(5_000);
    await closing;
    await reading;
    await expect(call(api, "GET", configMaps)).rejects.toMatchObject({ code: "ConnectionClosed" });
  });

  test("HLT7: over sockets, watches end properly and responses are completed", async () => {
    const api = await startApiServer({ clock: "virtual" });
    const listener = await api.listen({ tls: false, anonymous: true });
    const response = await fetch(`${listener.server}${configMaps}?watch=1`);
    const reading = response.text();
    await createConfigMaps(api, "a");
    const closing = api.close({ delayMs: 1_000 });
    await api.clock.advance(1_000);
    await closing;
    const [line = ""] = (await reading).split("\n");
    const event: Json = JSON.parse(line);
    expect([event.type, event.object.metadata.name]).toEqual(["ADDED", "a"]);
    await expect(fetch(`${listener.server}/version`)).rejects.toThrow();
  });
});
