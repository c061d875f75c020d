import type { KubeObject } from "@typekube/api";
import { ConfigMap, Namespace, Node } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { reconcileOnce } from "@typekube/apiserver/testing";
import { defineController, startManager } from "@typekube/controller";
import { expect, test } from "vitest";
import { brand, brandDefinition } from "../brand.js";
import { Shop, shopDefinition } from "../shop.js";
import { gate, shopTest } from "../shop-test.js";

const namespace = { apiVersion: "v1", kind: "Namespace" } as const;
const node = { apiVersion: "v1", kind: "Node" } as const;
const clusterWide = brandDefinition("Cluster");

/** Returns a desired object of a kind whose type is not known. */
const named = (name: string, more: object = {}) => ({ metadata: { name }, ...more }) as never;

test("a cluster-wide kind that discovery finds is read by its name", async () => {
  const seen: unknown[] = [];
  const controller = defineController(Shop, {
    reads: [node],
    reconcile: (_, run) => void seen.push(run.get(node, "n1")?.metadata.name),
  });
  await using t = await shopTest(controller);
  await t.client.resource(Node).create({ metadata: { name: "n1" } });
  await t.settled();
  await t.open("tea");
  expect(seen).toEqual(["n1"]);
});

test("a cluster-wide kind that discovery finds is listed whole, cached and live", async () => {
  const seen: unknown[] = [];
  const names = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata?.name);
  const controller = defineController(Shop, {
    reads: [node],
    async reconcile(_, run) {
      seen.push(names(run.list(node)), names(await run.live.list(node)));
      seen.push((await run.live.get(node, "n1"))?.metadata.name);
    },
  });
  await using t = await shopTest(controller);
  await t.client.resource(Node).create({ metadata: { name: "n1" } });
  await t.settled();
  await t.open("tea");
  expect(seen).toEqual([["n1"], ["n1"], "n1"]);
});

test("a cluster-wide kind that discovery finds and no cache holds is read live", async () => {
  const seen: unknown[] = [];
  const controller = defineController(Shop, {
    reads: [{ kind: node, cached: false }],
    reconcile: async (_, run) => void seen.push((await run.live.get(node, "n1"))?.metadata.name),
  });
  await using t = await shopTest(controller);
  await t.client.resource(Node).create({ metadata: { name: "n1" } });
  await t.open("tea");
  expect(seen).toEqual(["n1"]);
});

test("runs begin when kinds without a cache are looked up, too", async () => {
  await using api = await startApiServer({ clock: "virtual" });
  await using client = await api.client();
  await client.resource(Node).create({ metadata: { name: "n1" } });
  await client.resource(ConfigMap, "default").create({ metadata: { name: "a" } });
  const seen: unknown[] = [];
  const controller = defineController(
    { kind: ConfigMap, namespaces: ["default"] },
    {
      reads: [{ kind: node, cached: false }],
      async reconcile(_, run) {
        seen.push(run.isServed(node), (await run.live.get(node, "n1"))?.metadata.name);
      },
    },
  );
  const log = () => {};
  const slow = { when: ({ path }: { readonly path: string }) => path === "/apis", delayMs: 1_000 };
  api.fault({ ...slow, times: Infinity });
  const started = startManager(client, { controllers: [controller], log });
  await api.settled();
  expect(seen).toEqual([]);
  await api.clock.advance(1_000);
  await using _ = await started;
  await api.settled();
  expect(seen.slice(0, 2)).toEqual([true, "n1"]);
});

