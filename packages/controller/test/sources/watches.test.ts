import type { KubeObject, Live } from "@typekube/api";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Namespace, Secret } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import {
  allOf,
  annotationsChanged,
  anyOf,
  type ChangeFilter,
  defineController,
  defineKeyController,
  generationChanged,
  labelsChanged,
  not,
  startManager,
} from "@typekube/controller";
import { mergePatch } from "typekube";
import { expect, test } from "vitest";
import { ownersOf } from "../../src/sources/owners.js";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

const reference = (uid: string, more: object = {}) => ({
  apiVersion: "example.com/v1",
  kind: "Shop",
  name: "tea",
  uid,
  controller: true,
  ...more,
});

async function uidOf(t: Awaited<ReturnType<typeof shopTest>>, name: string): Promise<string> {
  return (await t.shop(name))?.metadata?.uid ?? "";
}

const idle = () => defineController(Shop, { owns: [ConfigMap], reconcile() {} });

test("CW1: a change of an owned object runs its owner, whatever the version of the reference", async () => {
  await using t = await shopTest(idle());
  await t.open("tea");
  const ownerReferences = [reference(await uidOf(t, "tea"), { apiVersion: "example.com/v2" })];
  const configs = t.client.resource(ConfigMap, "default");
  await configs.create({ metadata: { name: "c", ownerReferences } });
  await t.settled();
  expect(t.runs("default/tea").length).toBe(2);
  await configs.patch("c", mergePatch({ data: { a: "1" } }));
  await t.settled();
  expect(t.runs("default/tea").length).toBe(3);
});

test("CW1, CW3, CW4: owners are found by group and kind; only the controller's, unless all count", () => {
  const object = (...ownerReferences: object[]) =>
    ({ metadata: { namespace: "prod", ownerReferences } }) as unknown as Live<KubeObject>;
  const ofShop = { kind: Shop, isNamespaced: true };
  expect(ownersOf(object(reference("1", { apiVersion: "example.com/v9" })), ofShop, false)).toEqual(
    [{ key: "prod/tea", uid: "1" }],
  );
  expect(ownersOf(object(reference("1", { apiVersion: "other.com/v1" })), ofShop, false)).toEqual(
    [],
  );
  expect(ownersOf(object(reference("1", { kind: "Shed" })), ofShop, false)).toEqual([]);
  expect(ownersOf(object(reference("1", { controller: false })), ofShop, false)).toEqual([]);
  expect(ownersOf(object(reference("1", { controller: false })), ofShop, true).length).toBe(1);
  const clusterWide = { kind: Namespace, isNamespaced: false };
  const ofNamespace = reference("1", { apiVersion: "v1", kind: "Namespace" });
  expect(ownersOf(object(ofNamespace), clusterWide, false)).toEqual([{ key: "tea", uid: "1" }]);
});

test("CW2: an object that changes its owner runs the old one and the new one", async () => {
  await using t = await shopTest(idle());
  await t.open("tea");
  await t.open("mate");
  const configs = t.client.resource(ConfigMap, "default");
  const of = async (name: string) => [reference(await uidOf(t, name), { name })];
  await configs.create({ metadata: { name: "c", ownerReferences: await of("tea") } });
  await t.settled();
  const ownerReferences = await of("mate");
  await configs.patch("c", mergePatch({ metadata: { ownerReferences } }));
  await t.settled();
  expect(t.runs("default/tea").length).toBe(3);
  expect(t.runs("default/mate").length).toBe(2);
});

test("CW5: an object of an earlier namesake of its owner runs nothing, and is reported once", async () => {
  await using t = await shopTest(idle());
  await t.open("tea");
  const configs = t.client.resource(ConfigMap, "default");
  await configs.create({ metadata: { name: "c", ownerReferences: [reference("another")] } });
  await t.settled();
  await configs.patch("c", mergePatch({ data: { a: "1" } }));
  await t.settled();
  expect(t.runs("default/tea").length).toBe(1);
  expect(t.lines("warn").filter((line) => line.includes("orphaned child")).length).toBe(1);
});

