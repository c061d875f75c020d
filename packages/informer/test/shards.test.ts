import { createHash } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import type { KubeObject } from "@typekube/api";
import { ConfigMap } from "@typekube/api/core/v1";
import { createVirtualClock, startApiServer } from "@typekube/apiserver";
import { mergePatch } from "@typekube/client";
import { readerOf } from "@typekube/client/internal";
import type { KubeError } from "@typekube/core";
import { type ListPart, sleep } from "@typekube/core/internal";
import {
  createInformer,
  follow,
  Informer,
  type InformerOptions,
  type Shard,
  shardFilter,
  shardSelector,
} from "@typekube/informer";
import { SharedCache, shardedSource } from "@typekube/informer/internal";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { startRealServer } from "@typekube/test-support/real-server/real-server";
import { type Client, connect } from "typekube";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ListResponse, list, pod, ScriptedSource } from "./scripted-source.js";
import { added, bookmark, deleted, failure, modified } from "./wire-events.js";

/** Returns the 64-bit FNV-1a hash, computed by its definition. */
function reference(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) {
    hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  }
  return hash;
}

const partsOf = (count: number, by?: Shard["by"]): Shard[] =>
  Array.from({ length: count }, (_, index) => ({ index, count, ...(by ? { by } : {}) }));

const nameOf = ({ metadata }: { metadata: { name: string } }) => metadata.name;

describe("the shard of a worker", () => {
  it("the reference hash of this test has the published values", () => {
    expect([reference(""), reference("a"), reference("foobar")]).toEqual([
      0xcbf29ce484222325n,
      0xaf63dc4c8601ec8cn,
      0x85944171f73967e8n,
    ]);
  });

  it("CH2: several shards select the union of their objects; no shard selects none", () => {
    const objects = Array.from({ length: 500 }, (_, i) => pod("a", 1, { uid: `uid-${i}` }));
    const of = (index: number | readonly number[]) =>
      objects.filter(shardFilter({ index, count: 12 }));
    const union = of([7, 0, 6]);
    expect(union.length).toBeGreaterThan(50);
    expect(new Set(union)).toEqual(new Set([...of(0), ...of(6), ...of(7)]));
    expect(of([])).toEqual([]);
  });

  it("CH3: the selector of several shards joins neighbours, and one of none has an empty range", () => {
    expect(shardSelector({ index: [3, 0, 1], count: 4 })).toBe(
      "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000') || " +
        "shardRange(object.metadata.uid, '0xc000000000000000', '0x10000000000000000')",
    );
    expect(shardSelector({ index: [], count: 4, by: "namespace" })).toBe(
      "shardRange(object.metadata.namespace, '0x0000000000000000', '0x0000000000000001')",
    );
    expect(() => shardFilter({ index: [1, 4], count: 4 })).toThrow(/index 1 4, count 4/);
  });

  it("every object is in one shard, the one of its hash, whatever the number of shards", () => {
    const values = Array.from({ length: 1_000 }, (_, i) => `${i}-ä€😀-${i * 7_919}`);
    for (const count of [1, 2, 3, 5, 7, 64]) {
      const filters = partsOf(count).map(shardFilter);
      for (const uid of values) {
        const own = filters.flatMap((isOwn, index) => (isOwn(pod("a", 1, { uid })) ? [index] : []));
        // Bounds are rounded down: a hash that equals a bound belongs to the shard that begins there.
        const bounds = partsOf(count).map((_, index) => (BigInt(index) << 64n) / BigInt(count));
        const expected = bounds.filter((bound) => bound <= reference(uid)).length - 1;
        expect(own).toEqual([expected]);
      }
    }
  });

  it("is requested in the server's format, without gaps between shards", () => {
    expect(partsOf(2).map(shardSelector)).toEqual([
      "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')",
      "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')",
    ]);
    const [first = "", second = "", third = ""] = partsOf(3, "namespace").map(shardSelector);
    const end = /, '(\w+)'\)$/;
    expect(second).toContain(`namespace, '${end.exec(first)?.[1]}'`);
    expect(third).toContain(`namespace, '${end.exec(second)?.[1]}'`);
  });

  it.each([
    { index: 2, count: 2 },
    { index: -1, count: 2 },
    { index: 0.5, count: 2 },
    { index: 0, count: 0 },
    { index: 0, count: Number.NaN },
    { index: 0, count: 1, by: "name" as never },
  ])("rejects %o as a shard of a worker", (shard) => {
    expect(() => shardSelector(shard)).toThrow("InvalidArgument");
  });
});

