import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { controllerReference, defineController, generationChanged } from "@typekube/controller";
import { mergePatch } from "typekube";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { gate, shopTest } from "../shop-test.js";

const pod = {
  metadata: { generateName: "web-" },
  spec: { containers: [{ name: "a", image: "a" }] },
};

test("CR25: a created object is listed in the next run even if the watch lags by 5 s, 500 times", async () => {
  const made: string[] = [];
  const controller = defineController(Shop, {
    owns: [Pod],
    async reconcile(object, run) {
      const own = run.list(Pod, { ownedBy: true });
      if (own.length === 0) {
        const ownerReferences = [controllerReference(object)];
        const metadata = { ...pod.metadata, ownerReferences };
        made.push((await run.create(Pod, { ...pod, metadata })).metadata.name);
      }
    },
  });
  await using t = await shopTest(controller);
  using hold = t.api.hold({ resource: "pods" });
  const shops = t.client.resource(Shop, "default");
  for (let n = 0; n < 500; n++) {
    await shops.create({ metadata: { name: `s${n}` } });
  }
  await t.api.settled({ timeoutMs: 60_000 });
  for (let round = 0; round < 3; round++) {
    t.manager.controller("shop").triggerAll();
    await t.api.settled({ timeoutMs: 60_000 });
  }
  await t.clock.advance(5_000);
  hold.end();
  await t.settled({ timeoutMs: 60_000 });
  expect(made.length).toBe(500);
  expect((await t.client.resource(Pod, "default").list()).items.length).toBe(500);
});

test("CR25: a deleted object is not listed any more while the cache still has it", async () => {
  const lists: number[] = [];
  const controller = defineController(Shop, {
    reads: [ConfigMap],
    async reconcile(_, run) {
      lists.push(run.list(ConfigMap, { labelSelector: "own=yes" }).length);
      await run.delete(ConfigMap, "c");
      lists.push(run.list(ConfigMap, { labelSelector: "own=yes" }).length);
      expect(run.get(ConfigMap, "c")).toBeUndefined();
    },
  });
  await using t = await shopTest(controller);
  const labels = { own: "yes" };
  await t.client.resource(ConfigMap, "default").create({ metadata: { name: "c", labels } });
  await t.settled();
  using hold = t.api.hold({ resource: "configmaps" });
  await t.open("tea");
  hold.end();
  await t.settled();
  expect(lists).toEqual([1, 0]);
});

test("CR26: of an own write, a foreign write and the cache, the newest one is read", async () => {
  const seen: (string | undefined)[] = [];
  const controller = defineController(Shop, {
    reads: [ConfigMap],
    async reconcile(_, run) {
      seen.push(run.get(ConfigMap, "c")?.data?.["by"]);
      if (seen.length === 1) {
        await run.patch(ConfigMap, "c", mergePatch({ data: { by: "us" } }));
      }
    },
  });
  await using t = await shopTest(controller);
  const configs = t.client.resource(ConfigMap, "default");
  await configs.create({ metadata: { name: "c" }, data: { by: "start" } });
  await t.settled();
  const hold = t.api.hold({ resource: "configmaps" });
  await t.open("tea");
  const trigger = async () => {
    t.manager.controller("shop").trigger("default/tea");
    await t.api.settled();
  };
  await trigger();
  await configs.patch("c", mergePatch({ data: { by: "them" } }));
  hold.end();
  await t.settled();
  await trigger();
  expect(seen).toEqual(["start", "us", "them"]);
});

test('CR27: consistency: "wait" holds only that key until the cache has its writes, at most 5 s', async () => {
  const runs: string[] = [];
  const controller = defineController(Shop, {
    consistency: "wait",
    reads: [ConfigMap],
    async reconcile(_, run) {
      runs.push(run.name);
      if (runs.length === 1) {
        await run.create(ConfigMap, { metadata: { name: "c" } });
      }
    },
    concurrency: 2,
  });
  await using t = await shopTest(controller);
  using hold = t.api.hold({ resource: "configmaps" });
  const shops = t.client.resource(Shop, "default");
  await shops.create({ metadata: { name: "tea" } });
  await t.api.settled();
  t.manager.controller("shop").trigger("default/tea");
  await shops.create({ metadata: { name: "mate" } });
  await t.api.settled();
  expect(runs).toEqual(["tea", "mate"]);
  await t.clock.advance(5_000);
  await t.api.settled();
  expect(runs).toEqual(["tea", "mate", "tea"]);
  expect(t.lines("warn").join()).toContain("did not show an own write");
  hold.end();
});