test("CW6: the deletion of an owned object that only a new list shows runs the owner of its last state", async () => {
  await using t = await shopTest(idle());
  await t.open("tea");
  const ownerReferences = [reference(await uidOf(t, "tea"))];
  const configs = t.client.resource(ConfigMap, "default");
  await configs.create({ metadata: { name: "c", ownerReferences } });
  await t.settled();
  expect(t.runs("default/tea").length).toBe(2);
  t.api.fault({ verb: "watch", resource: "configmaps", status: 500, times: 1 });
  t.api.dropWatches({ resource: "configmaps" });
  await configs.delete("c");
  t.api.compact();
  await t.advance(60_000);
  expect(t.runs("default/tea").length).toBe(3);
});

test("CW7: generationChanged passes additions, deletions and changes of the spec only", async () => {
  const seen: string[] = [];
  const controller = defineKeyController(Shop, {
    when: generationChanged,
    reconcileKey: (_, run) => void seen.push(run.causes.forDebug.map(({ type }) => type).join()),
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  const shops = t.client.resource(Shop, "default");
  await shops.status.patch("tea", mergePatch({ status: { url: "x" } }));
  await shops.patch("tea", mergePatch({ metadata: { labels: { a: "b" } } }));
  await t.settled();
  expect(seen).toEqual(["add"]);
  await t.change("tea", (draft) => {
    draft.spec = { image: "2" };
  });
  await shops.delete("tea");
  await t.settled();
  expect(seen).toEqual(["add", "update", "delete"]);
});

test("CW8: the start of a deletion and changes of finalizers pass every filter", async () => {
  const controller = defineController(Shop, { when: () => false, reconcile() {}, finalize() {} });
  await using t = await shopTest(controller);
  await t.open("tea", {}, { finalizers: ["example.com/other", "example.com/shop"] });
  expect(t.runs().length).toBe(0);
  const shops = t.client.resource(Shop, "default");
  await shops.delete("tea");
  await t.settled();
  expect(t.runs().length).toBe(1);
  expect((await t.shop("tea"))?.metadata?.finalizers).toEqual(["example.com/other"]);
});

test("CW9: generationChanged passes every update of a kind without generations", async () => {
  const controller = defineController(ConfigMap, { when: generationChanged, reconcile() {} });
  await using t = await shopTest(controller);
  const configs = t.client.resource(ConfigMap, "default");
  await configs.create({ metadata: { name: "c" } });
  await t.settled();
  await configs.patch("c", mergePatch({ data: { a: "1" } }));
  await t.settled();
  expect(t.runs("default/c").length).toBe(2);
});

test("CW10: filters are functions that anyOf, allOf and not combine", () => {
  const object = (labels: object, generation: number) =>
    ({ metadata: { labels, generation } }) as unknown as Live<KubeObject>;
  const before = object({ a: "1" }, 1);
  const labelled = object({ a: "2" }, 1);
  const either = anyOf(generationChanged, labelsChanged);
  expect(either(labelled, before)).toBe(true);
  expect(either(object({ a: "1" }, 2), before)).toBe(true);
  expect(either(object({ a: "1" }, 1), before)).toBe(false);
  expect(allOf(generationChanged, labelsChanged)(labelled, before)).toBe(false);
  expect(not(labelsChanged)(labelled, before)).toBe(false);
  expect(annotationsChanged(labelled, before)).toBe(false);
  expect(annotationsChanged(labelled, undefined)).toBe(true);
});

test("CW11: an object created again under its name passes generationChanged", async () => {
  await using t = await shopTest(
    defineController(Shop, { when: generationChanged, reconcile() {} }),
  );
  await t.open("tea");
  using hold = t.api.hold({ resource: "shops" });
  const shops = t.client.resource(Shop, "default");
  await shops.delete("tea");
  await shops.create({ metadata: { name: "tea" } });
  hold.end();
  await t.settled();
  expect(t.runs("default/tea").length).toBeGreaterThanOrEqual(2);
});

test("CW12: a filter that throws lets its changes pass, and is reported once", async () => {
  const broken: ChangeFilter = () => {
    throw new Error("broken filter");
  };
  await using t = await shopTest(defineController(Shop, { when: broken, reconcile() {} }));
  await t.open("tea");
  await t.open("mate");
  expect(t.runs().length).toBe(2);
  expect(t.lines("error").length).toBe(1);
});

test("CW13: a filtered object is in the cache all the same", async () => {
  const names: string[][] = [];
  const controller = defineController(Shop, {
    when: ({ spec }) => spec?.image === "run",
    reconcile: (_, run) => void names.push(run.list(Shop).map(({ metadata }) => metadata.name)),
  });
  await using t = await shopTest(controller);
  await t.open("quiet");
  await t.open("tea", { image: "run" });
  expect(names).toEqual([["quiet", "tea"]]);
});

test("CW14: a map returns no, one, several and the same keys, and may be a promise", async () => {
  const controller = defineController(Shop, {
    watches: [
      {
        kind: ConfigMap,
        map: ({ data = {} }) =>
          data["later"] ? Promise.resolve(["default/tea"]) : (data["keys"]?.split(",") ?? []),
      },
    ],
    reconcile() {},
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.open("mate");
  const configs = t.client.resource(ConfigMap, "default");
  const make = async (name: string, data: Record<string, string>) => {
    await configs.create({ metadata: { name }, data });
    await t.settled();
    return [t.runs("default/tea").length, t.runs("default/mate").length];
  };
  expect(await make("none", {})).toEqual([1, 1]);
  expect(await make("one", { keys: "default/tea" })).toEqual([2, 1]);
  expect(await make("twice", { keys: "default/tea,default/tea,default/mate" })).toEqual([3, 2]);
  expect(await make("later", { later: "yes" })).toEqual([4, 2]);
});

test("CW14: 5,000 keys of one map are all queued, in several turns", async () => {
  const controller = defineKeyController(Shop, {
    watches: [
      { kind: ConfigMap, map: () => Array.from({ length: 5_000 }, (_, n) => `default/s${n}`) },
    ],
    reconcileKey() {},
  });
  await using t = await shopTest(controller);
  await t.client.resource(ConfigMap, "kube-public").create({ metadata: { name: "c" } });
  await expect.poll(() => new Set(t.runs().map(({ key }) => key)).size).toBe(5_000);
});

test("CW15: a map is called for the old and for the new state of an update", async () => {
  const controller = defineController(Shop, {
    watches: [{ kind: ConfigMap, map: ({ data }) => [`default/${data?.["shop"]}`] }],
    reconcile() {},
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.open("mate");
  const configs = t.client.resource(ConfigMap, "default");
  await configs.create({ metadata: { name: "c" }, data: { shop: "tea" } });
  await t.settled();
  await configs.patch("c", mergePatch({ data: { shop: "mate" } }));
  await t.settled();
  expect(t.runs("default/tea").length).toBe(3);
  expect(t.runs("default/mate").length).toBe(2);
});

test("CW16: a change of a referred object runs what refers to it; missing ones are listed", async () => {
  const controller = defineController(Shop, {
    watches: [{ kind: Secret, by: ({ spec }) => (spec?.credentials ? [spec.credentials] : []) }],
    reconcile() {},
  });
  await using t = await shopTest(controller);
  await t.open("tea", { credentials: "db" });
  await t.open("mate", { credentials: "other" });
  const missing = () => [...t.manager.controller("shop").missingReferences()];
  expect(missing()).toEqual([["v1/Secret", ["default/db", "default/other"]]]);
  await t.client.resource(Secret, "default").create({ metadata: { name: "db" } });
  await t.settled();
  expect(t.runs("default/tea").length).toBe(2);
  expect(t.runs("default/mate").length).toBe(1);
  expect(missing()).toEqual([["v1/Secret", ["default/other"]]]);
  await t.change("tea", (draft) => {
    draft.spec = { credentials: "other" };
  });
  await t.client.resource(Secret, "default").patch("db", mergePatch({ stringData: { a: "b" } }));
  await t.settled();
  expect(t.runs("default/tea").length).toBe(3);
});

test("CW17: a controller of several namespaces watches each of them", async () => {
  const controller = defineController(
    { kind: Shop, namespaces: ["default", "kube-public"] },
    { reconcile() {} },
  );
  await using t = await shopTest(controller);
  for (const namespace of ["default", "kube-public", "kube-system"]) {
    await t.client.resource(Shop, namespace).create({ metadata: { name: "tea" } });
  }
  await t.settled();
  expect(t.runs().map(({ key }) => key)).toEqual(["default/tea", "kube-public/tea"]);
  const watches = t.api.requests.filter(
    ({ verb, resource }) => verb === "watch" && resource === "shops",
  );
  expect(new Set(watches.map(({ namespace }) => namespace))).toEqual(
    new Set(["default", "kube-public"]),
  );
});

test("CW18: any async iterable of keys causes runs; one that throws is started again", async () => {
  let starts = 0;
  const controller = defineKeyController(Shop, {
    sources: [
      async function* () {
        starts++;
        yield `default/start-${starts}`;
        if (starts === 1) {
          throw new Error("broken source");
        }
        yield { namespace: "default", name: "named" };
      },
    ],
    reconcileKey() {},
  });
  await using t = await shopTest(controller);
  await t.settled();
  await t.advance(2_000);
  expect(t.runs().map(({ key }) => key)).toEqual([
    "default/start-1",
    "default/start-2",
    "default/named",
  ]);
  expect(t.lines("warn").join()).toContain("a source failed");
});

test("CW19: an object that leaves the selector runs once without it, or not at all", async () => {
  const seen: (string | undefined)[] = [];
  const chosen = { kind: Shop, labelSelector: "tier=gold" };
  const one = defineKeyController(chosen, {
    reconcileKey: (key, run) => void seen.push(run.get(Shop, key)?.metadata.name),
  });
  const other = defineController(chosen, { name: "ignoring", onLeave: "ignore", reconcile() {} });
  await using t = await shopTest([one, other]);
  await t.open("tea", {}, { labels: { tier: "gold" } });
  await t.change("tea", (draft) => {
    draft.metadata = { ...draft.metadata, labels: {} };
  });
  expect(seen).toEqual(["tea", undefined]);
  expect(t.runs().filter((run) => run.controller === "ignoring").length).toBe(1);
});

test("CW20: a change of managedFields only causes no run", async () => {
  await using t = await shopTest(defineController(Shop, { reconcile() {} }));
  await t.open("tea", { image: "1" });
  const shops = t.client.resource(Shop, "default");
  await shops.apply({ metadata: { name: "tea" }, spec: { image: "1" } }, { fieldManager: "other" });
  await t.settled();
  expect(t.runs("default/tea").length).toBe(1);
});

test("CW21, CR22: a missing right is named with the controller, the kind and the rule to add", async () => {
  await using api = await startApiServer({ clock: "virtual" });
  await using client = await api.client();
  api.fault({ resource: "secrets", status: 403, reason: "Forbidden", times: Infinity });
  const controller = defineController(Deployment, {
    reads: [Secret],
    syncTimeoutMs: 600_000,
    reconcile() {},
  });
  const started = startManager(client, { controllers: [controller], log: () => {} });
  const refused = expect(started).rejects.toMatchObject({
    code: "Forbidden",
    message: expect.stringMatching(
      /controller deployment cannot read v1\/Secret[\s\S]*apiGroups: \[""\][\s\S]*resources: \["secrets"\]/,
    ),
  });
  // A second request shows that the informer has read the answer to its first one.
  while (api.requests.filter(({ status }) => status === 403).length < 2) {
    await api.settled();
    await api.clock.advance(1_000);
  }
  await api.clock.advance(600_000);
  await refused;
  expect(api.openWatches).toBe(0);
});
