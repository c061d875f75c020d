import type { KubeObject, Live } from "@typekube/api";
import { ConfigMap, Pod, Secret } from "@typekube/api/core/v1";
import { controllerTest } from "@typekube/apiserver/testing";
import {
  allOf,
  annotationsChanged,
  defineController,
  defineKeyController,
  generationChanged,
  keepFields,
  labelsChanged,
  not,
} from "@typekube/controller";
import { expect, test } from "vitest";
import { get } from "../metrics/metrics-test.js";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

const pods = keepFields(Pod, ["spec.nodeName"]);
const address = { port: 0, host: "127.0.0.1" };

test("fields: a kind with fields is frozen data, and keeps its own copy of the paths", () => {
  const paths: ["spec.nodeName"] = ["spec.nodeName"];
  const kept = keepFields(Pod, paths);
  paths.pop();
  expect(kept.fields).toEqual(["spec.nodeName"]);
  expect(kept.kind).toBe(Pod);
  expect(Object.isFrozen(kept) && Object.isFrozen(kept.fields)).toBe(true);
});

test.each([
  ["no kind", () => keepFields({} as never, [] as never), /not a kind/],
  ["fields that are no list", () => keepFields(Pod, "spec" as never), /must be an array of paths/],
  [
    "managedFields",
    () => keepFields(Pod, ["metadata.managedFields"]),
    /caches never have metadata.managedFields/,
  ],
  ["a text that is no path", () => keepFields(Pod, ["spec..nodeName"] as never), /not a path/],
  [
    "fields as an option",
    () => defineController({ kind: Pod, fields: ["spec"] } as never, { reconcile() {} }),
    /fields is no option.*keepFields/s,
  ],
  [
    "unchanged for whole objects",
    () => defineController(Pod, { owns: [{ kind: Secret, unchanged: "skip" }], reconcile() {} }),
    /owns of .*unchanged is for kinds with some fields/s,
  ],
  [
    "another unchanged",
    () => defineController({ kind: pods, unchanged: "no" as never }, { reconcile() {} }),
    /unchanged must be "skip" or "deliver"/,
  ],
  [
    "fields and the view of the metadata",
    () => defineController(Pod, { reads: [{ kind: pods, view: "metadata" }], reconcile() {} }),
    /view: "metadata" and fields exclude each other/,
  ],
  [
    "fields without a cache",
    () => defineController(Secret, { reads: [{ kind: pods, cached: false }], reconcile() {} }),
    /cached: false keeps no fields/,
  ],
])("fields: %s is refused", (_, call, message) => {
  expect(call).toThrow(expect.objectContaining({ code: "InvalidArgument" }));
  expect(call).toThrow(message);
});

test("fields: a path that leads to no field fails the start with the nearest name", async () => {
  const wrong = keepFields(Pod, ["spec.nodename"] as never);
  const controller = defineController(ConfigMap, { reads: [wrong], reconcile() {} });
  await expect(controllerTest(controller, { manager: { log() {} } })).rejects.toMatchObject({
    code: "InvalidArgument",
    message: expect.stringMatching(
      /controller configmap cannot read v1\/Pod.*did you mean "spec.nodeName"\?/s,
    ),
  });
});

test("fields: the caches keep what filters of the package read", () => {
  const filters = allOf(generationChanged, not(labelsChanged), annotationsChanged);
  const controller = defineController(pods, {
    when: filters,
    watches: [{ kind: keepFields(ConfigMap, ["data"]), map: () => [], when: labelsChanged }],
    reads: [keepFields(Secret, ["type"])],
    pauseWhen: () => false,
    reconcile() {},
  });
  expect(controller.kind).toMatchObject({
    fields: ["spec.nodeName"],
    addedFields: [
      "metadata.generation",
      "metadata.finalizers",
      "metadata.labels",
      "metadata.annotations",
    ],
  });
  expect(controller.watches[0]?.kind.addedFields).toEqual(["metadata.labels"]);
  expect(controller.reads[0]?.addedFields).toEqual([]);
});

