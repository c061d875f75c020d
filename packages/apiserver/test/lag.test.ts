import { ConfigMap } from "@typekube/api/core/v1";
import type { HttpSend } from "@typekube/core/internal";
import {
  call,
  configMaps,
  createConfigMaps,
  type Json,
  watch,
} from "@typekube/test-support/api-calls";
import { connect } from "typekube";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

const namesOf = async (api: Parameters<typeof call>[0], query = "?resourceVersion=0") =>
  (await call(api, "GET", `${configMaps}${query}`)).body.items.map(
    ({ metadata }: Json) => metadata.name,
  );

describe("ES29: a lagging replica of the same store", () => {
  test("ES29: shows what it has caught up with; writes and consistent reads go to the store", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    const replica = api.replica();
    await createConfigMaps(api, "b", "c");
    expect([replica.behind, await namesOf(replica)]).toEqual([2, ["a"]]);
    expect(await namesOf(replica, "")).toEqual(["a", "b", "c"]);
    await createConfigMaps(replica, "d");
    expect(await namesOf(api)).toEqual(["a", "b", "c", "d"]);
    replica.catchUp(1);
    expect(await namesOf(replica)).toEqual(["a", "b"]);
    replica.catchUp();
    expect([replica.behind, await namesOf(replica)]).toEqual([0, ["a", "b", "c", "d"]]);
  });

  test("ES29, ES1: both forget compacted resourceVersions, up to what the replica has seen", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    const replica = api.replica();
    await createConfigMaps(api, "a");
    const { resourceVersion } = api;
    await createConfigMaps(api, "b");
    replica.catchUp();
    await createConfigMaps(api, "c");
    api.compact();
    const exact = `${configMaps}?resourceVersionMatch=Exact&resourceVersion=${resourceVersion}`;
    const old = `${configMaps}?watch=1&resourceVersion=${resourceVersion}`;
    for (const server of [api, replica]) {
      expect((await call(server, "GET", exact)).status).toBe(410);
      expect((await call(server, "GET", old)).text).toContain('"code":410');
    }
    replica.catchUp();
    expect(await namesOf(replica)).toEqual(["a", "b", "c"]);
  });

  test.each(["abc", "-1", "1e3", ""])(
    "rejects compaction to the resourceVersion %o",
    async (version) => {
      await using api = await startApiServer();
      expect(() => api.compact(version)).toThrow("[InvalidArgument]");
    },
  );

  test.each<object>([
    { write: 3 },
    { writes: -1 },
    { writes: 0.5 },
    { ms: Number.NaN },
    { ms: -1 },
  ])("rejects an ambiguous lag: %o", async (lag) => {
    await using api = await startApiServer();
    expect(() => api.replica(lag)).toThrow("[InvalidArgument]");
  });

  test("ES29: lags by a number of writes or by a time", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    const [byWrites, byTime] = [api.replica({ writes: 2 }), api.replica({ ms: 500 })];
    await createConfigMaps(api, "a", "b", "c");
    expect([await namesOf(byWrites), await namesOf(byTime)]).toEqual([["a"], []]);
    await api.clock.advance(499);
    expect(await namesOf(byTime)).toEqual([]);
    await api.clock.advance(1);
    expect([await namesOf(byWrites), await namesOf(byTime)]).toEqual([["a"], ["a", "b", "c"]]);
  });

  test("ES29: its watches deliver what it has seen; it waits for an unseen resourceVersion, then returns 504", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    const replica = api.replica();
    const events = await watch(replica, `${configMaps}?watch=1`);
    await createConfigMaps(api, "a", "b");
    replica.catchUp(1);
    expect(await events.take(1)).toEqual(["ADDED a"]);
    const late = call(replica, "GET", `${configMaps}?resourceVersion=${api.resourceVersion}`);
    await api.clock.advance(3_000);
    expect((await late).body).toMatchObject({ code: 504, reason: "Timeout" });
    const found = call(replica, "GET", `${configMaps}?resourceVersion=${api.resourceVersion}`);
    replica.catchUp();
    expect((await found).body.items).toHaveLength(2);
    expect(await events.take(1)).toEqual(["ADDED b"]);
    await events.stop();
  });

  test("ES29: has its own listeners with the same CA, and ends with the server", async () => {
    const api = await startApiServer();
    const replica = api.replica();
    const listener = await replica.listen();
    await createConfigMaps(api, "a");
    await using client = await connect(listener.connectOptions());
    const maps = client.resource(ConfigMap, "default");
    expect((await maps.list({ resourceVersion: "0" })).items).toEqual([]);
    expect((await maps.list()).items).toHaveLength(1);
    await using own = await replica.client({ namespace: "default" });
    expect((await own.resource(ConfigMap, "default").list({ resourceVersion: "0" })).items).toEqual(
      [],
    );
    await api.close();
    await expect(maps.list()).rejects.toThrow();
  });

  test("ES29: when disposed, its watches break, it responds no more, and the store keeps working", async () => {
    await using api = await startApiServer();
    await using replica = api.replica({ writes: 0 });
    const listener = await replica.listen();
    await using client = await connect(listener.connectOptions());
    const maps = client.resource(ConfigMap, "default");
    const inProcess = await watch(replica, `${configMaps}?watch=1`);
    const since = { resourceVersion: api.resourceVersion };
    const overSockets = maps.watch(since)[Symbol.asyncIterator]();
    await createConfigMaps(api, "a");
    expect(await inProcess.take(1)).toEqual(["ADDED a"]);
    expect((await overSockets.next()).value).toMatchObject({ type: "ADDED" });
    const next = inProcess.next();
    await replica.close();
    await expect(next).rejects.toMatchObject({ code: "ConnectionClosed" });
    await expect(overSockets.next()).rejects.toThrow();
    await expect(maps.list()).rejects.toThrow();
    await expect(namesOf(replica)).rejects.toMatchObject({ code: "ConnectionClosed" });
    await expect(replica.listen()).rejects.toMatchObject({ code: "ConnectionClosed" });
    await createConfigMaps(api, "b");
    expect([await namesOf(api), api.openWatches]).toEqual([["a", "b"], 0]);
  });

  test("ES29: follows the store after a restore", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    const snapshot = api.snapshot();
    const replica = api.replica();
    await createConfigMaps(api, "b");
    api.restore(snapshot);
    await createConfigMaps(api, "c");
    replica.catchUp();
    expect(await namesOf(replica)).toEqual(["a", "c"]);
  });
});

