import { expect, it } from "vitest";
import { emptyNamespace } from "../../src/controllers/namespaces/empty-namespace.js";
import type { ApiObject } from "../../src/objects/api-object.js";
import { conditionsOf } from "../../src/objects/conditions.js";
import { createControllerContext, objectOf, podOf } from "./controller-context.js";

const shop = { namespace: "shop" };

it("deletes pods first, waits for finalizers, and then removes the namespace", async () => {
  const context = await createControllerContext("configmaps");
  const { writer } = context;
  const clusterWide = { namespace: undefined };
  const created = writer.create("namespaces", objectOf("v1", "Namespace", "shop", {}, clusterWide));
  writer.create("configmaps", objectOf("v1", "ConfigMap", "settings", {}, shop));
  const held = podOf("held", {}, { ...shop, finalizers: ["x.io/hold"] });
  const pod = writer.create("pods", held);
  writer.delete("namespaces", created);

  await emptyNamespace(context, "shop");
  expect(writer.get("configmaps", "shop", "settings")).toBeDefined();
  const current = writer.get("namespaces", "", "shop") ?? created;
  const isTrue = conditionsOf(current).filter(({ status }) => status === "True");
  expect(isTrue.map(({ type }) => type)).toEqual([
    "NamespaceContentRemaining",
    "NamespaceFinalizersRemaining",
  ]);

  const deleted: ApiObject = writer.get("pods", "shop", "held") ?? pod;
  writer.update("pods", { ...deleted, metadata: { ...deleted.metadata, finalizers: [] } });
  await emptyNamespace(context, "shop");
  expect(writer.get("configmaps", "shop", "settings")).toBeUndefined();
  expect(writer.get("namespaces", "", "shop")).toBeUndefined();
});
