import { defineController } from "@typekube/controller";
import { mergePatch } from "typekube";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

type Test = Awaited<ReturnType<typeof shopTest>>;
const remove = async (t: Test, name: string) => {
  await t.client.resource(Shop, "default").delete(name);
  await t.settled();
};
const finalizersOf = async (t: Test, name: string) => (await t.shop(name))?.metadata?.finalizers;
const writes = (t: Test) =>
  t.api.requests.filter(
    ({ verb, resource }) => resource === "shops" && ["patch", "update", "delete"].includes(verb),
  );

test("CF1: the finalizer is added in its own request before the first reconcile, in the same run", async () => {
  const seen: unknown[] = [];
  const controller = defineController(Shop, {
    reconcile: ({ metadata }) => void seen.push(metadata.finalizers),
    finalize() {},
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  expect(seen).toEqual([["example.com/shop"]]);
  expect(t.runs("default/tea").length).toBe(1);
  expect(writes(t).map(({ verb }) => verb)).toEqual(["patch"]);
});

test("CF2: an object that is being deleted without our finalizer gets none, and is left alone", async () => {
  const called: string[] = [];
  const controller = defineController(Shop, {
    reconcile: () => void called.push("reconcile"),
    finalize: () => void called.push("finalize"),
  });
  await using t = await shopTest(controller, {
    before: async (client, api) => {
      await api.load([(await import("../shop.js")).shopDefinition]);
      const shops = client.resource(Shop, "default");
      await shops.create({ metadata: { name: "tea", finalizers: ["example.com/other"] } });
      await shops.delete("tea");
    },
  });
  await t.settled();
  await t.advance(60_000);
  expect(called).toEqual([]);
  expect(await finalizersOf(t, "tea")).toEqual(["example.com/other"]);
});

test("CF3: finalizers that others add and remove at the same time survive", async () => {
  const controller = defineController(Shop, { reconcile() {}, finalize() {} });
  await using t = await shopTest(controller);
  using hold = t.api.hold({ resource: "shops" });
  const shops = t.client.resource(Shop, "default");
  await shops.create({ metadata: { name: "tea", finalizers: ["example.com/a"] } });
  await t.api.settled();
  hold.release(1);
  // The run that follows knows only the state before this change.
  await shops.patch("tea", mergePatch({ metadata: { finalizers: ["example.com/b"] } }));
  await t.api.settled();
  hold.end();
  await t.settled();
  await t.advance(1_000);
  expect(await finalizersOf(t, "tea")).toEqual(["example.com/b", "example.com/shop"]);
});

test("CF4: the finalizer is removed when finalize resolves; a namesake is not touched", async () => {
  const names: string[] = [];
  const controller = defineController(Shop, {
    reconcile() {},
    finalize: ({ metadata }) => void names.push(metadata.name),
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await remove(t, "tea");
  expect(names).toEqual(["tea"]);
  expect(await t.shop("tea")).toBeUndefined();
  const patches = t.api.requests.filter(
    ({ verb, resource }) => verb === "patch" && resource === "shops",
  );
  expect(patches.length).toBe(2);
});

test("CF5: a finalize that throws keeps the finalizer, and is tried again with growing delays", async () => {
  let fails = true;
  let calls = 0;
  const controller = defineController(Shop, {
    retry: { jitter: 0 },
    reconcile() {},
    finalize() {
      calls++;
      if (fails) {
        throw new Error("no");
      }
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await remove(t, "tea");
  await t.advance(40);
  expect(calls).toBe(4);
  expect(await finalizersOf(t, "tea")).toEqual(["example.com/shop"]);
  fails = false;
  await t.advance(1_000);
  expect(await t.shop("tea")).toBeUndefined();
});

test("CF6: a finalize that returns requeueAfterMs or notReady keeps the finalizer", async () => {
  const outcomes = [{ requeueAfterMs: 60_000 }, "wait", "end"] as const;
  let calls = 0;
  const controller = defineController(Shop, {
    reconcile() {},
    finalize(_, run) {
      const outcome = outcomes[calls++];
      return outcome === "wait"
        ? run.notReady("Deleting")
        : outcome === "end"
          ? undefined
          : outcome;
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await remove(t, "tea");
  expect(calls).toBe(1);
  await t.advance(60_000);
  expect(calls).toBe(2);
  expect(await finalizersOf(t, "tea")).toEqual(["example.com/shop"]);
  await t.advance(1_000);
  expect(await t.shop("tea")).toBeUndefined();
});

test("CF7: an object whose finalizer was removed is not finalized again while the cache still shows it", async () => {
  let calls = 0;
  const controller = defineController(Shop, {
    reconcile() {},
    finalize: () => void calls++,
  });
  await using t = await shopTest(controller);
  await t.open("tea", {}, { finalizers: ["example.com/other", "example.com/shop"] });
  await t.client.resource(Shop, "default").delete("tea");
  await t.settled();
  using hold = t.api.hold({ resource: "shops" });
  for (let n = 0; n < 3; n++) {
    t.manager.controller("shop").trigger("default/tea");
    await t.api.settled();
  }
  hold.end();
  await t.settled();
  expect(calls).toBe(1);
  expect(await finalizersOf(t, "tea")).toEqual(["example.com/other"]);
});

test("CF8: a crash between the clean-up and the removal of the finalizer calls finalize again", async () => {
  let calls = 0;
  const controller = defineController(Shop, {
    retry: { jitter: 0 },
    reconcile() {},
    finalize: () => void calls++,
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  t.api.fault({ verb: "patch", resource: "shops", status: 500, times: 1 });
  await remove(t, "tea");
  await t.advance(100);
  expect(calls).toBe(2);
  expect(await t.shop("tea")).toBeUndefined();
});

test("CF9: several finalizers run in their order and stop at the first that fails", async () => {
  const calls: string[] = [];
  let fails = true;
  const controller = defineController(Shop, {
    retry: { jitter: 0, baseMs: 1_000 },
    reconcile() {},
    finalizers: [
      { name: "example.com/dns", finalize: () => void calls.push("dns") },
      {
        name: "example.com/disk",
        finalize() {
          calls.push("disk");
          if (fails) {
            throw new Error("no");
          }
        },
      },
      { name: "example.com/user", finalize: () => void calls.push("user") },
    ],
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  expect(await finalizersOf(t, "tea")).toEqual([
    "example.com/dns",
    "example.com/disk",
    "example.com/user",
  ]);
  await remove(t, "tea");
  expect(calls).toEqual(["dns", "disk"]);
  expect(await finalizersOf(t, "tea")).toEqual(["example.com/disk", "example.com/user"]);
  fails = false;
  await t.advance(1_000);
  expect(calls).toEqual(["dns", "disk", "disk", "user"]);
  expect(await t.shop("tea")).toBeUndefined();
});

test("CF11: releaseFinalizers removes ours from all objects; with dryRun it only names them", async () => {
  const controller = defineController(Shop, { reconcile() {}, finalize() {} });
  await using t = await shopTest(controller);
  await t.open("tea", {}, { finalizers: ["example.com/other"] });
  await t.open("mate");
  const handle = t.manager.controller("shop");
  expect(await handle.releaseFinalizers({ dryRun: true })).toEqual(["default/tea", "default/mate"]);
  expect(await finalizersOf(t, "mate")).toEqual(["example.com/shop"]);
  await handle.releaseFinalizers();
  expect(await finalizersOf(t, "tea")).toEqual(["example.com/other"]);
  expect(await finalizersOf(t, "mate")).toBeUndefined();
});

test("CF12: finalizers of a namespaced controller are handled until its namespace is gone", async () => {
  const names: string[] = [];
  const controller = defineController(
    { kind: Shop, namespaces: ["kube-public"] },
    { reconcile() {}, finalize: ({ metadata }) => void names.push(metadata.name) },
  );
  await using t = await shopTest(controller, { controllers: true });
  const shops = t.client.resource(Shop, "kube-public");
  await shops.create({ metadata: { name: "tea" } });
  await t.settled();
  await shops.deleteCollection();
  await t.settled();
  expect(names).toEqual(["tea"]);
});