describe("a source of a shard", () => {
  const isOwn = shardFilter({ index: 0, count: 2 });
  // Random uids: texts that differ only at their ends have hashes close to each other.
  const uidOf = (i: number) => createHash("md5").update(String(i)).digest("hex");
  const all = Array.from({ length: 40 }, (_, i) => pod(`p${i}`, i + 1, { uid: uidOf(i) }));
  const own = all.filter(isOwn);

  async function read(source: ScriptedSource) {
    const part = shardedSource(source, { index: 0, count: 2 });
    const signal = new AbortController().signal;
    const names: string[] = [];
    for await (const { items } of part.listParts({ signal }) as AsyncIterable<ListPart>) {
      names.push(...items.map((item) => item.metadata?.name ?? ""));
    }
    const events: string[] = [];
    for await (const batch of part.watchBatches({ signal })) {
      events.push(...batch.map(({ type }) => type));
    }
    return { names, events };
  }

  it("filters the objects of a server that ignores the parameter, and passes all bookmarks", async () => {
    const source = new ScriptedSource({
      lists: [{ items: all, version: 50 }],
      watches: [{ batches: [all.map(added), all.map(deleted), [bookmark(60)]], outcome: "end" }],
    });
    const { names, events } = await read(source);
    expect(names).toEqual(own.map((object) => object.metadata?.name));
    expect(own.length).toBeGreaterThan(5);
    expect(events.filter((type) => type === "ADDED")).toHaveLength(own.length);
    expect(events.filter((type) => type === "DELETED")).toHaveLength(own.length);
    expect(events.at(-1)).toBe("BOOKMARK");
    expect(source.lists[0]?.shardSelector).toContain("shardRange");
  });

  it("omits the parameter only after a server has rejected it", async () => {
    const refusal = failure(500, "InternalError", "invalid shard selector: unsupported");
    const source = new ScriptedSource({
      lists: [refusal, { items: all, version: 50 }],
      watches: [{ batches: [all.map(added)], outcome: "end" }],
    });
    const { names, events } = await read(source);
    expect([names.length, events.length]).toEqual([own.length, own.length]);
    expect(source.lists.map(({ shardSelector: requested }) => requested !== undefined)).toEqual([
      true,
      false,
    ]);
    expect(source.watches[0]?.shardSelector).toBeUndefined();

    const broken = new ScriptedSource({ lists: [failure(500, "InternalError", "etcd is gone")] });
    await expect(read(broken)).rejects.toThrow("etcd is gone");
    expect(broken.lists).toHaveLength(1);
  });
});

/** Starts an embedded server with `count` objects. */
async function embedded(count = 300) {
  const api = await startApiServer();
  const client = await connect({ transport: api });
  onTestFinished(async () => {
    await client.close();
    await api.close();
  });
  await fill(client, count);
  return { api, client };
}

async function fill(client: Client, count: number, prefix = "c"): Promise<void> {
  for (let i = 0; i < count; i++) {
    await client.resource(ConfigMap, "default").create({ metadata: { name: `${prefix}${i}` } });
  }
}

/** Creates an informer over a shard, with a handler that rebuilds the collection from its calls. */
function worker(client: Client, shard?: Shard, options: InformerOptions<ConfigMap> = {}) {
  const informer = createInformer(client, ConfigMap, {
    namespace: "default",
    shard,
    ...options,
    view: "full",
  });
  const log: string[] = [];
  const rebuilt = new Map<string, string>();
  const versions = new Map<string, number>();
  const set = (object: { metadata: { name: string; resourceVersion: string } }) => {
    const { name, resourceVersion } = object.metadata;
    expect(Number(resourceVersion)).toBeGreaterThanOrEqual(versions.get(name) ?? 0);
    versions.set(name, Number(resourceVersion));
    rebuilt.set(name, resourceVersion);
  };
  informer.onChange({
    add: (object) => {
      log.push(`add ${nameOf(object)}`);
      expect(rebuilt.has(nameOf(object))).toBe(false);
      set(object);
    },
    update: (object, previous) => {
      log.push(`update ${nameOf(object)}`);
      expect(rebuilt.get(nameOf(object))).toBe(previous.metadata.resourceVersion);
      set(object);
    },
    delete: (object, { moved }) => {
      log.push(`${moved ? "moved" : "delete"} ${nameOf(object)}`);
      expect(rebuilt.delete(nameOf(object))).toBe(true);
    },
  });
  const content = () =>
    Object.fromEntries(
      informer
        .list()
        .map((o) => [nameOf(o), o.metadata.resourceVersion])
        .sort(),
    );
  return { informer, log, rebuilt: () => Object.fromEntries([...rebuilt].sort()), content };
}

