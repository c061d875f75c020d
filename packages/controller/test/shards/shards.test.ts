import { Lease } from "@typekube/api/coordination/v1";
import { ConfigMap, Secret } from "@typekube/api/core/v1";
import { defineController } from "@typekube/controller";
import { shardIndexOf } from "@typekube/informer/internal";
import { expect, test } from "vitest";
import { gate } from "../shop-test.js";
import { type Replica, type ShardsWorld, shardsWorld } from "./shards-world.js";

const counts = (held: Record<string, number[]>) =>
  Object.fromEntries(Object.entries(held).map(([who, shards]) => [who, shards.length]));

const started = async (w: ShardsWorld, ...identities: string[]): Promise<Replica[]> => {
  const replicas: Replica[] = [];
  for (const identity of identities) {
    replicas.push(await w.start(identity));
  }
  await w.advance(4_000);
  return replicas;
};

/** Longest time without a run of a key, of those that ran at least twice, in milliseconds. */
const longestGap = (w: ShardsWorld, fromMs: number) => {
  const last = new Map<string, number>();
  let longest = 0;
  for (const { key, atMs } of w.runs) {
    const before = last.get(key);
    if (before !== undefined && atMs >= fromMs) {
      longest = Math.max(longest, atMs - before);
    }
    last.set(key, atMs);
  }
  return longest;
};

test("CH1, CH11: three replicas hold four of twelve shards each within 3 s, by Leases alone", async () => {
  await using w = await shardsWorld();
  await w.create(60);
  for (const identity of ["a", "b", "c"]) {
    await w.start(identity);
  }
  await w.advance(3_000);
  expect(counts(await w.holders())).toEqual({ a: 4, b: 4, c: 4 });
  expect(w.replicas.map(({ manager }) => manager.shards.length)).toEqual([4, 4, 4]);
  const { items } = await w.client.resource(Lease, "default").list();
  expect(items.map(({ metadata }) => metadata.name)).toEqual(
    expect.arrayContaining(["op-member-a", "op-member-b", "op-member-c", "op-shard-11"]),
  );
  await w.advance(1_000);
  expect(new Set(w.runs.map(({ key }) => key)).size).toBe(60);
  expect(w.runs.length).toBe(60);
  // No other object was written: a label on an object would be another version of it.
  const { items: objects } = await w.client.resource(ConfigMap, "default").list();
  expect(objects.every(({ metadata }) => metadata.labels === undefined)).toBe(true);
});

test("CH1: three replicas with twelve shards make at most 8 requests for Leases in a second", async () => {
  await using w = await shardsWorld();
  const replicas = await started(w, "a", "b", "c");
  const before = replicas.map(({ requests }) => requests.length);
  await w.advance(60_000);
  const made = replicas.map(({ requests }, at) => requests.length - (before[at] ?? 0));
  const perSecond = made.reduce((total, one) => total + one, 0) / 60;
  console.log(`requests for Leases: ${perSecond.toFixed(1)} a second`);
  expect(perSecond).toBeLessThan(8);
});

test.each(["uid", "namespace"] as const)(
  "CH2: each object runs in the replica that holds the shard of its %s",
  async (by) => {
    await using w = await shardsWorld();
    const shards = { count: 12, name: "op", namespace: "default", by };
    for (const identity of ["a", "b"]) {
      await w.start(identity, { shards: { ...shards, identity } });
    }
    await w.create(40);
    await w.advance(4_000);
    const shardOf = shardIndexOf(12);
    const held = await w.holders();
    const keys = new Set(w.runs.map(({ key }) => key));
    expect(keys.size).toBe(40);
    for (const { replica, uid } of w.runs) {
      expect(held[replica]).toContain(shardOf(by === "uid" ? uid : "default"));
    }
  },
);

