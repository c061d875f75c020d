import { ConfigMap } from "@typekube/api/core/v1";
import type { KubeError } from "@typekube/core";
import { intercept } from "@typekube/core/internal";
import { call, configMaps, createConfigMaps, watch } from "@typekube/test-support/api-calls";
import { retry } from "@typekube/transport/internal";
import { connect } from "typekube";
import { describe, expect, test } from "vitest";
import {
  type ApiServer,
  crashBetweenWrites,
  missedEvent,
  staleRead,
  startApiServer,
  type VirtualClock,
} from "../src/index.js";

/** Starts a server on a virtual clock, a client, and a synced informer. */
async function setUp(options: { readonly streamingList?: boolean } = {}) {
  const api = await startApiServer({ clock: "virtual" });
  const client = await api.client({ namespace: "default" });
  await createConfigMaps(api, "first");
  const maps = client.informer(ConfigMap, { ...options, namespace: "default" });
  await maps.synced();
  return {
    api,
    client,
    maps,
    names: () => maps.list().map(({ metadata }) => metadata.name),
    [Symbol.asyncDispose]: async () => {
      await maps.close();
      await client.close();
      await api.close();
    },
  };
}

/** Lets enough time pass for informers to recover. */
async function heal(api: ApiServer<VirtualClock>): Promise<void> {
  await api.clock.advance(180_000);
  await api.settled();
}

describe("faults of watches, and the recovery of an informer", () => {
  test("ES25: the next list contains the object of a dropped event", async () => {
    await using one = await setUp();
    one.api.fault({ event: "drop", eventType: "ADDED", name: "lost" });
    await createConfigMaps(one.api, "lost", "seen");
    await one.api.settled();
    expect(one.names()).toEqual(["first", "seen"]);
    await call(one.api, "POST", "/api/v1/namespaces", { metadata: { name: "later" } });
    one.api.compact();
    one.api.dropWatches();
    await heal(one.api);
    expect(one.names().sort()).toEqual(["first", "lost", "seen"]);
  });

  test("ES25: a duplicated event is delivered once", async () => {
    await using one = await setUp();
    const added: string[] = [];
    one.maps.onChange({ add: ({ metadata }) => added.push(metadata.name) });
    const fault = one.api.fault({ event: "duplicate", times: 2 });
    await createConfigMaps(one.api, "a", "b");
    await one.api.settled();
    expect([added.sort(), fault.count]).toEqual([["a", "b", "first"], 2]);
  });

  test("ES25: half a frame breaks the watch, and no event is lost", async () => {
    await using one = await setUp();
    const fault = one.api.fault({ event: "half", name: "broken" });
    await createConfigMaps(one.api, "whole", "broken", "after");
    await heal(one.api);
    expect(fault.count).toBe(1);
    expect(one.names().sort()).toEqual(["after", "broken", "first", "whole"]);
  });

  test("ES25: repeated 410 responses end in a list", async () => {
    await using one = await setUp();
    const message = "too old resource version";
    const eventError = { code: 410, reason: "Expired", message };
    const storm = one.api.fault({ verb: "watch", eventError, times: 5 });
    one.api.dropWatches();
    await createConfigMaps(one.api, "a");
    await heal(one.api);
    expect([storm.count, one.names().sort()]).toEqual([5, ["a", "first"]]);
  });

  test("ES25: an informer still receives events without bookmarks", async () => {
    await using one = await setUp();
    one.api.fault({ event: "drop", eventType: "BOOKMARK", times: Number.POSITIVE_INFINITY });
    await heal(one.api);
    await createConfigMaps(one.api, "a");
    await heal(one.api);
    expect(one.names().sort()).toEqual(["a", "first"]);
  });

  test("ES25: event faults match by namespace, name, user and count", async () => {
    await using api = await startApiServer();
    const path = `${configMaps}?watch=1&resourceVersion=${api.resourceVersion}`;
    const events = await watch(api, path);
    const options = { event: "drop", resource: "configmaps", namespace: "default" } as const;
    const fault = api.fault({ ...options, user: "system:admin", skip: 1 });
    api.fault({ ...options, user: "somebody else" });
    await createConfigMaps(api, "a", "b", "c");
    expect(await events.take(2)).toEqual(["ADDED a", "ADDED c"]);
    expect(fault.count).toBe(1);
    await events.stop();
  });
});

