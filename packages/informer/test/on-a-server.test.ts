import type { Live } from "@typekube/api";
import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { jsonPatch, mergePatch } from "@typekube/client";
import { readerOf } from "@typekube/client/internal";
import { compareResourceVersions, isExpired, type KubeError } from "@typekube/core";
import type { HttpRequest } from "@typekube/core/internal";
import { createInformer, type FollowEvent, follow, until } from "@typekube/informer";
import { type Client, connect } from "typekube";
import { describe, expect, it } from "vitest";

/** Creates a server with a virtual clock, and a client of it. */
async function setUp() {
  const api = await startApiServer({ clock: "virtual" });
  const client = await connect({ transport: api, clock: api.clock });
  return {
    api,
    client,
    configMaps: client.resource(ConfigMap, "default"),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await api.close();
    },
  };
}

async function fill(client: Client, count: number, prefix = "c"): Promise<string[]> {
  const versions: string[] = [];
  for (let i = 0; i < count; i++) {
    const made = await client
      .resource(ConfigMap, "default")
      .create({ metadata: { name: `${prefix}${i}` } });
    versions.push(made.metadata.resourceVersion);
  }
  return versions;
}

/** Returns this many events of `follow`. */
async function take(
  client: Client,
  count: number,
  meanwhile: () => Promise<unknown> = async () => {},
  options: Parameters<typeof follow>[2] = {},
): Promise<FollowEvent[]> {
  const events: FollowEvent[] = [];
  let started = false;
  const kind = { apiVersion: "v1", kind: "ConfigMap" };
  for await (const event of follow(client, kind, { namespace: "default", ...options })) {
    events.push(event);
    if (event.type === "synced" && !started) {
      started = true;
      await meanwhile();
    }
    if (events.length === count) {
      break;
    }
  }
  return events;
}

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("it succeeded"),
    (error: unknown) => error as KubeError,
  );

describe("following a server", () => {
  it.each([true, false])(
    "WAT1, WAT18: list, then watch (streaming: %s): delivers writes in between, once",
    async (streamingList) => {
      await using one = await setUp();
      await fill(one.client, 2);
      const events = await take(one.client, 5, () => fill(one.client, 2, "between"), {
        streamingList,
      });
      const names = events.map((event) =>
        "object" in event ? event.object.metadata.name : event.type,
      );
      expect(names).toEqual(["c0", "c1", "synced", "between0", "between1"]);
    },
  );

  it("WAT12, RV22: a list and a watch without a resourceVersion contain the write just before them", async () => {
    await using one = await setUp();
    for (let i = 0; i < 5; i++) {
      const made = await one.configMaps.create({ metadata: { name: `just-${i}` } });
      const has = (names: string[]) => expect(names).toContain(made.metadata.name);
      has((await one.configMaps.list()).items.map(({ metadata }) => metadata.name));
      const events = await take(one.client, i + 2);
      expect(events.at(-1)?.type).toBe("synced");
      has(events.flatMap((event) => ("object" in event ? [event.object.metadata.name] : [])));
    }
  });

  it("WAT13: the end bookmark is never older than the requested resourceVersion", async () => {
    await using one = await setUp();
    const versions = await fill(one.client, 6);
    for (const requested of versions) {
      const reader = readerOf(one.client, ConfigMap, { namespace: "default" });
      const start = { resourceVersion: requested, sendInitialEvents: true } as const;
      const watch = reader.watchBatches({ ...start, resourceVersionMatch: "NotOlderThan" });
      let end: string | undefined;
      for await (const batch of watch) {
        const bookmark = batch.find(({ type }) => type === "BOOKMARK");
        end = (bookmark?.object as ConfigMap | undefined)?.metadata?.resourceVersion;
        if (end !== undefined) {
          break;
        }
      }
      expect(compareResourceVersions(end ?? "", requested)).toBeGreaterThanOrEqual(0);
    }
  });

  it("WAT19: update, patches, apply and a status write all cause the same kind of event", async () => {
    await using one = await setUp();
    const pods = one.client.resource(Pod, "default");
    const spec = { containers: [{ name: "c", image: "i" }] };
    const seen: string[] = [];
    const watching = until(
      one.client,
      Pod,
      (change) => {
        seen.push(change.type);
        return change.type === "delete";
      },
      { streamingList: false },
    );
    await one.api.clock.advance(0);
    const pod = await pods.create({ metadata: { name: "p" }, spec });
    await pods.update({ ...pod, metadata: { ...pod.metadata, labels: { a: "1" } } });
    await pods.patch("p", mergePatch({ metadata: { labels: { b: "2" } } }));
    await pods.patch("p", jsonPatch([{ op: "add", path: "/metadata/labels/c", value: "3" }]));
    await pods.apply(
      { metadata: { name: "p", labels: { d: "4" } } },
      { fieldManager: "test", force: true },
    );
    await pods.status.patch("p", mergePatch({ status: { phase: "Running" } }));
    await pods.delete("p", { gracePeriodSeconds: 0 });
    await watching;
    const updates = Array.from({ length: 5 }, () => "update");
    // The last update marks the pod for deletion.
    expect(seen).toEqual(["add", ...updates, "update", "delete"]);
  });

  it("RV31: only a watch without a resourceVersion begins with the existing objects as ADDED", async () => {
    await using one = await setUp();
    const [, last = ""] = await fill(one.client, 2);
    const first = async (options: { resourceVersion?: string }) => {
      for await (const event of one.configMaps.watch(options)) {
        return [event.type, event.object.metadata.resourceVersion];
      }
      return [];
    };
    expect((await first({}))[0]).toBe("ADDED");
    const [waiting] = [first({ resourceVersion: last })];
    const [next = ""] = await fill(one.client, 1, "next");
    expect(await waiting).toEqual(["ADDED", next]);
  });
});