test.each([true, false])(
  "CH3: with ShardedListAndWatch %s the watches select the held shards, and a server without it is reported once",
  async (isOn) => {
    await using w = await shardsWorld({ featureGates: { ShardedListAndWatch: isOn } });
    await w.create(40);
    const replicas = await started(w, "a", "b", "c");
    expect(w.runs.length).toBe(40);
    for (const { requests, manager, log } of replicas) {
      const last = requests.findLast(({ path }) => path.startsWith("/api/v1/configmaps"));
      const selector = new URLSearchParams(last?.path.split("?")[1]).get("shardSelector") ?? "";
      expect(selector.startsWith("shardRange(object.metadata.uid, '0x")).toBe(true);
      expect(selector.split(" || ").length).toBeLessThanOrEqual(manager.shards.length);
      const told = log.filter(({ message }) => message.includes("ShardedListAndWatch"));
      expect(told.length).toBe(isOn ? 0 : 1);
    }
  },
);

test("CH3: with ShardedListAndWatch, events of other replicas' objects do not arrive", async () => {
  const bytes: number[] = [];
  for (const isOn of [true, false]) {
    await using w = await shardsWorld({ featureGates: { ShardedListAndWatch: isOn } });
    const replicas = await started(w, "a", "b", "c");
    for (const { received } of replicas) {
      received.bytes = 0;
    }
    await w.create(60);
    await w.advance(1_000);
    bytes.push(replicas.reduce((sum, { received }) => sum + received.bytes, 0));
  }
  const [selected, all] = bytes as [number, number];
  // Each object reaches one replica instead of three; bookmarks come on top.
  expect(all / selected).toBeGreaterThan(2.5);
});

test("CH4: changes of children run their owner, in the replica of the owner's shard", async () => {
  await using w = await shardsWorld();
  const runs: string[] = [];
  const owner = (replica: string) =>
    defineController(ConfigMap, {
      name: "owner",
      owns: [Secret],
      when: ({ metadata }) => metadata.namespace === "default",
      async reconcile({ metadata }, run) {
        if (metadata.namespace === "default" && metadata.name.startsWith("c")) {
          runs.push(`${replica} ${metadata.name}`);
          await run.apply(Secret, { metadata: { name: `${metadata.name}-child` } });
        }
      },
    });
  for (const identity of ["a", "b"]) {
    await w.start(identity, { controller: owner(identity) });
  }
  await w.create(20);
  await w.advance(4_000);
  const replicaOf = new Map(runs.map((run) => run.split(" ").reverse() as [string, string]));
  expect(replicaOf.size).toBe(20);
  expect(new Set(replicaOf.values()).size).toBe(2);
  runs.length = 0;
  const secrets = w.client.resource(Secret, "default");
  for (let n = 0; n < 20; n += 1) {
    await secrets.delete(`c${n}-child`);
  }
  await w.advance(1_000);
  expect((await secrets.list()).items.length).toBe(20);
  for (const run of runs) {
    const [replica, name] = run.split(" ") as [string, string];
    expect(replicaOf.get(name)).toBe(replica);
  }
  expect(new Set(runs).size).toBe(20);
});

test("CH5: the shards of a replica that dies are taken within 15.5 s, by both of the others", async () => {
  await using w = await shardsWorld();
  await w.create(40);
  const [, , c] = await started(w, "a", "b", "c");
  c?.cut();
  await w.advance(15_500);
  expect(counts(await w.holders())).toEqual({ a: 6, b: 6 });
  await w.advance(200);
  const late = w.runs.filter(({ atMs }) => atMs > w.api.clock.now() - 6_000);
  expect(new Set(late.map(({ key }) => key)).size).toBeGreaterThan(5);
  expect(late.every(({ replica }) => replica !== "c")).toBe(true);
});

test("CH6: a replica that stops hands over its shards one by one; every key is tended within 3 s", async () => {
  await using w = await shardsWorld();
  await w.create(40);
  const options = { reconcile: () => ({ requeueAfterMs: 500 }) };
  for (const identity of ["a", "b", "c"]) {
    await w.start(identity, options);
  }
  await w.advance(5_000);
  const from = w.api.clock.now();
  const [, b] = w.replicas;
  const stopped = b?.manager.stop();
  for (let n = 0; n < 20; n += 1) {
    await w.advance(100);
  }
  await stopped;
  expect(counts(await w.holders())).toEqual({ a: 6, c: 6 });
  const { items } = await w.client.resource(Lease, "default").list();
  expect(items.map(({ metadata }) => metadata.name)).not.toContain("op-member-b");
  await w.advance(3_000);
  expect(longestGap(w, from)).toBeLessThan(1_500);
});

