import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap } from "@typekube/api/core/v1";
import { reconcileOnce } from "@typekube/apiserver/testing";
import { defineController, keepFields, rbacOf } from "@typekube/controller";
import { mergePatch } from "typekube";
import { expect, test } from "vitest";
import { shardsWorld } from "../shards/shards-world.js";
import { Shop } from "../shop.js";
import { type ShopTest, shopTest } from "../shop-test.js";

const shops = keepFields(Shop, ["spec.image"]);

const requests = (t: ShopTest, verb: string) =>
  t.api.requests.filter((one) => one.verb === verb && one.resource === "shops").length;

const theirs = {
  type: "Theirs",
  status: "True",
  reason: "Ok",
  message: "",
  lastTransitionTime: "2026-01-01T00:00:00Z",
};

test("fields: a change outside of the kept fields causes no run; a kept one, a new generation and a pause that ends do", async () => {
  const seen: unknown[] = [];
  const controller = defineController(shops, { reconcile: (shop) => void seen.push(shop) });
  await using t = await shopTest(controller);
  await t.open("tea", { image: "1", host: "h" });
  await t.change("tea", (draft) => {
    draft.metadata = { ...draft.metadata, labels: { a: "b" }, annotations: { note: "x" } };
  });
  await t.client
    .resource(Shop, "default")
    .status.patch("tea", mergePatch({ status: { ready: 1 } }));
  await t.settled();
  expect(t.runs("default/tea").length).toBe(1);
  await t.change("tea", (draft) => {
    draft.spec = { ...draft.spec, host: "other" };
  });
  expect(t.runs("default/tea").length).toBe(2);
  const annotations = { "typekube.dev/paused": "true" };
  await t.change("tea", (draft) => {
    draft.metadata = { ...draft.metadata, annotations };
    draft.spec = { image: "2" };
  });
  const before = seen.length;
  expect(before).toBe(2);
  await t.change("tea", (draft) => {
    draft.metadata = { ...draft.metadata, annotations: {} };
  });
  expect(seen.length).toBe(3);
  expect(seen[2]).toMatchObject({ metadata: { generation: 3 }, spec: { image: "2" } });
  expect(JSON.stringify(seen)).not.toContain("host");
});

test("fields: unchanged: deliver causes a run for each change of others, and none for an own one", async () => {
  const controller = defineController(
    { kind: shops, unchanged: "deliver" },
    { reconcile: () => ({ status: { ready: 3 } }) },
  );
  await using t = await shopTest(controller);
  await t.open("tea", { image: "1" });
  expect(t.runs("default/tea").length).toBe(1);
  await t.change("tea", (draft) => {
    draft.metadata = { ...draft.metadata, labels: { a: "b" } };
  });
  expect(t.runs("default/tea").length).toBe(2);
  expect((await t.shop("tea"))?.status?.ready).toBe(3);
});

test("fields: a finalizer is added in the first run, whose object has the kept fields, and cleans up once", async () => {
  const seen: unknown[] = [];
  const controller = defineController(shops, {
    reconcile: (shop) => void seen.push(shop),
    finalize: (shop) => void seen.push(shop),
  });
  await using t = await shopTest(controller);
  await t.open("tea", { image: "1", host: "h" });
  expect(t.runs("default/tea").length).toBe(1);
  expect((await t.shop("tea"))?.metadata?.finalizers).toEqual(["example.com/shop"]);
  expect(seen).toEqual([
    expect.objectContaining({ spec: { image: "1" }, kind: "Shop", apiVersion: "example.com/v1" }),
  ]);
  await t.client.resource(Shop, "default").delete("tea");
  await t.settled();
  expect(seen.length).toBe(2);
  expect(await t.shop("tea")).toBeUndefined();
});

