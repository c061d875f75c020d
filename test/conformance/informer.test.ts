import { deepStrictEqual } from "node:assert/strict";
import { startApiServer } from "@typekube/apiserver";
import { startRealServer } from "@typekube/test-support/real-server/real-server";
import { type Client, connect, type Live, mergePatch } from "typekube";
import { ConfigMap, Namespace, Secret } from "typekube/api/core/v1";
import { describe, expect, it } from "vitest";

/** Parts of a server that the informer tests need. */
interface Stage extends AsyncDisposable {
  readonly client: Client;
  /** Cuts every connection and compacts the history. */
  loseHistory(): Promise<void>;
}

async function embeddedStage(): Promise<Stage> {
  const api = await startApiServer();
  return {
    client: await api.client(),
    loseHistory: async () => {
      api.dropWatches();
      api.compact();
    },
    [Symbol.asyncDispose]: () => api.close(),
  };
}

async function realStage(): Promise<Stage | undefined> {
  const server = await startRealServer();
  if (server === undefined) {
    return undefined;
  }
  const client = await connect(server.connectOptions());
  return {
    client,
    loseHistory: () => server.compact(),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await server.close();
    },
  };
}

const stages = [
  ["embedded", "streaming list", true, embeddedStage],
  ["embedded", "list and watch", false, embeddedStage],
  ["real", "streaming list", true, realStage],
  ["real", "list and watch", false, realStage],
] as const;

describe.each(stages)("an informer on the %s server, by %s", (_, __, streamingList, start) => {
  it("I23: the cache and a handler's copy equal the server's objects through changes and a lost history", async (test) => {
    const stage = await start();
    if (stage === undefined) {
      test.skip("no real kube-apiserver here");
      return;
    }
    await using open = stage;
    const { client } = open;
    const namespace = "story";
    await client.resource(Namespace).create({ metadata: { name: namespace } });
    const configMaps = client.resource(ConfigMap, namespace);
    const create = (name: string, group: string) =>
      configMaps.create({ metadata: { name, labels: { group } }, data: { name } });
    for (let i = 0; i < 20; i++) {
      await create(`before-${i}`, `g${i % 3}`);
    }

    await using informer = client.informer(ConfigMap, {
      namespace,
      streamingList,
      backoff: { initialMs: 50, maxMs: 500 },
      indexes: { group: (object) => [object.metadata.labels?.["group"] ?? "none"] },
    });
    const rebuilt = new Map<string, string>();
    const keep = ({ metadata }: Live<ConfigMap>) => {
      rebuilt.set(metadata.name, metadata.resourceVersion);
    };
    const handle = informer.onChange({
      add: (object) => {
        expect(rebuilt.has(object.metadata.name)).toBe(false);
        keep(object);
      },
      update: (object, previous) => {
        expect(rebuilt.get(object.metadata.name)).toBe(previous.metadata.resourceVersion);
        keep(object);
      },
      delete: (object) => {
        expect(rebuilt.delete(object.metadata.name)).toBe(true);
      },
      onError: (error) => failures.push(error),
    });
    const failures: unknown[] = [];
    await handle.synced();

    async function expectEqual(resourceVersion: string): Promise<void> {
      await informer.caughtUpTo(resourceVersion, { timeoutMs: 120_000 });
      const list = await configMaps.list({ managedFields: false });
      const byName = (a: Live<ConfigMap>, b: Live<ConfigMap>) =>
        a.metadata.name < b.metadata.name ? -1 : 1;
      deepStrictEqual([...informer.list()].sort(byName), [...list.items].sort(byName));
      for (const group of ["g0", "g1", "g2", "none"]) {
        const expected = list.items.filter(
          (item) => (item.metadata.labels?.["group"] ?? "none") === group,
        );
        expect(informer.by.group(group)).toHaveLength(expected.length);
      }
      await new Promise((resolve) => setImmediate(resolve));
      deepStrictEqual(
        new Map([...rebuilt].sort()),
        new Map(
          list.items
            .map(({ metadata }) => [metadata.name, metadata.resourceVersion] as const)
            .sort(),
        ),
      );
    }

    await create("after", "g0");
    await configMaps.patch("before-1", mergePatch({ metadata: { labels: { group: null } } }));
    await configMaps.delete("before-2");
    await expectEqual((await create("after-2", "g1")).metadata.resourceVersion);

    // Other writes advance the resourceVersion, so that the collection's last one is compacted.
    const secrets = client.resource(Secret, namespace);
    for (let i = 0; i < 5; i++) {
      await secrets.create({ metadata: { name: `s${i}` } });
    }
    await open.loseHistory();
    await configMaps.delete("before-3");
    await configMaps.delete("before-4");
    await create("before-4", "g2"); // another object with the same name
    await expectEqual((await create("after-3", "g0")).metadata.resourceVersion);

    expect(failures).toEqual([]);
    expect(informer.health).toMatchObject({ synced: true, state: "watching", objects: 21 });
    console.log(
      `informer (${streamingList ? "streaming list" : "list and watch"}): ${informer.health.objects} objects equal after ${informer.health.gaps} gaps, last error ${informer.health.lastError?.code}`,
    );
  });
});

describe("an informer on a real server that stops responding", () => {
  it("N2: detects and reports the silence, and recovers when the server is back", async (test) => {
    await using server = await startRealServer();
    if (server === undefined) {
      test.skip("no real kube-apiserver here");
      return;
    }
    await using client = await connect({
      ...server.connectOptions(),
      transportOptions: { headersTimeoutMs: 2_000 },
    });
    const errors: string[] = [];
    let isStalled = () => {};
    const stalled = new Promise<void>((resolve) => {
      isStalled = resolve;
    });
    await using informer = client.informer(ConfigMap, {
      namespace: "default",
      idleMs: 2_000,
      onState: ({ name }) => name === "waiting" && isStalled(),
      backoff: { initialMs: 50, maxMs: 500 },
      onError: (error) => errors.push(error.code),
    });
    await informer.synced();
    expect(informer.health.stalledSince).toBeUndefined();

    await server.pause();
    await stalled;
    expect(errors[0]).toBe("DeadlineExceeded");

    server.resume();
    const { metadata } = await client
      .resource(ConfigMap, "default")
      .create({ metadata: { name: "after-the-silence" } });
    await informer.caughtUpTo(metadata.resourceVersion, { timeoutMs: 120_000 });
    expect(informer.get("default/after-the-silence")?.metadata.uid).toBe(metadata.uid);
  });
});
