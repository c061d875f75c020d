import { ConfigMap } from "@typekube/api/core/v1";
import {
  call,
  configMaps,
  createConfigMaps,
  deployments,
  pods,
  watch,
} from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

describe("settled", () => {
  test("ES24: every informer has received what was written, without explicit waits", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    await using client = await api.client({ namespace: "default" });
    await using maps = client.informer(ConfigMap);
    await maps.synced();
    for (const name of ["a", "b", "c"]) {
      await createConfigMaps(api, name);
      await api.settled();
      expect(maps.get(`default/${name}`)?.metadata.name).toBe(name);
    }
  });

  test("ES24: waits for work in progress, and names it when the timeout is reached", async () => {
    await using api = await startApiServer();
    let isDone = false;
    const work = createConfigMaps(api, "a", "b", "c", "d").then(() => {
      isDone = true;
    });
    await api.settled();
    expect(isDone).toBe(true);
    await work;
    await expect(api.settled({ timeoutMs: -1 })).rejects.toMatchObject({
      code: "DeadlineExceeded",
      message: expect.stringContaining("0 requests and reconciles are active"),
    });
  });

  test("ES24: does not wait for requests that wait for the virtual clock, or for unread events", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    const events = await watch(api, `${configMaps}?watch=1&resourceVersion=${api.resourceVersion}`);
    await createConfigMaps(api, "a");
    api.fault({ verb: "list", delayMs: 60_000 });
    const listing = call(api, "GET", configMaps);
    await api.settled();
    await api.clock.advance(60_000);
    expect((await listing).status).toBe(200);
    expect(await events.take(1)).toEqual(["ADDED a"]);
    await events.stop();
  });

  test("ES24: waits for responses that are still on sockets", async () => {
    await using api = await startApiServer();
    const listener = await api.listen({ tls: false, anonymous: true });
    let status = 0;
    const asking = fetch(`${listener.server}${configMaps}`).then((response) => {
      status = response.status;
      return response.arrayBuffer();
    });
    await expect.poll(() => api.requests.length).toBe(1);
    await api.settled();
    expect(status).toBe(200);
    await asking;
  });

  test("ES24: a server is steady while there are no writes, and not steady otherwise", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    expect(await api.isSteady({ ticks: 3, tickMs: 1_000 })).toBe(true);
    const { clock } = api;
    clock.schedule(2_500, () => void createConfigMaps(api, "later"));
    expect(await api.isSteady({ ticks: 3, tickMs: 1_000 })).toBe(false);
    expect(await api.isSteady({ ticks: 3, tickMs: 1_000 })).toBe(true);
    await using real = await startApiServer();
    await expect(real.isSteady()).rejects.toMatchObject({ code: "InvalidArgument" });
  });
});

describe("hold", () => {
  test("ES24: holds events until they are released, some or all, in order", async () => {
    await using api = await startApiServer();
    const events = await watch(api, `${configMaps}?watch=1&resourceVersion=${api.resourceVersion}`);
    const hold = api.hold({ resource: "configmaps" });
    await createConfigMaps(api, "a", "b", "c", "d");
    expect(hold.pending).toBe(4);
    expect(hold.release(1)).toBe(1);
    expect(await events.take(1)).toEqual(["ADDED a"]);
    expect([hold.release(2), hold.pending]).toEqual([2, 1]);
    expect(await events.take(2)).toEqual(["ADDED b", "ADDED c"]);
    hold.end();
    await createConfigMaps(api, "e");
    expect(await events.take(2)).toEqual(["ADDED d", "ADDED e"]);
    await events.stop();
  });

  test("ES24: holds one watcher's events while another watcher receives its own", async () => {
    await using api = await startApiServer();
    const path = `${configMaps}?watch=1&resourceVersion=${api.resourceVersion}`;
    const [first, second] = [await watch(api, path), await watch(api, path)];
    const [, late] = api.watches;
    const hold = api.hold({ watch: late?.id });
    await createConfigMaps(api, "a", "b");
    expect(await first.take(2)).toEqual(["ADDED a", "ADDED b"]);
    expect(hold.pending).toBe(2);
    hold.release();
    expect(await second.take(2)).toEqual(["ADDED a", "ADDED b"]);
    await Promise.all([first.stop(), second.stop()]);
  });

  test("ES24: holds the events after a new watch's resourceVersion, but not its initial state", async () => {
    await using api = await startApiServer();
    const before = api.resourceVersion;
    await createConfigMaps(api, "a");
    const hold = api.hold();
    const fromState = await watch(api, `${configMaps}?watch=1`);
    expect(await fromState.take(1)).toEqual(["ADDED a"]);
    const replayed = await watch(api, `${configMaps}?watch=1&resourceVersion=${before}`);
    expect(hold.pending).toBe(1);
    hold.release();
    expect(await replayed.take(1)).toEqual(["ADDED a"]);
    await Promise.all([fromState.stop(), replayed.stop()]);
    expect(hold.pending).toBe(0);
  });

  test("ES24: an informer lags as long as its events are held", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    await using client = await api.client({ namespace: "default" });
    await using maps = client.informer(ConfigMap);
    await maps.synced();
    const hold = api.hold({ resource: "configmaps" });
    await createConfigMaps(api, "a");
    await api.settled();
    expect(maps.get("default/a")).toBeUndefined();
    hold.release();
    await api.settled();
    expect(maps.get("default/a")).toBeDefined();
  });
});

test("ES28: one event is encoded once for a thousand watches of the same encoding", async () => {
  await using api = await startApiServer();
  const path = `${configMaps}?watch=1&resourceVersion=${api.resourceVersion}`;
  const readers = await Promise.all(
    Array.from({ length: 1_000 }, async () => {
      const { body } = await api.send({ method: "GET", path, headers: {}, mode: "stream" });
      return body[Symbol.asyncIterator]();
    }),
  );
  await createConfigMaps(api, "a");
  const chunks = await Promise.all(readers.map(async (reader) => (await reader.next()).value));
  // The same bytes, not equal ones: no watch made a copy.
  expect(new Set(chunks).size).toBe(1);
  await Promise.all(readers.map((reader) => reader.return?.()));
  expect(api.openWatches).toBe(0);
});

test("ES24, ES27: settled() waits for the controllers; a fork has its own, which continue there", async () => {
  await using api = await startApiServer({ clock: "virtual", controllers: true });
  const replicaSets = "/apis/apps/v1/namespaces/default/replicasets";
  const labels = { app: "web" };
  const deployment = {
    metadata: { name: "web" },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
    },
  };
  const counts = async (server: typeof api) => [
    (await call(server, "GET", replicaSets)).body.items.length,
    (await call(server, "GET", pods)).body.items.length,
  ];
  await using before = api.fork();
  for (const server of [api, before]) {
    await call(server, "POST", deployments, deployment);
    await server.settled();
    expect(await counts(server)).toEqual([1, 3]);
  }
  await using fork = api.fork();
  await call(fork, "DELETE", `${deployments}/web?propagationPolicy=Background`);
  await fork.settled();
  expect([await counts(api), (await counts(fork))[0]]).toEqual([[1, 3], 0]);
  expect(await api.isSteady({ ticks: 3, tickMs: 60_000 })).toBe(true);
});