test("a change of a cluster-wide kind that discovery finds runs what refers to it", async () => {
  const controller = defineController(Shop, {
    watches: [{ kind: node, by: () => ["n1"] }],
    reconcile() {},
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  expect([...t.manager.controller("shop").missingReferences()]).toEqual([["v1/Node", ["n1"]]]);
  await t.client.resource(Node).create({ metadata: { name: "n1" } });
  await t.settled();
  expect(t.runs("default/tea").length).toBe(2);
  expect([...t.manager.controller("shop").missingReferences()]).toEqual([["v1/Node", []]]);
});

test("an applied object of a cluster-wide kind that discovery finds is not pruned", async () => {
  const controller = defineController(Shop, {
    owns: [namespace],
    async reconcile(_, run) {
      await run.apply(namespace, named("made"), { track: "label" });
    },
    finalize() {},
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  expect(await t.client.resource(Namespace).find("made")).toBeDefined();
});

test("a namespaced owner cannot own an object of a cluster-wide kind that discovery finds", async () => {
  const controller = defineController(Shop, {
    owns: [namespace],
    async reconcile(_, run) {
      await run.apply(namespace, named("made"));
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  expect(t.runs("default/tea")[0]?.error?.message).toMatch(
    /Shop default\/tea cannot own Namespace "made", which is cluster-wide/,
  );
});

test("a run creates, changes and deletes objects of a cluster-wide kind that discovery finds", async () => {
  const controller = defineController(Shop, {
    reads: [namespace],
    async reconcile(_, run) {
      await run.createOrUpdate(namespace, "made", () => {});
      await run.createOrUpdate(namespace, "made", ({ metadata = {} }) => {
        metadata.labels = { a: "1" };
      });
      await run.create(namespace, named("brief"));
      await run.delete(namespace, "brief");
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  expect(t.runs("default/tea")[0]?.outcome).toBe("success");
  const namespaces = t.client.resource(Namespace);
  expect((await namespaces.get("made")).metadata.labels).toMatchObject({ a: "1" });
  expect((await namespaces.find("brief"))?.metadata.deletionTimestamp).not.toBe("");
});

test("objects of a cluster-wide kind that discovery finds are reconciled, and own objects of all namespaces", async () => {
  const keys: unknown[] = [];
  const brands = defineController(brand, {
    owns: [ConfigMap],
    async reconcile({ metadata }, run) {
      keys.push([run.key, run.name, run.namespace]);
      await run.apply(ConfigMap, { metadata: { name: metadata.name, namespace: "default" } });
      return { status: { shops: 1 } as never };
    },
    finalize: () => void keys.push("finalized"),
  });
  await using t = await shopTest(brands, { load: [clusterWide] });
  const client = t.client.resource(brand);
  await client.create(named("acme"));
  await t.settled();
  expect(keys).toEqual([["acme", "acme", undefined]]);
  expect(await client.get("acme")).toMatchObject({ status: { shops: 1 } });
  await t.client.resource(ConfigMap, "default").delete("acme");
  await t.settled();
  expect(keys.length).toBe(2);
  expect(await t.client.resource(ConfigMap, "default").find("acme")).toBeDefined();
  await client.delete("acme");
  await t.settled();
  expect(keys[2]).toBe("finalized");
  expect(await client.find("acme")).toBeUndefined();
});

test("reconcileOnce takes an object of a cluster-wide kind that discovery finds", async () => {
  const brands = defineController(brand, {
    reconcile: (_, run) => run.notReady("Seen", run.key),
  });
  const result = await reconcileOnce(brands, named("acme"), { definitions: [clusterWide] });
  expect(result).toMatchObject({ outcome: "notReady", reason: "Seen", log: [] });
  expect(result.object?.metadata).toMatchObject({ name: "acme" });
});

test("the start names a declared kind that discovery does not find in time", async () => {
  await using api = await startApiServer({ clock: "virtual" });
  await using client = await api.client();
  await api.load([shopDefinition]);
  const controller = defineController(Shop, {
    watches: [{ kind: brand, by: () => [] }],
    syncTimeoutMs: 1_000,
    reconcile() {},
  });
  const reported = gate();
  const log = ({ message }: { readonly message: string }) =>
    message.startsWith("the cache of example.com/v1/Brand has a problem") && reported.open();
  const started = startManager(client, { controllers: [controller], log });
  const refused = expect(started).rejects.toMatchObject({
    code: "NotFound",
    message: expect.stringContaining(
      "the controller shop cannot read example.com/v1/Brand: this server does not serve Brand",
    ),
  });
  await reported.passed;
  await api.clock.advance(1_000);
  await refused;
});

test("a watched kind whose definition comes after the start has the scope of its definition", async () => {
  const controller = defineController(Shop, {
    watches: [{ kind: brand, by: ({ spec }) => [spec?.image ?? ""] }],
    onUnavailable: "wait",
    reconcile() {},
  });
  await using t = await shopTest(controller);
  await t.open("tea", { image: "acme" });
  expect(t.runs().length).toBe(0);
  await t.api.load([clusterWide]);
  await t.advance(30_000);
  expect(t.runs("default/tea").length).toBe(1);
  await t.client.resource(brand).create(named("acme"));
  await t.settled();
  expect(t.runs("default/tea").length).toBe(2);
});

test("a controller whose kind comes after the start reconciles its objects by the scope of the definition", async () => {
  const keys: string[] = [];
  const brands = defineController(brand, {
    onUnavailable: "wait",
    reconcile: (_, run) => void keys.push(run.key),
  });
  await using t = await shopTest(brands);
  await t.api.load([clusterWide]);
  await t.advance(30_000);
  await t.client.resource(brand).create(named("acme"));
  await t.settled();
  expect(keys).toEqual(["acme"]);
});

test("a kind whose definition returns with another scope and plural is read by the new scope", async () => {
  const seen: unknown[] = [];
  const controller = defineController(Shop, {
    watches: [{ kind: brand, by: () => ["acme"] }],
    reconcile: (_, run) => void seen.push(run.get(brand, "acme")?.metadata.namespace),
  });
  await using t = await shopTest(controller, { load: [clusterWide] });
  await t.client.resource(brand).create(named("acme"));
  await t.open("tea");
  await t.client.deleteAll([clusterWide]);
  await t.advance(60_000);
  await t.api.load([brandDefinition("Namespaced", "marks")]);
  await t.advance(60_000);
  await t.client.resource(brand, "default").create(named("acme"));
  await t.settled();
  expect(seen.at(-1)).toBe("default");
});