test("fields: a status that the cache does not keep keeps the conditions of others, and is written once", async () => {
  const controller = defineController(shops, {
    async reconcile(_, run) {
      await run.status.set({ url: "http://tea" });
      const ready = { type: "Ready", status: "True", reason: "Up" } as const;
      return { status: { ready: 1, conditions: [ready] } };
    },
  });
  await using t = await shopTest(controller, {
    before: async (client) => {
      const all = client.resource(Shop, "default");
      await all.create({ metadata: { name: "tea" }, spec: { image: "1" } });
      await all.status.patch("tea", mergePatch({ status: { conditions: [theirs] } }));
    },
  });
  await t.settled();
  const { status } = (await t.shop("tea")) ?? {};
  expect(status?.url).toBe("http://tea");
  expect(
    status?.conditions?.map(({ type, observedGeneration }) => [type, observedGeneration]),
  ).toEqual([
    ["Theirs", undefined],
    ["Ready", 1],
  ]);
  expect(t.runs("default/tea").length).toBe(1);
  const patches = requests(t, "patch");
  const gets = requests(t, "get");
  t.manager.controller("shop").trigger("default/tea");
  await t.settled();
  expect(t.runs("default/tea").length).toBe(2);
  // One read of the whole object, and no write.
  expect([requests(t, "patch") - patches, requests(t, "get") - gets]).toEqual([0, 1]);
});

test("fields: a status that the cache keeps is compared without a read", async () => {
  const kept = keepFields(Shop, ["spec.image", "status.ready"]);
  const controller = defineController(kept, { reconcile: () => ({ status: { ready: 1 } }) });
  await using t = await shopTest(controller);
  await t.open("tea", { image: "1" });
  t.manager.controller("shop").trigger("default/tea");
  await t.settled();
  expect((await t.shop("tea"))?.status?.ready).toBe(1);
  expect([t.runs("default/tea").length, requests(t, "get")]).toEqual([2, 1]);
});

test("fields: notReady and a failed finalizer write their conditions beside those of others", async () => {
  const controller = defineController(shops, {
    reconcile: (_, run) => run.notReady("Waiting"),
    finalize() {
      throw new Error("no");
    },
    retry: { maxAttempts: 1 },
  });
  await using t = await shopTest(controller, {
    before: async (client) => {
      const all = client.resource(Shop, "default");
      await all.create({ metadata: { name: "tea" }, spec: { image: "1" } });
      const ready = { ...theirs, type: "Ready" };
      await all.status.patch("tea", mergePatch({ status: { conditions: [theirs, ready] } }));
    },
  });
  await t.settled();
  const reasons = async () =>
    (await t.shop("tea"))?.status?.conditions?.map(({ type, reason }) => `${type} ${reason}`);
  expect(await reasons()).toEqual(["Theirs Ok", "Ready Waiting"]);
  await t.client.resource(Shop, "default").delete("tea");
  await t.settled();
  expect(await reasons()).toEqual(["Theirs Ok", "Ready Waiting", "Finalizing FinalizeFailed"]);
});