type Worker = ReturnType<typeof worker>;

/** Waits until the workers together show what the server has, each object once. Returns the number of objects of each. */
async function expectWhole(client: Client, workers: readonly Worker[]): Promise<number[]> {
  const { items } = await client.resource(ConfigMap, "default").list();
  const expected = Object.fromEntries(
    items.map((o) => [nameOf(o), o.metadata.resourceVersion]).sort(),
  );
  const together = () => Object.assign({}, ...workers.map(({ content }) => content()));
  await expect.poll(together).toEqual(expected);
  await expect
    .poll(() => workers.map((one) => one.rebuilt()))
    .toEqual(workers.map((one) => one.content()));
  const sizes = workers.map(({ informer }) => informer.list().length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(items.length);
  return sizes;
}

/** Runs three workers, then four, then two, during writes. */
async function comeAndGo(client: Client): Promise<void> {
  const configMaps = client.resource(ConfigMap, "default");
  const workers = partsOf(3).map((shard) => worker(client, shard));
  await Promise.all(workers.map(({ informer }) => informer.synced()));
  const sizes = [await expectWhole(client, workers)];
  let isWriting = true;
  let writes = 0;
  const writing = (async () => {
    for (let i = 0; isWriting; i++) {
      const name = `w${i % 40}`;
      await configMaps.create({ metadata: { name } }).catch(() => {});
      await configMaps.patch(`c${i % 300}`, mergePatch({ data: { i: String(i) } }));
      if (i % 3 === 0) {
        await configMaps.delete(name);
      }
      writes += 3;
      await turn();
    }
  })();
  const four = [...workers, worker(client, { index: 3, count: 4 })];
  await Promise.all(four.map(({ informer }, index) => informer.reshard({ index, count: 4 })));
  const enough = writes + 30;
  await expect.poll(() => writes).toBeGreaterThan(enough);
  isWriting = false;
  await writing;
  sizes.push(await expectWhole(client, four));

  isWriting = true;
  const more = fill(client, 50, "late");
  const two = four.slice(0, 2);
  await Promise.all(two.map(({ informer }, index) => informer.reshard({ index, count: 2 })));
  await Promise.all(four.slice(2).map(({ informer }) => informer.close()));
  await more;
  sizes.push(await expectWhole(client, two));
  const moved = four.flatMap(({ log }) => log.filter((line) => line.startsWith("moved"))).length;
  expect(moved).toBeGreaterThan(50);
  await Promise.all(two.map(({ informer }) => informer.close()));
  console.log(
    `shards: ${sizes.map((one) => one.join("+")).join(", then ")}; ${writes} writes during the first move, ${moved} delivered as moved`,
  );
}

describe("workers that divide a collection", () => {
  it("three see each of 300 objects once; 3, then 4, then 2 during writes: nothing is lost, repeated or goes back", async () => {
    const { client } = await embedded();
    await comeAndGo(client);
  });

  it("the old shard is followed until the new one is complete; then come moved deletes, and adds for new objects", async () => {
    const { api, client } = await embedded(60);
    const { informer, log } = worker(client, { index: 0, count: 2 });
    await informer.synced();
    const before = informer.list().map(nameOf);
    await expect.poll(() => log.length).toBe(before.length);
    log.length = 0;
    // The new shard can't be read for a while.
    const faults = ["list", "watch"].map((verb) =>
      api.fault({ verb, resource: "configmaps", status: 503, times: 1e6 }),
    );
    const moving = informer.reshard({ index: 1, count: 2 });
    await client
      .resource(ConfigMap, "default")
      .patch(before[0] ?? "", mergePatch({ data: { a: "b" } }));
    await expect.poll(() => log).toEqual([`update ${before[0]}`]);
    expect(informer.list().map(nameOf)).toEqual(before);
    expect(informer.shard).toEqual({ index: 0, count: 2 });
    log.length = 0;
    for (const fault of faults) {
      fault.remove();
    }
    await moving;
    expect(informer.shard).toEqual({ index: 1, count: 2 });
    const after = informer.list().map(nameOf);
    expect([...before, ...after].sort()).toEqual(
      Array.from({ length: 60 }, (_, i) => `c${i}`).sort(),
    );
    await expect.poll(() => log.length).toBe(60);
    expect(log).toEqual([
      ...before.map((name) => `moved ${name}`),
      ...after.map((name) => `add ${name}`),
    ]);
    expect(api.openWatches).toBe(1);
    await informer.close();
    expect(api.openWatches).toBe(0);
  });

  it("a new shard that lags for objects of both shards takes over only after it has caught up", async () => {
    const clock = createVirtualClock();
    const scripted = (script: ConstructorParameters<typeof ScriptedSource>[0]) =>
      new SharedCache<KubeObject>(
        new ScriptedSource(script),
        { streamingList: false, random: () => 0 },
        clock,
      );
    const old = scripted({
      lists: [list(1, pod("a", 1), pod("b", 1))],
      watches: [{ batches: [[modified(pod("a", 5))], [deleted(pod("b", 8))]] }],
    });
    // Another API server responded: its list is older than both changes, which its watch sends later.
    const behind = new ScriptedSource({ lists: [list(3, pod("a", 1), pod("b", 1), pod("c", 2))] });
    behind.watchBatches = async function* ({ signal }) {
      await sleep(clock, 1_000, signal);
      yield [modified(pod("a", 5))];
      await sleep(clock, 1_000, signal);
      yield [deleted(pod("b", 8))];
      await sleep(clock, 1e9, signal);
    };
    const next = new SharedCache<KubeObject>(behind, { streamingList: false }, clock);
    const informer = new Informer(old, {}, () => next);
    await clock.advance(0);
    const log: string[] = [];
    const note = (verb: string) => (object: KubeObject) =>
      log.push(`${verb} ${object.metadata?.name} ${object.metadata?.resourceVersion}`);
    informer.onChange({ add: note("add"), update: note("update"), delete: note("delete") });
    await clock.advance(0);
    log.length = 0;
    const moving = informer.reshard(undefined);
    await clock.advance(1_500);
    expect([informer.list().length, log]).toEqual([1, []]);
    await clock.advance(1_000);
    await moving;
    expect(log).toEqual(["add c 2"]);
    await informer.close();
  });

  it("a new shard does not take over with an old object whose name was taken by one outside the shard", async () => {
    const clock = createVirtualClock();
    const isOwn = shardFilter({ index: 0, count: 2 });
    const uids = Array.from({ length: 20 }, (_, i) =>
      createHash("md5").update(`${i}`).digest("hex"),
    );
    const uidOf = (own: boolean) => uids.find((uid) => isOwn(pod("a", 1, { uid })) === own) ?? "";
    const telling = (listMs: number, items: KubeObject[], event: ReturnType<typeof added>) => {
      const source = new ScriptedSource({});
      source.listParts = async function* ({ signal }) {
        await sleep(clock, listMs, signal);
        const metadata = { resourceVersion: "3" };
        yield { apiVersion: "v1", kind: "PodList", metadata, items };
      };
      source.watchBatches = async function* ({ signal }) {
        await sleep(clock, 1_000, signal);
        yield [event];
        await sleep(clock, 1e9, signal);
      };
      return new SharedCache<KubeObject>(source, { streamingList: false }, clock);
    };
    const own = { uid: uidOf(true) };
    const next = telling(700, [pod("a", 1, own)], deleted(pod("a", 5, own)));
    const old = telling(0, [], added(pod("a", 6, { uid: uidOf(false) })));
    const informer = new Informer(old, {}, () => next);
    const log: string[] = [];
    const note = (verb: string) => (object: KubeObject) =>
      log.push(`${verb} ${object.metadata?.name} ${object.metadata?.resourceVersion}`);
    informer.onChange({ add: note("add"), update: note("update"), delete: note("delete") });
    await clock.advance(500);
    const moving = informer.reshard({ index: 0, count: 2 });
    await clock.advance(2_000);
    await moving;
    expect([log, informer.list()]).toEqual([["add a 6", "delete a 6"], []]);
    await informer.close();
  });

  it("a new shard does not take over before a deletion without a resourceVersion: one made by a transform", async () => {
    const clock = createVirtualClock();
    const done = [modified(pod("a", 5, { labels: { done: "" } }))];
    const telling = (after: { readonly listMs: number; readonly doneMs: number }) => {
      const source = new ScriptedSource({});
      source.listParts = async function* ({ signal }) {
        await sleep(clock, after.listMs, signal);
        const metadata = { resourceVersion: "3" };
        yield { apiVersion: "v1", kind: "PodList", metadata, items: [pod("a", 1)] };
      };
      source.watchBatches = async function* ({ signal }) {
        await sleep(clock, after.doneMs, signal);
        yield done;
        await sleep(clock, 1e9, signal);
      };
      const options: InformerOptions<KubeObject> = {
        streamingList: false,
        transform: (object) => (object.metadata.labels ? undefined : object),
      };
      return new SharedCache<KubeObject>(source, options, clock);
    };
    const next = telling({ listMs: 700, doneMs: 1_000 });
    const informer = new Informer(telling({ listMs: 0, doneMs: 500 }), {}, () => next);
    const log: string[] = [];
    const note = (verb: string) => (object: KubeObject) =>
      log.push(`${verb} ${object.metadata?.name}`);
    informer.onChange({ add: note("add"), delete: note("delete") });
    await clock.advance(0);
    const moving = informer.reshard(undefined);
    await clock.advance(1_000);
    await clock.advance(1_000);
    await moving;
    expect([log, informer.list()]).toEqual([["add a", "delete a"], []]);
    await informer.close();
  });

  it("indexes, iterators, recorded writes and caughtUpTo switch with the informer", async () => {
    const { client } = await embedded(20);
    const informer = createInformer(client, ConfigMap, {
      namespace: "default",
      shard: { index: 0, count: 2 },
      indexes: { all: () => ["x"] },
      view: "full",
    });
    await informer.synced();
    const added = informer.addIndex("name", (object) => [object.metadata.name]);
    const changes = informer.changes();
    await informer.reshard(undefined);
    expect([informer.shard, informer.by.all("x").length, added.get("c3").length]).toEqual([
      undefined,
      20,
      1,
    ]);
    const seen: string[] = [];
    for await (const change of changes) {
      seen.push(change.key);
      if (seen.length === 20) {
        break;
      }
    }
    expect(new Set(seen).size).toBe(20);
    const written = await client
      .resource(ConfigMap, "default")
      .patch("c1", mergePatch({ data: { a: "b" } }));
    await informer.caughtUpTo(written.metadata.resourceVersion, { timeoutMs: 5_000 });
    await informer.reshard({ index: 0, count: 2 });
    const foreign = (await client.resource(ConfigMap, "default").list()).items.find(
      (object) => informer.get(`default/${nameOf(object)}`) === undefined,
    );
    informer.mutated(foreign as never);
    expect(informer.get(`default/${foreign?.metadata.name}`)).toBeUndefined();
    expect(informer.by.all("x").length).toBeLessThan(20);
    await informer.close();
  });

  it("a move that fails leaves everything as it was: timed out, aborted, replaced or closed", async () => {
    const { api, client } = await embedded(10);
    const { informer, log } = worker(client, { index: 0, count: 2 });
    await informer.synced();
    const before = informer.list().map(nameOf);
    const failureOf = (promise: Promise<unknown>) =>
      promise.then(
        () => "none",
        (error: unknown) => error,
      );
    const faults = ["list", "watch"].map((verb) =>
      api.fault({ verb, resource: "configmaps", status: 403, times: 1e6 }),
    );
    expect(
      await failureOf(informer.reshard({ index: 1, count: 2 }, { timeoutMs: 20 })),
    ).toMatchObject({ code: "Forbidden" });
    const reason = new Error("enough");
    const stop = new AbortController();
    const stopped = failureOf(informer.reshard({ index: 1, count: 2 }, { signal: stop.signal }));
    stop.abort(reason);
    expect(await stopped).toBe(reason);
    const overtaken = failureOf(informer.reshard({ index: 1, count: 2 }));
    const last = failureOf(informer.reshard({ index: 1, count: 3 }));
    expect(await overtaken).toMatchObject({ code: "Aborted" });
    expect(await failureOf(informer.reshard({ index: 3, count: 3 }))).toMatchObject({
      code: "InvalidArgument",
    });
    expect(informer.list().map(nameOf)).toEqual(before);
    expect(log.filter((line) => !line.startsWith("add"))).toEqual([]);
    expect(api.openWatches).toBe(1);
    await informer.close();
    expect(await last).toMatchObject({ code: "Closed" });
    expect(await failureOf(informer.reshard(undefined))).toMatchObject({ code: "Closed" });
    expect(api.openWatches).toBe(0);
    for (const fault of faults) {
      fault.remove();
    }
  });

  it("I16: close() resolves when no request of a move in progress is open either", async () => {
    const clock = createVirtualClock();
    const open = { old: false, next: false };
    const slowToEnd = (name: keyof typeof open, script: ListResponse[]) => {
      const source = new ScriptedSource({ lists: script });
      source.watchBatches = async function* ({ signal }) {
        open[name] = true;
        yield [];
        await sleep(clock, 1e9, signal).catch(() => {});
        await turn();
        open[name] = false;
      };
      return new SharedCache<KubeObject>(source, { streamingList: false }, clock);
    };
    const next = slowToEnd("next", [list(3)]);
    const informer = new Informer(slowToEnd("old", [list(5)]), {}, () => next);
    await clock.advance(0);
    const moving = informer.reshard(undefined).catch(({ code }: KubeError) => code);
    await clock.advance(0);
    expect(open).toEqual({ old: true, next: true });
    await informer.close();
    expect(open).toEqual({ old: false, next: false });
    expect(await moving).toBe("Closed");
  });

  it("informers of the same shard share its watch; those of other shards do not", async () => {
    const { api, client } = await embedded(10);
    await using first = createInformer(client, ConfigMap, {
      shard: { index: 0, count: 2 },
      view: "full",
    });
    await using same = createInformer(client, ConfigMap, {
      shard: { index: 0, count: 2, by: "uid" },
      view: "full",
    });
    await using other = createInformer(client, ConfigMap, {
      shard: { index: 1, count: 2 },
      view: "full",
    });
    await Promise.all([first.synced(), same.synced(), other.synced()]);
    expect(api.openWatches).toBe(2);
    await first.reshard({ index: 1, count: 2 });
    expect([api.openWatches, first.list().length]).toEqual([2, other.list().length]);
    await same.reshard({ index: 1, count: 2 });
    expect(api.openWatches).toBe(1);
  });

  it("follow takes a shard too; shard together with shardSelector is rejected", async () => {
    const { client } = await embedded(30);
    const names: string[] = [];
    for (const shard of partsOf(3)) {
      for await (const event of follow(client, ConfigMap, { namespace: "default", shard })) {
        if (event.type === "synced") {
          break;
        }
        names.push("object" in event ? nameOf(event.object) : event.type);
      }
    }
    expect(names.sort()).toEqual(Array.from({ length: 30 }, (_, i) => `c${i}`).sort());
    const both = { shard: { index: 0, count: 1 }, shardSelector: "x" };
    expect(() => follow(client, ConfigMap, both)).toThrow("InvalidArgument");
  });
});

describe("shards on a real server", async () => {
  const isWanted = (await findAssets()) !== undefined;
  if (!isWanted) {
    console.warn("SKIPPED: shards on a real server (`--project real` runs them)");
  }
  const gate = (isOn: boolean) => [
    `--feature-gates=CBORServingAndStorage=true,ShardedListAndWatch=${isOn}`,
  ];

  it.skipIf(!isWanted).each([true, false])(
    "with ShardedListAndWatch=%s: three workers see each object once, then switch to four and to two",
    async (isOn) => {
      await using server = await startRealServer({ flags: gate(isOn) });
      if (server === undefined) {
        expect.fail("KUBEBUILDER_ASSETS has no real server");
      }
      await using client = await connect(server.connectOptions());
      await fill(client, 300);
      // The number of objects that the server itself sends for a shard.
      let sent = 0;
      for await (const { items } of readerOf(client, ConfigMap, { namespace: "default" }).listParts(
        { shardSelector: shardSelector({ index: 0, count: 3 }) },
      )) {
        sent += items.length;
      }
      const own = (await client.resource(ConfigMap, "default").list()).items.filter(
        shardFilter({ index: 0, count: 3 }) as (object: KubeObject) => boolean,
      );
      expect(sent).toBe(isOn ? own.length : 300);
      await comeAndGo(client);
    },
    60_000,
  );
});