test("fields: readyz?verbose and the running controller show the fields of each cache, and those that were added", async () => {
  const controller = defineController(keepFields(Shop, ["spec.image"]), {
    owns: [keepFields(ConfigMap, ["data"])],
    reads: [Secret, { kind: pods, namespaces: ["default"] }],
    pauseWhen: () => false,
    reconcile() {},
  });
  await using t = await shopTest(controller, { manager: { health: address } });
  const { status, body } = await get(t.manager.ports.health, "/readyz?verbose");
  expect(status).toBe(200);
  expect(body.split("\n").filter((line) => line.startsWith("info: "))).toEqual([
    "info: example.com/v1/Shop is cached with spec.image; added for the controller: metadata.generation, metadata.finalizers",
    "info: v1/ConfigMap is cached with data; added for the controller: metadata.generation, metadata.labels, metadata.ownerReferences",
    "info: v1/Pod is cached with spec.nodeName",
  ]);
  expect((await get(t.manager.ports.health, "/readyz")).body).toBe("ok");
  const { caches } = t.manager.controller("shop");
  expect(caches.map(({ kind, namespaces, fields }) => [kind, namespaces, fields])).toEqual([
    ["example.com/v1/Shop", undefined, ["spec.image"]],
    ["v1/ConfigMap", undefined, ["data"]],
    ["v1/Secret", undefined, undefined],
    ["v1/Pod", ["default"], ["spec.nodeName"]],
  ]);
  expect(caches.map(({ health }) => health.map(({ synced }) => synced))).toEqual([
    [true],
    [true],
    [true],
    [true],
  ]);
});

test("fields: a cache of metadata that another declaration made says so", async () => {
  const configs = keepFields(ConfigMap, ["data"]);
  const controller = defineController(Shop, {
    reads: [{ kind: ConfigMap, view: "metadata" }, configs],
    reconcile: (_, run) => void run.get(configs, "c"),
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  expect(String(t.runs("default/tea").at(-1)?.error)).toContain(
    "the cache of v1/ConfigMap has metadata only, as its first declaration says",
  );
});

test("fields: a kind that discovery finds keeps fields too, and a key controller reads them", async () => {
  const shops = keepFields({ apiVersion: "example.com/v1", kind: "Shop" }, ["spec.image"]);
  const seen: unknown[] = [];
  const controller = defineKeyController(shops, {
    reconcileKey(key, run) {
      seen.push(run.get(shops, key)?.["spec"]);
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea", { image: "1", host: "h" });
  expect(seen).toEqual([{ image: "1" }]);
  await t.client.resource(Shop, "default").delete("tea");
  await t.settled();
  expect(seen).toEqual([{ image: "1" }, undefined]);
});

test("fields: several namespaces, selectors and indexes narrow a kind with fields", async () => {
  const configs = keepFields(ConfigMap, ['data["of"]']);
  const narrowed = {
    kind: configs,
    namespaces: ["default", "kube-public"],
    labelSelector: "app=web",
    indexes: { initial: ({ metadata }: Live<KubeObject>) => [metadata.name.slice(0, 1)] },
  };
  const seen: string[] = [];
  const controller = defineController(Shop, {
    watches: [{ kind: narrowed, map: ({ data }) => [`default/${data?.of}`] }],
    reconcile({ metadata: { name } }, run) {
      const indexed = run.list(configs, { namespace: "*", index: { initial: "b" } });
      const found = run.list(configs, { namespace: "*" });
      const named = (list: typeof found) => list.map(({ metadata }) => metadata.name).join();
      seen.push(`${name} ${named(found)} ${named(indexed)}`);
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  for (const [namespace, name, app] of [
    ["default", "a", "web"],
    ["kube-public", "b", "web"],
    ["kube-public", "c", "db"],
  ] as const) {
    const all = t.client.resource(ConfigMap, namespace);
    await all.create({ metadata: { name, labels: { app } }, data: { of: "tea" } });
    await t.settled();
  }
  expect(seen).toEqual(["tea  ", "tea a ", "tea a,b b"]);
});
