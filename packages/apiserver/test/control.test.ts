import { request } from "node:http";
import { call, configMaps, createConfigMaps, watch } from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { createVirtualClock, startApiServer } from "../src/index.js";

describe("faults", () => {
  test("ES25: a status fault strikes matching requests `times` times, after `skip` requests", async () => {
    await using api = await startApiServer();
    const fault = api.fault({
      verb: "list",
      resource: "configmaps",
      status: 429,
      retryAfterSeconds: 2,
      times: 2,
      skip: 1,
    });
    const statuses: number[] = [];
    for (let at = 0; at < 4; at++) {
      statuses.push((await call(api, "GET", configMaps)).status);
      expect((await call(api, "GET", "/api/v1/secrets")).status).toBe(200);
    }
    expect([statuses, fault.count]).toEqual([[200, 429, 429, 200], 2]);
  });

  test("ES25: an error response carries reason, message and Retry-After", async () => {
    await using api = await startApiServer();
    api.fault({ status: 503, message: "not now", retryAfterSeconds: 7 });
    const { headers, body } = await call(api, "GET", configMaps);
    expect(headers["retry-after"]).toBe("7");
    expect(body).toMatchObject({
      reason: "ServiceUnavailable",
      message: "not now",
      details: { retryAfterSeconds: 7 },
    });
  });

  test("ES25: resets, cuts a body and sends an ERROR event in a watch", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    api.fault({ reset: true });
    await expect(call(api, "GET", configMaps)).rejects.toMatchObject({ code: "ConnectionReset" });
    api.fault({ cutAfterBytes: 10 });
    await expect(call(api, "GET", configMaps)).rejects.toMatchObject({ code: "ConnectionReset" });
    api.fault({ verb: "watch", eventError: { code: 410, reason: "Expired", message: "gone" } });
    const events = await watch(api, `${configMaps}?watch=1`);
    expect(await events.take(1)).toEqual(["ADDED a"]);
    expect((await events.next()).object).toMatchObject({
      code: 410,
      reason: "Expired",
      message: "gone",
    });
    expect(await events.next()).toBeUndefined();
  });

  test("ES25: a hanging request ends with its signal", async () => {
    await using api = await startApiServer();
    api.fault({ hang: true });
    const abort = new AbortController();
    const responding = api.send({
      method: "GET",
      path: configMaps,
      headers: {},
      mode: "call",
      signal: abort.signal,
    });
    abort.abort(new Error("enough"));
    await expect(responding).rejects.toThrow("enough");
  });

  test("a removed fault does not strike", async () => {
    await using api = await startApiServer();
    api.fault({ status: 500, times: 9 }).remove();
    expect((await call(api, "GET", configMaps)).status).toBe(200);
  });
});

test("ES26: the journal records every request", async () => {
  await using api = await startApiServer();
  await createConfigMaps(api, "a");
  await call(api, "GET", `${configMaps}/a`, undefined, { accept: "application/yaml" });
  await call(api, "GET", "/version");
  expect(
    api.requests.map(({ verb, resource, name, status, encoding }) => [
      verb,
      resource,
      name,
      status,
      encoding,
    ]),
  ).toEqual([
    ["create", "configmaps", undefined, 201, "json"],
    ["get", "configmaps", "a", 200, "yaml"],
    ["get", undefined, undefined, 200, "json"],
  ]);
});

describe("the virtual clock", () => {
  test("ES23: timers fire at their times, in order, including timers that they schedule", async () => {
    const clock = createVirtualClock(0);
    const log: string[] = [];
    clock.schedule(20, () => log.push(`b ${clock.now()}`));
    clock.schedule(10, () => {
      log.push(`a ${clock.now()}`);
      void Promise.resolve().then(() => clock.schedule(5, () => log.push(`c ${clock.now()}`)));
    });
    clock.schedule(10, () => log.push("never"))();
    await clock.advance(20);
    expect([log, clock.now(), clock.pending]).toEqual([["a 10", "c 15", "b 20"], 20, 0]);
  });
});

describe("the listener", () => {
  test("ES19: serves the same handler over HTTP/1.1, with gzip for large responses", async () => {
    await using api = await startApiServer();
    const { server: url } = await api.listen({ tls: false, anonymous: true });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await call(api, "POST", configMaps, {
      metadata: { name: "a" },
      data: { x: "y".repeat(200_000) },
    });
    const plain = await fetch(`${url}${configMaps}/a`, {
      headers: { "accept-encoding": "identity" },
    });
    const zipped = await fetch(`${url}${configMaps}/a`);
    expect([plain.headers.get("content-encoding"), zipped.headers.get("content-encoding")]).toEqual(
      [null, "gzip"],
    );
    expect(await zipped.json()).toEqual(await plain.json());
  });

  test("a watch sends its headers and each event immediately; a client's disconnect frees it", async () => {
    await using api = await startApiServer();
    const { server: url } = await api.listen({ tls: false, anonymous: true });
    const abort = new AbortController();
    const response = await fetch(
      `${url}${configMaps}?watch=1&resourceVersion=${api.resourceVersion}`,
      { signal: abort.signal },
    );
    expect([response.status, api.openWatches]).toEqual([200, 1]);
    await createConfigMaps(api, "a");
    const { value } = (await response.body?.getReader().read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toMatch(/^{"type":"ADDED".*}\n$/);
    abort.abort();
    const gone = new Promise<void>((resolve) => {
      const look = () => (api.openWatches === 0 ? resolve() : setImmediate(look));
      look();
    });
    await gone;
  });

  test("ES25: a reset and a cut response break the connection", async () => {
    await using api = await startApiServer();
    const { server: url } = await api.listen({ tls: false, anonymous: true });
    api.fault({ reset: true });
    await expect(fetch(`${url}/version`)).rejects.toThrow();
    api.fault({ cutAfterBytes: 5 });
    await expect(fetch(`${url}/version`).then((response) => response.text())).rejects.toThrow();
  });

  test("ES18: a body over 3 MiB is 413 on the listener too", async () => {
    await using api = await startApiServer();
    const { server: url } = await api.listen({ tls: false, anonymous: true });
    const status = await new Promise((resolve, reject) => {
      const outgoing = request(
        `${url}${configMaps}`,
        { method: "POST", headers: { "content-type": "application/json" } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      outgoing.on("error", reject);
      outgoing.end(Buffer.alloc(4 * 1024 * 1024, " "));
    });
    expect(status).toBe(413);
  });

  test("closing ends open connections, and is idempotent", async () => {
    const api = await startApiServer();
    const { server: url } = await api.listen({ tls: false, anonymous: true });
    const response = await fetch(`${url}${configMaps}?watch=1`);
    const reading = response.text().catch(() => "broken");
    await api.close();
    await api.close();
    await reading;
    await expect(fetch(`${url}/version`)).rejects.toThrow();
  });
});

test("start-up and throughput, logged but not asserted", async () => {
  const begun = performance.now();
  await using api = await startApiServer();
  const started = performance.now();
  for (let at = 0; at < 2_000; at++) {
    await call(api, "POST", configMaps, { metadata: { name: `c-${at}` } });
  }
  const created = performance.now();
  console.info(
    `start ${(started - begun).toFixed(1)} ms, ${Math.round(2_000_000 / (created - started))} creates/s`,
  );
  expect((await call(api, "GET", configMaps)).body.items).toHaveLength(2_000);
});