describe("faults of requests, and the client's reaction", () => {
  test("ES25: a reset before the write changes nothing", async () => {
    await using api = await startApiServer();
    api.fault({ verb: "create", reset: "before" });
    await expect(createConfigMaps(api, "a")).rejects.toMatchObject({ code: "ConnectionReset" });
    expect((await call(api, "GET", `${configMaps}/a`)).status).toBe(404);
  });

  test("ES25: a reset after the write loses the response, not the write", async () => {
    await using api = await startApiServer();
    api.fault({ verb: "create", reset: "after" });
    await expect(createConfigMaps(api, "a")).rejects.toMatchObject({ code: "ConnectionReset" });
    expect((await call(api, "GET", `${configMaps}/a`)).status).toBe(200);
    await using client = await api.client({ namespace: "default" });
    const maps = client.resource(ConfigMap, "default");
    api.fault({ verb: "delete", reset: "after" });
    const error = await maps.delete("a").then(
      () => undefined,
      (reason: unknown) => reason as KubeError,
    );
    expect(["ConnectionReset", "NotFound", undefined]).toContain(error?.code);
    expect((await call(api, "GET", `${configMaps}/a`)).status).toBe(404);
  });

  test("ES25: retries a 429 with Retry-After after that time on the clock", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    const send = intercept(api.send, [
      retry({ clock: api.clock, maxRetries: 5, timeoutMs: 60_000 }),
    ]);
    await using client = await connect({ transport: { send, server: api.server } });
    const fault = api.fault({ verb: "list", status: 429, retryAfterSeconds: 7 });
    const listing = client.resource(ConfigMap, "default").list();
    await api.clock.advance(6_000);
    expect([fault.count, api.requests.length]).toEqual([1, 1]);
    await api.clock.advance(2_000);
    expect((await listing).items).toEqual([]);
    expect(api.requests.length).toBe(2);
  });

  test("ES25: delay and slow drip take their time on the clock, and the response is complete", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    await createConfigMaps(api, "a");
    api.fault({ verb: "get", delayMs: 5_000, drip: { bytes: 10, everyMs: 100 } });
    let isDone = false;
    const getting = call(api, "GET", `${configMaps}/a`).finally(() => {
      isDone = true;
    });
    await api.clock.advance(4_999);
    await api.settled();
    expect([api.requests.at(-1)?.status, isDone]).toEqual([undefined, false]);
    await api.clock.advance(500);
    expect([api.requests.at(-1)?.status, isDone]).toEqual([200, false]);
    await api.clock.advance(60_000);
    expect((await getting).body.metadata.name).toBe("a");
  });

  test("ES25: the error about compressed garbage contains none of its bytes", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    const listener = await api.listen();
    await using client = await connect(listener.connectOptions());
    api.fault({ verb: "get", name: "a", garbage: true, times: Number.POSITIVE_INFINITY });
    const error: KubeError = await client
      .resource(ConfigMap, "default")
      .get("a")
      .then(
        () => expect.fail("it was read"),
        (reason) => reason,
      );
    expect(error.code).toBe("Decode");
    expect(error.message).not.toContain("metadata");
  });

  test("ES25: a fault matches with a custom predicate", async () => {
    await using api = await startApiServer();
    api.fault({ status: 500, when: ({ path }) => path.includes("limit=7"), times: 9 });
    expect((await call(api, "GET", `${configMaps}?limit=6`)).status).toBe(200);
    expect((await call(api, "GET", `${configMaps}?limit=7`)).status).toBe(500);
  });
});