it.each([true, false])(
  "CHK15: an informer requests nothing that a server builds whole: no YAML, no pretty (streaming: %s)",
  async (streamingList) => {
    await using one = await setUp();
    await fill(one.client, 3);
    const requested: HttpRequest[] = [];
    const send = (request: HttpRequest) => {
      requested.push(request);
      return one.api.send(request);
    };
    const transport = { send, server: one.api.server };
    await using client = await connect({ transport, clock: one.api.clock });
    const kinds = [ConfigMap, { apiVersion: "v1", kind: "ConfigMap" }] as const;
    for (const kind of kinds) {
      await using maps = createInformer(client, kind as typeof ConfigMap, {
        streamingList,
        namespace: "default",
      });
      await maps.synced();
      one.api.compact();
      one.api.dropWatches();
      await one.api.clock.advance(2_000);
      expect([maps.list().length, maps.health.state]).toEqual([3, "watching"]);
    }
    const reads = requested.filter(({ path }) =>
      path.startsWith("/api/v1/namespaces/default/configmaps"),
    );
    expect(reads.length).toBeGreaterThanOrEqual(4);
    for (const { path, headers } of reads) {
      expect(path).not.toContain("pretty");
      expect(headers["accept"]).toMatch(/json|protobuf/);
      expect(headers["accept"]).not.toMatch(/yaml|cbor/);
    }
  },
);

it.each([
  ["its own", { encoding: "cbor" }, {}],
  ["its client's", {}, { encoding: "cbor" }],
] as const)(
  "CHK15: an informer with CBOR by %s option lists in pages, after a loss of history too",
  async (_, options, defaults) => {
    await using one = await setUp();
    await fill(one.client, 3);
    const client = one.client.with(defaults);
    await using maps = createInformer(client, ConfigMap, {
      streamingList: false,
      namespace: "default",
      ...options,
    });
    await maps.synced();
    one.api.fault({ verb: "watch", resource: "configmaps", status: 410, times: 1 });
    one.api.dropWatches();
    await one.api.clock.advance(2_000);
    expect([maps.list().length, maps.health.gaps]).toEqual([3, 1]);
    const lists = one.api.requests.filter(({ verb }) => verb === "list");
    expect(
      lists.map(({ path }) => new URL(path, "http://server").searchParams.get("limit")),
    ).toEqual(["500", "500"]);
  },
);