test("CH6: a shard is released after its runs have ended, and taken within 1 s", async () => {
  await using w = await shardsWorld();
  const end = gate();
  await w.create(1);
  const first = await w.start("a", { reconcile: () => end.passed });
  await w.advance(3_000);
  const second = await w.start("b");
  await w.advance(10_000);
  const busy = w.runs.filter(({ endMs }) => endMs === undefined);
  expect(busy.map(({ replica }) => replica)).toEqual(["a"]);
  const shard = shardIndexOf(12)(busy[0]?.uid ?? "");
  expect(first.manager.shards).toContain(shard);
  const stopped = first.manager.stop();
  await w.advance(3_000);
  // All others have moved.
  expect(second.manager.shards.length).toBe(11);
  const endedAt = w.api.clock.now();
  end.open();
  await w.advance(900);
  await stopped;
  expect(second.manager.shards.length).toBe(12);
  const next = w.runs.find(({ replica }) => replica === "b");
  expect((next?.atMs ?? Number.NaN) - endedAt).toBeLessThan(1_000);
});

test("CH7: a replica that joins gets its share within 30 s, and only its shards move", async () => {
  await using w = await shardsWorld();
  await started(w, "a", "b", "c");
  const before = await w.holders();
  await w.start("d");
  await w.advance(10_000);
  const after = await w.holders();
  expect(counts(after)).toEqual({ a: 3, b: 3, c: 3, d: 3 });
  for (const identity of ["a", "b", "c"]) {
    expect(before[identity]).toEqual(expect.arrayContaining(after[identity] ?? []));
  }
});

test("CH6: a replica that stops while it hands over a shard aborts the runs of that shard", async () => {
  await using w = await shardsWorld();
  const signals: AbortSignal[] = [];
  const untilAborted = defineController(ConfigMap, {
    name: "configmap",
    concurrency: 40,
    reconcile: (_, { signal }) =>
      new Promise<void>((resolve) => {
        signals.push(signal);
        signal.addEventListener("abort", () => resolve());
      }),
  });
  await w.create(30);
  const a = await w.start("a", { controller: untilAborted, graceMs: 20_000 });
  await w.advance(10_000);
  expect(signals.length).toBeGreaterThan(29);
  await w.start("b");
  await w.advance(3_000);
  // Of the six shards of b, some wait for their runs.
  expect(a.manager.shards.length).toBeGreaterThan(6);
  expect(signals.some(({ aborted }) => aborted)).toBe(false);
  const stopped = a.manager.stop().then(
    () => "in time",
    (error: Error) => error.message,
  );
  await w.advance(15_000);
  await expect(stopped).resolves.toBe("in time");
});

test("CH9: the objects of a shard that moves run at once with priority -100, whatever they waited for", async () => {
  await using w = await shardsWorld();
  await w.create(30);
  const runs: string[] = [];
  const controller = (replica: string) =>
    defineController(ConfigMap, {
      name: "configmap",
      when: ({ metadata }) => metadata.namespace === "default",
      reconcile({ metadata }, run) {
        if (metadata.namespace === "default" && metadata.name.startsWith("c")) {
          const [cause] = run.causes.forDebug;
          runs.push(`${replica} ${cause?.type} attempt ${run.attempt}`);
          if (metadata.name === "c1") {
            throw new Error("fails");
          }
          return { requeueAfterMs: 3_600_000 };
        }
        return undefined;
      },
    });
  await w.start("a", { controller: controller("a") });
  await w.advance(20_000);
  await w.start("b", { controller: controller("b") });
  await w.advance(60_000);
  await w.replicas[0]?.manager.stop();
  await w.advance(1_000);
  // The failures of c1 in the first replica do not count in the second one.
  const arrived = runs.filter((text) => text.startsWith("b initial attempt 1"));
  expect(arrived.length).toBe(30);
  const priorities = w.priorities.filter(
    ({ replica, key }) => replica === "b" && key !== "default/c1",
  );
  expect(new Set(priorities.map(({ priority }) => priority))).toEqual(new Set([-100]));
});