test("ES29, R9, RV21: an informer never goes back behind a load balancer with a lagging replica (20 seeds)", async () => {
  const received = { requests: 0, changes: 0, staleEvents: 0 };
  for (let seed = 1; seed <= 20; seed++) {
    for (const streamingList of [true, false]) {
      let state = seed * 7_919;
      const random = (below: number) => {
        state = (state * 48_271) % 2_147_483_647;
        return state % below;
      };
      await using api = await startApiServer({ clock: "virtual", seed });
      const replica = api.replica();
      const send: HttpSend = (request) =>
        [api, replica][random(2)]?.send(request) ?? api.send(request);
      await using client = await connect({
        transport: { send, server: api.server },
        clock: api.clock,
      });
      await using maps = client.informer(ConfigMap, { namespace: "default", streamingList });
      await maps.synced();
      const newest = new Map<string, number>();
      const look = ({ metadata }: { metadata: { name: string; resourceVersion: string } }) => {
        received.changes++;
        expect(Number(metadata.resourceVersion)).toBeGreaterThanOrEqual(
          newest.get(metadata.name) ?? 0,
        );
        newest.set(metadata.name, Number(metadata.resourceVersion));
      };
      maps.onChange({ add: look, update: look, replaced: look, delete: look });
      let version = 0;
      for (let step = 0; step < 30; step++) {
        const name = `c${random(6)}`;
        if (maps.get(`default/${name}`) === undefined) {
          await createConfigMaps(api, name);
        } else if (random(3) === 0) {
          await call(api, "DELETE", `${configMaps}/${name}`);
        } else {
          await call(
            api,
            "PATCH",
            `${configMaps}/${name}`,
            { data: { step: `${step}` } },
            {
              "content-type": "application/merge-patch+json",
            },
          );
        }
        replica.catchUp(random(3));
        if (random(6) === 0) {
          api.dropWatches();
        }
        if (random(10) === 0) {
          api.compact();
        }
        await api.clock.advance(1_000);
        expect(Number(maps.resourceVersion)).toBeGreaterThanOrEqual(version);
        version = Number(maps.resourceVersion);
      }
      replica.catchUp();
      await createConfigMaps(api, "last");
      replica.catchUp();
      await api.clock.advance(300_000);
      await api.settled();
      const shown = maps
        .list()
        .map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`);
      const { items } = (await call(api, "GET", configMaps)).body;
      expect(shown.sort()).toEqual(
        items.map(({ metadata }: Json) => `${metadata.name} ${metadata.resourceVersion}`).sort(),
      );
      received.requests += api.requests.length;
      received.staleEvents += maps.health.staleEvents;
    }
  }
  console.info(`a server and one that lags: ${JSON.stringify(received)}`);
});