it.each([true, false])(
  "RV34: an informer recovers from a restore into a server that rejects its resourceVersion (streaming: %s)",
  async (streamingList) => {
    await using one = await setUp();
    await fill(one.client, 2);
    const before = {
      resourceVersion: "a1b2",
      annotations: { "k8s.io/initial-events-end": "true" },
    };
    const kind = { kind: "ConfigMap", apiVersion: "v1" };
    const first = streamingList
      ? { type: "BOOKMARK", object: { ...kind, metadata: before } }
      : { ...kind, kind: "ConfigMapList", metadata: before, items: [] };
    let isRestored = false;
    const send = async (request: HttpRequest) => {
      if (isRestored) {
        return one.api.send(request);
      }
      isRestored = true;
      const headers = { "content-type": "application/json" };
      return { status: 200, headers, body: bytesOf(`${JSON.stringify(first)}\n`) };
    };
    const transport = { send, server: one.api.server };
    await using client = await connect({ transport, clock: one.api.clock });
    await using maps = createInformer(client, ConfigMap, {
      streamingList,
      encoding: "json",
      namespace: "default",
    });
    await maps.synced();
    await one.api.clock.advance(5_000);
    expect(maps.list().map(({ metadata }) => metadata.name)).toEqual(["c0", "c1"]);
    expect([maps.health.state, maps.health.stalledSince]).toEqual(["watching", undefined]);
  },
);

describe("list responses", () => {
  it("CHK1: 11 objects by 10: ten and a token, then one and no token", async () => {
    await using one = await setUp();
    await fill(one.client, 11);
    const first = await one.configMaps.list({ limit: 10 });
    expect([first.items.length, typeof first.metadata.continue]).toEqual([10, "string"]);
    const second = await one.configMaps.list({ limit: 10, continue: first.metadata.continue });
    expect([second.items.length, second.metadata.continue || undefined]).toEqual([1, undefined]);
  });

  /** Returns the number of objects that a list with these options shows, or the code of its error. */
  async function shows(one: { client: Client }, options: object): Promise<unknown> {
    const lists = readerOf(one.client, ConfigMap, { namespace: "default" });
    let items = 0;
    try {
      for await (const part of lists.listParts(options)) {
        items += part.items.length;
      }
      return items;
    } catch (error) {
      return (error as KubeError).code;
    }
  }

  it("RV9, RV11, RV12, RV15, RV17: resourceVersion, match and limit decide which state a list shows", async () => {
    await using one = await setUp();
    const [first = ""] = await fill(one.client, 3);
    const now = 3;
    const table: [object, unknown][] = [
      [{}, now],
      [{ resourceVersion: "0" }, now],
      [{ resourceVersion: first }, now],
      [{ limit: 10 }, now],
      [{ limit: 10, resourceVersion: "0" }, now],
      // With a limit and without a match, a resourceVersion is exact.
      [{ limit: 10, resourceVersion: first }, 1],
      [{ limit: 10, resourceVersion: first, resourceVersionMatch: "Exact" }, 1],
      [{ limit: 10, resourceVersion: "0", resourceVersionMatch: "Exact" }, "InvalidArgument"],
      [{ limit: 10, resourceVersionMatch: "Exact" }, "InvalidArgument"],
      [{ limit: 10, resourceVersion: first, resourceVersionMatch: "NotOlderThan" }, now],
      [{ limit: 10, resourceVersion: "0", resourceVersionMatch: "NotOlderThan" }, now],
      [{ limit: 10, resourceVersionMatch: "NotOlderThan" }, "InvalidArgument"],
    ];
    for (const [options, expected] of table) {
      expect([options, await shows(one, options)]).toEqual([options, expected]);
    }
    for (const options of [{}, { resourceVersion: "0" }, { resourceVersion: first }]) {
      expect((await one.configMaps.get("c0", options)).metadata.resourceVersion).toBe(first);
    }
  });

  it("RV26: a compaction between two pages is a 410, with a token for the rest of a newer state", async () => {
    await using one = await setUp();
    await fill(one.client, 4);
    const { metadata } = await one.configMaps.list({ limit: 2 });
    await fill(one.client, 1, "new");
    one.api.compact();
    const error = await failureOf(one.configMaps.list({ limit: 2, continue: metadata.continue }));
    expect(isExpired(error)).toBe(true);
    const token = error.status?.metadata?.continue;
    expect(typeof token).toBe("string");
    const rest = await one.configMaps.list({ limit: 9, continue: token });
    expect(rest.items.map((item) => item.metadata.name)).toEqual(["c2", "c3", "new0"]);
  });

  it("RV32, N9: a compacted resourceVersion is Expired on get, list and watch", async () => {
    await using one = await setUp();
    const [old = ""] = await fill(one.client, 3);
    one.api.compact();
    const exact = { resourceVersion: old, resourceVersionMatch: "Exact" } as const;
    expect(isExpired(await failureOf(one.configMaps.list(exact)))).toBe(true);
    const watch = one.configMaps.watch({ resourceVersion: old })[Symbol.asyncIterator]();
    expect(isExpired(await failureOf(watch.next()))).toBe(true);
    one.api.fault({ verb: "get", status: 410 });
    expect(isExpired(await failureOf(one.configMaps.get("c0")))).toBe(true);
  });
});