test("CR28: an own write of the status causes no run", async () => {
  let count = 0;
  const controller = defineController(Shop, {
    reconcile: () => ({ status: { url: `${count++}` } }),
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.advance(60_000);
  expect(t.runs("default/tea").length).toBe(1);
});

test('CR28: ownEvents: "run" reconciles after own writes, too', async () => {
  let writes = 3;
  const controller = defineController(Shop, {
    ownEvents: "run",
    reconcile: () => (writes-- > 0 ? { status: { url: `${writes}` } } : undefined),
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.advance(60_000);
  expect(t.runs("default/tea").length).toBe(4);
});

test.each([
  ["edit and echo arrive", false],
  ["only the echo arrives", true],
])(
  "CR29: an edit between our read and our status write causes a run: %s",
  async (_, isCoalesced) => {
    const seen: (string | undefined)[] = [];
    const middle = gate();
    const controller = defineController(Shop, {
      when: generationChanged,
      async reconcile({ spec }, run) {
        seen.push(spec?.image);
        if (seen.length === 1) {
          await middle.passed;
        }
        await run.status.set({ url: `${spec?.image}` });
      },
    });
    await using t = await shopTest(controller);
    const shops = t.client.resource(Shop, "default");
    await shops.create({ metadata: { name: "tea" }, spec: { image: "1" } });
    await t.api.settled();
    const hold = isCoalesced ? t.api.hold({ resource: "shops" }) : undefined;
    await shops.patch("tea", mergePatch({ spec: { image: "2" } }));
    await t.api.settled();
    middle.open();
    await t.api.settled();
    hold?.end();
    await t.settled();
    expect(seen).toEqual(["1", "2"]);
    expect((await t.shop("tea"))?.status?.url).toBe("2");
  },
);

test("CR29: a foreign edit of the status next to ours causes a run", async () => {
  const seen: (number | undefined)[] = [];
  const middle = gate();
  const controller = defineController(Shop, {
    async reconcile({ status }, run) {
      seen.push(status?.ready);
      if (seen.length === 1) {
        await middle.passed;
      }
      await run.status.set({ url: "ours" });
    },
  });
  await using t = await shopTest(controller);
  const shops = t.client.resource(Shop, "default");
  await shops.create({ metadata: { name: "tea" } });
  await t.api.settled();
  using hold = t.api.hold({ resource: "shops" });
  await shops.status.patch("tea", mergePatch({ status: { ready: 7 } }));
  middle.open();
  await t.api.settled();
  hold.end();
  await t.settled();
  // One run for each of the two events.
  expect(seen).toEqual([undefined, 7, 7]);
});

test("CR29: a write whose response was lost causes a run", async () => {
  let runs = 0;
  const controller = defineController(Shop, {
    retry: { jitter: 0 },
    async reconcile(_, run) {
      runs++;
      await run.status.set({ url: "x" });
    },
  });
  await using t = await shopTest(controller);
  t.api.fault({ resource: "shops", subresource: "status", reset: "after", times: 1 });
  await t.open("tea");
  await t.advance(1_000);
  expect(runs).toBeGreaterThanOrEqual(2);
  expect((await t.shop("tea"))?.status?.url).toBe("x");
});

test("CQ31: the status writes of a failing reconciler don't cut its delays", async () => {
  let count = 0;
  const controller = defineController(Shop, {
    retry: { jitter: 0 },
    async reconcile(_, run) {
      await run.status.set({ url: `${count++}` });
      throw new Error("no");
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.advance(1_400_000);
  expect(count).toBeLessThanOrEqual(20);
  expect(count).toBeGreaterThanOrEqual(18);
});

test("CR30: a reconciler that changes the object it was given has failed, in development", async () => {
  const controller = defineController(Shop, {
    retry: { maxAttempts: 1 },
    reconcile(object) {
      (object.spec as { image?: string }).image = "changed";
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea", { image: "1" });
  expect(t.runs("default/tea")[0]?.error).toBeInstanceOf(TypeError);
});

test("createOrUpdate creates, changes, leaves alone and survives somebody faster", async () => {
  let image = "1";
  const controller = defineController(Shop, {
    owns: [ConfigMap],
    async reconcile(object, run) {
      await run.createOrUpdate(ConfigMap, "c", (draft) => {
        draft.metadata = { ...draft.metadata, ownerReferences: [controllerReference(object)] };
        draft.data = { ...draft.data, image };
      });
    },
  });
  await using t = await shopTest(controller);
  const configs = t.client.resource(ConfigMap, "default");
  await t.open("tea");
  expect((await configs.get("c")).data).toEqual({ image: "1" });
  const writes = () =>
    t.api.requests.filter(
      ({ verb, resource }) => resource === "configmaps" && ["create", "update"].includes(verb),
    ).length;
  t.manager.controller("shop").trigger("default/tea");
  await t.settled();
  expect(writes()).toBe(1);
  using hold = t.api.hold({ resource: "configmaps" });
  await configs.patch("c", mergePatch({ data: { other: "x" } }));
  image = "2";
  t.manager.controller("shop").trigger("default/tea");
  await t.api.settled();
  await t.clock.advance(100);
  hold.end();
  await t.settled();
  expect((await configs.get("c")).data).toEqual({ image: "2", other: "x" });
});

test("CR28: an own write causes no run when the watch is faster than its response", async () => {
  const seen: (string | undefined)[] = [];
  const controller = defineController(Shop, {
    async reconcile({ spec }, run) {
      seen.push(spec?.image);
      await run.status.set({ url: `${spec?.image}` });
      // The event of the write arrives during the run.
      await middle.passed;
    },
  });
  const middle = gate();
  await using t = await shopTest(controller);
  const shops = t.client.resource(Shop, "default");
  await shops.create({ metadata: { name: "tea" }, spec: { image: "1" } });
  await t.api.settled();
  middle.open();
  await t.settled();
  expect(seen).toEqual(["1"]);
});

test("CR25: an object that was created and deleted while the watch was dead is created again", async () => {
  const controller = defineController(Shop, {
    owns: [ConfigMap],
    async reconcile(_, run) {
      await run.apply(ConfigMap, { metadata: { name: "c" }, data: { a: "1" } });
    },
  });
  await using t = await shopTest(controller);
  // The watch reports nothing; it ends, and its history is gone.
  using hold = t.api.hold({ resource: "configmaps" });
  await t.client.resource(Shop, "default").create({ metadata: { name: "tea" } });
  await t.api.settled();
  const configs = t.client.resource(ConfigMap, "default");
  await configs.delete("c");
  t.api.compact();
  t.api.dropWatches({ resource: "configmaps" });
  hold.end();
  await t.settled();
  await t.advance(60_000);
  expect(await configs.find("c")).toBeDefined();
});