test("CH10: replicas with another number of shards begin when no replica of the old number is left", async () => {
  await using w = await shardsWorld();
  await w.create(40);
  const [a, b] = await started(w, "a", "b");
  const other = { count: 24, name: "op", namespace: "default" };
  const c = await w.start("c", { shards: { ...other, identity: "c" } });
  const d = await w.start("d", { shards: { ...other, identity: "d" } });
  await w.advance(20_000);
  expect([c, d].map(({ manager }) => manager.shards)).toEqual([[], []]);
  await a?.manager.stop();
  await w.advance(5_000);
  expect(b?.manager.shards.length).toBe(12);
  expect(c.manager.shards).toEqual([]);
  const until = w.api.clock.now();
  await b?.manager.stop();
  await w.advance(5_000);
  expect(counts(await w.holders())).toEqual({ c: 12, d: 12 });
  const later = w.runs.filter(({ atMs, replica }) => atMs >= until && /[cd]/.test(replica));
  expect(new Set(later.map(({ key }) => key)).size).toBe(40);
});

test("CH8: a replica that is cut off aborts its runs at the deadline, writes nothing later, and works again afterwards", async () => {
  await using w = await shardsWorld();
  const end = gate();
  let signal: AbortSignal | undefined;
  const a = await w.start("a", {
    reconcile: async (_, given) => {
      signal ??= given;
      await end.passed;
    },
  });
  await w.create(1);
  await w.advance(3_000);
  expect(w.runs.length).toBe(1);
  a.cut();
  await w.advance(7_900);
  expect(signal?.aborted).toBe(false);
  await w.advance(3_000);
  expect(signal?.reason).toMatchObject({ code: "LeadershipLost" });
  expect(a.manager.shards).toEqual([]);
  a.heal();
  end.open();
  await w.advance(40_000);
  expect(a.manager.shards.length).toBe(12);
  expect(w.runs.length).toBeGreaterThan(1);
});

test("a part with leaderOnly runs in the replica that holds the first shard", async () => {
  await using w = await shardsWorld();
  const running: string[] = [];
  for (const identity of ["a", "b"]) {
    const { manager } = await w.start(identity);
    manager.add(
      {
        name: "part",
        run: ({ signal }) =>
          new Promise<void>((resolve) => {
            running.push(identity);
            signal.addEventListener("abort", () => {
              running.splice(running.indexOf(identity), 1);
              resolve();
            });
          }),
      },
      { leaderOnly: true },
    );
  }
  await w.advance(4_000);
  const [first] = running;
  expect(running.length).toBe(1);
  const holder = w.replicas.find(({ identity }) => identity === first);
  expect(holder?.manager.shards).toContain(0);
  await holder?.manager.stop();
  await w.advance(1_000);
  expect(running.length).toBe(1);
  expect(running).not.toEqual([first]);
});

test("shards with leaderElection, an invalid name, number or identity are refused", async () => {
  await using w = await shardsWorld();
  const start = (shards: unknown, more: object = {}) =>
    w.start("a", { shards: shards as never, ...more });
  await expect(
    start(12, { leaderElection: { name: "x", namespace: "default" } }),
  ).rejects.toMatchObject({ code: "InvalidArgument" });
  await expect(start(0)).rejects.toThrow(/shards.count: must be/);
  await expect(start({ name: "op" })).rejects.toThrow(/shards.count: must be set/);
  await expect(start({ count: 2, name: "Op" })).rejects.toThrow(/shards.name: must be/);
  await expect(start({ count: 2, identity: "a_b" })).rejects.toThrow(/shards.identity/);
  await expect(start({ count: 2, nmae: "a" })).rejects.toThrow(/nmae/);
  await expect(start({ count: 2, by: "name" })).rejects.toThrow(/shards.by/);
  await expect(start({ count: 2, leaseDurationMs: 5_000 })).rejects.toThrow(/renewDeadlineMs/);
  expect(w.api.openWatches).toBe(0);
});