describe("presets", () => {
  test("ES25: crashBetweenWrites: keeps the writes so far and drops later requests until the restart", async () => {
    await using api = await startApiServer({ users: [{ name: "operator" }] });
    await using client = await api.client({ as: "operator", namespace: "default" });
    const maps = client.resource(ConfigMap, "default");
    const crash = crashBetweenWrites(api, { user: "operator", afterWrites: 2 });
    const names = ["a", "b", "c"];
    const outcomes = await Promise.allSettled(
      names.map((name) => maps.create({ metadata: { name } })),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    await expect(maps.list()).rejects.toThrow();
    crash.remove();
    expect((await maps.list()).items.map(({ metadata }) => metadata.name)).toEqual(["a", "b"]);
  });

  test.each([true, false])(
    "ES25: staleRead: an informer that starts with an old state reaches the new one (streaming: %s)",
    async (streamingList) => {
      await using api = await startApiServer({ clock: "virtual" });
      await using client = await api.client({ namespace: "default" });
      await createConfigMaps(api, "old", "new");
      await call(api, "DELETE", `${configMaps}/old`);
      const fault = staleRead(api, { writes: 2, resource: "configmaps" });
      await using maps = client.informer(ConfigMap, { streamingList, namespace: "default" });
      await maps.synced();
      await heal(api);
      expect(fault.count).toBe(1);
      expect(maps.list().map(({ metadata }) => metadata.name)).toEqual(["new"]);
    },
  );

  test("ES25: staleRead: a list returns the state N writes ago, whatever its parameters", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a", "b", "c");
    staleRead(api, { writes: 2, verb: "list" });
    const stale = await call(api, "GET", configMaps);
    expect(stale.body.items).toHaveLength(1);
    expect(Number(stale.body.metadata.resourceVersion)).toBe(Number(api.resourceVersion) - 2);
    expect((await call(api, "GET", configMaps)).body.items).toHaveLength(3);
  });

  test("ES25: missedEvent: never delivers an object that was created and deleted in the gap; the final state is right", async () => {
    await using one = await setUp();
    const added: string[] = [];
    one.maps.onChange({ add: ({ metadata }) => added.push(metadata.name) });
    missedEvent(one.api, { resource: "configmaps" });
    await createConfigMaps(one.api, "flash");
    await call(one.api, "DELETE", `${configMaps}/flash`);
    await createConfigMaps(one.api, "stays");
    one.api.compact();
    await heal(one.api);
    expect([added.sort(), one.names().sort()]).toEqual([
      ["first", "stays"],
      ["first", "stays"],
    ]);
  });
});

describe("a restored etcd", () => {
  test.each([true, false])(
    "ES25, RV21: resourceVersions go back; informers are right after the next list (streaming: %s)",
    async (streamingList) => {
      await using one = await setUp({ streamingList });
      const snapshot = one.api.snapshot();
      await createConfigMaps(one.api, "a", "b", "c");
      await one.api.settled();
      one.api.restore(snapshot);
      expect(one.api.resourceVersion).toBe(snapshot.resourceVersion);
      await createConfigMaps(one.api, "d", "e", "f", "g");
      one.api.compact();
      await heal(one.api);
      one.api.dropWatches();
      await createConfigMaps(one.api, "h");
      one.api.compact();
      await heal(one.api);
      expect(one.names().sort()).toEqual(["d", "e", "f", "first", "g", "h"]);
    },
  );

  test.each([true, false])(
    "ES25, RV21: with bumped resourceVersions, informers are right immediately (streaming: %s)",
    async (streamingList) => {
      await using one = await setUp({ streamingList });
      const snapshot = one.api.snapshot();
      await createConfigMaps(one.api, "a", "b", "c");
      await one.api.settled();
      one.api.restore(snapshot, { bumpVersions: true });
      await createConfigMaps(one.api, "d");
      await heal(one.api);
      expect(one.names().sort()).toEqual(["d", "first"]);
    },
  );
});