it.each([true, false])(
  "I23: a hundred concurrent writers while watches are reset: the cache matches the server (streaming: %s)",
  async (streamingList) => {
    await using one = await setUp();
    const { api, client, configMaps } = one;
    let state = streamingList ? 23 : 42;
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    let resets = 0;
    const reset = () => {
      if (random(4) === 0) {
        resets += api.dropWatches();
      }
    };
    const options = { namespace: "default", streamingList, backoff: { initialMs: 1, maxMs: 4 } };
    await using informer = createInformer(client, ConfigMap, { ...options, namespace: "default" });
    const received = new Map<string, string>();
    const keep = ({ metadata }: Live<ConfigMap>) => {
      received.set(metadata.name, metadata.resourceVersion);
      reset();
    };
    const drop = ({ metadata }: Live<ConfigMap>) => received.delete(metadata.name);
    const handle = informer.onChange({ add: keep, update: keep, delete: drop });
    await handle.synced();

    /** Waits a random time, so that the writers don't run in step. */
    const passTime = async () => {
      for (let left = random(8); left >= 0; left--) {
        await api.clock.advance(1);
      }
    };
    const work = async (_: unknown, i: number) => {
      const metadata = { name: `c${i}` };
      for (let round = 0; round < 5; round++) {
        const made = await configMaps.create({ metadata });
        await passTime();
        await configMaps.update({ ...made, data: { round: `${round}` } });
        await passTime();
        if (round < 4 || random(2) === 0) {
          await configMaps.delete(metadata.name);
        }
      }
    };
    await Promise.all(Array.from({ length: 100 }, work));
    const { items, metadata } = await configMaps.list();
    const shown = informer.caughtUpTo(metadata.resourceVersion ?? "", { timeoutMs: 10_000 });
    await api.clock.advance(1_000);
    await shown;
    const versions = (of: readonly Live<ConfigMap>[]) =>
      new Map(of.map((map) => [map.metadata.name, map.metadata.resourceVersion]));
    expect(versions(informer.list())).toEqual(versions(items));
    expect(received).toEqual(versions(items));
    expect(resets).toBeGreaterThan(5);
  },
);