test("fields: a run changes its own object by patch and createOrUpdate, not by update", async () => {
  const errors: unknown[] = [];
  const images: unknown[] = [];
  const controller = defineController(shops, {
    async reconcile(shop, run) {
      if (shop.spec?.image !== "1") {
        return;
      }
      await run.update(shops, shop as never).catch((error: unknown) => errors.push(error));
      await run.createOrUpdate(shops, run.name, (draft) => {
        expect(draft.spec?.host).toBe("h");
        draft.spec = { ...draft.spec, replicas: 4 };
      });
      await run.patch(shops, run.name, mergePatch({ spec: { image: "2" } }));
      images.push(run.get(shops, run.name)?.spec);
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea", { image: "1", host: "h" });
  expect(errors).toEqual([expect.objectContaining({ code: "InvalidArgument" })]);
  expect((await t.shop("tea"))?.spec).toEqual({ image: "2", host: "h", replicas: 4 });
  expect(images).toEqual([{ image: "2" }]);
  expect(t.runs("default/tea").length).toBe(1);
});

test("fields: reconcileOnce, plan and rbacOf are the same with some fields as with whole objects", async () => {
  const define = <K extends typeof Shop | typeof shops>(kind: K) =>
    defineController(kind, {
      owns: [ConfigMap],
      reads: [],
      async reconcile(shop, run) {
        const { image = "" } = (shop as Shop).spec ?? {};
        await run.apply(ConfigMap, { metadata: { name: "c" }, data: { image } });
        return { status: { ready: 1 } as never };
      },
      finalize() {},
    });
  const object = { metadata: { name: "tea" }, spec: { image: "1", host: "h" } };
  const part = await reconcileOnce(define(shops), object);
  const whole = await reconcileOnce(define(Shop), object);
  expect(part.writes).toEqual(whole.writes);
  expect(part.object).toEqual(whole.object);
  expect(part.status).toEqual({ ready: 1 });
  expect(rbacOf(define(shops))).toEqual(rbacOf(define(Shop)));
  await using t = await shopTest(define(shops));
  await t.open("tea", { image: "1" });
  expect(await t.manager.controller("shop").plan("default/tea")).toMatchObject([
    { kind: "v1/ConfigMap" },
  ]);
});

test("fields: replicas that share the objects keep some fields of them, and hand them over", async () => {
  const maps = keepFields(ConfigMap, ['data["a"]']);
  const seen: string[] = [];
  const controller = (identity: string) =>
    defineController(
      { kind: maps, namespaces: ["default"] },
      {
        name: "maps",
        reconcile: ({ metadata: { name }, data }) => {
          seen.push(`${identity} ${name} ${JSON.stringify(data)}`);
        },
      },
    );
  await using w = await shardsWorld();
  const all = w.client.resource(ConfigMap, "default");
  const names = Array.from({ length: 20 }, (_, at) => `c-${at}`);
  for (const name of names) {
    await all.create({ metadata: { name }, data: { a: name, b: "x" } });
  }
  const seenBy = (identity: string) => new Set(seen.filter((run) => run.startsWith(identity)));
  const until = (isReached: () => boolean) =>
    expect
      .poll(
        async () => {
          await w.advance(1_000);
          return isReached();
        },
        { timeout: 20_000 },
      )
      .toBe(true);
  const first = await w.start("one", { controller: controller("one") });
  await w.start("two", { controller: controller("two") });
  await until(() => seenBy("one").size + seenBy("two").size >= names.length);
  await until(() => first.manager.shards.length === 6);
  expect(seen.every((run) => /^\w+ (c-\d+) \{"a":"\1"\}$/.test(run))).toBe(true);
  void first.manager.stop();
  await until(() => seenBy("two").size === names.length);
  await w.advance(1_000);
  const before = seen.length;
  for (const name of names) {
    await all.patch(name, mergePatch({ data: { b: "y" } }));
  }
  await all.patch("c-0", mergePatch({ data: { a: "c-00" } }));
  await until(() => seen.length > before);
  expect(seen.slice(before)).toEqual(['two c-0 {"a":"c-00"}']);
}, 30_000);

test("fields: a status that the server drops makes no later change of others news", async () => {
  const controller = defineController(keepFields(Deployment, ["spec.replicas"]), {
    async reconcile(_, run) {
      // Deployments have no such field.
      await run.status.set({ unknown: "x" } as never);
    },
  });
  await using t = await shopTest(controller);
  const all = t.client.resource(Deployment, "default");
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } };
  await all.create({
    metadata: { name: "web" },
    spec: { selector: { matchLabels: labels }, template },
  });
  await t.settled();
  expect(t.runs("default/web").map(({ error }) => error)).toEqual([undefined]);
  // Annotations of a Deployment count for its generation, which controllers keep.
  const label = async (n: number) => {
    await all.patch("web", mergePatch({ metadata: { labels: { n: String(n) } } }));
    await t.settled();
    return t.runs("default/web").length;
  };
  expect([await label(1), await label(2), await label(3)]).toEqual([1, 1, 1]);
});
