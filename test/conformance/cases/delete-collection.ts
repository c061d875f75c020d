import assert from "node:assert/strict";
import { ConfigMap } from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import { isStatus } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { configMap, createConfigMaps, namesOf } from "../support/objects.js";
import { readObjects, typeAndName } from "../support/read-watch.js";
import { widgetsIn } from "../support/widgets.js";

/** Cases for deleting a collection. */
export const deleteCollection: readonly ConformanceCase[] = [
  {
    id: "delete-collection-all",
    name: "deleteCollection without selectors deletes every object of the namespace and returns them as a list",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await createConfigMaps(client, namespace, 3);
      const response = await configMaps.deleteCollection();
      assert.ok(!isStatus(response));
      assert.equal(response.kind, "ConfigMapList");
      assert.equal(response.items.length, 3);
      assert.deepEqual((await configMaps.list()).items, []);
    },
  },
  {
    id: "delete-collection-labels",
    name: "deleteCollection applies a label selector",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await createConfigMaps(client, namespace, 4, (index) => ({ even: String(index % 2 === 0) }));
      await configMaps.deleteCollection({ labelSelector: { even: "true" } });
      assert.deepEqual(namesOf((await configMaps.list()).items), ["cm-01", "cm-03"]);
    },
  },
  {
    id: "delete-collection-fields",
    name: "deleteCollection applies a field selector",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await createConfigMaps(client, namespace, 3);
      await configMaps.deleteCollection({ fieldSelector: "metadata.name=cm-01" });
      assert.deepEqual(namesOf((await configMaps.list()).items), ["cm-00", "cm-02"]);
    },
  },
  {
    id: "delete-collection-one-namespace",
    name: "deleteCollection leaves other namespaces alone",
    async run({ client, namespace }) {
      const name = `kept-${namespace}`;
      const elsewhere = client.resource(ConfigMap, "default");
      await elsewhere.create(configMap(name));
      await client.resource(ConfigMap, namespace).deleteCollection();
      assert.ok(await elsewhere.find(name));
    },
  },
  {
    id: "GRP31",
    name: "deleteCollection leaves objects with finalizers terminating and deletes the rest",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await createConfigMaps(client, namespace, 2);
      await configMaps.create({ metadata: { name: "held", finalizers: ["x.io/hold"] } });
      await configMaps.deleteCollection();
      const { items } = await configMaps.list();
      assert.deepEqual(namesOf(items), ["held"]);
      assert.ok(items[0]?.metadata.deletionTimestamp);
      await configMaps.patch("held", mergePatch({ metadata: { finalizers: null } }));
    },
  },
  {
    id: "delete-collection-dry-run",
    name: "a dry run of deleteCollection deletes nothing",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await createConfigMaps(client, namespace, 2);
      await configMaps.deleteCollection({ dryRun: "All" });
      assert.equal((await configMaps.list()).items.length, 2);
    },
  },
  {
    id: "delete-collection-watch",
    name: "deleteCollection sends a watch event for every object",
    async run({ client, namespace, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await createConfigMaps(client, namespace, 3);
      const { metadata } = await configMaps.list();
      await configMaps.deleteCollection();
      const { resourceVersion } = metadata;
      const events = await readObjects(configMaps.watch({ resourceVersion, signal }), 3);
      assert.deepEqual(typeAndName(events).sort(), [
        "DELETED cm-00",
        "DELETED cm-01",
        "DELETED cm-02",
      ]);
    },
  },
  {
    id: "delete-collection-custom",
    name: "deleteCollection deletes custom resources the same way",
    async run({ client, namespace }) {
      const widgets = widgetsIn(client, namespace);
      await widgets.create({ metadata: { name: "a" } });
      await widgets.create({ metadata: { name: "b", labels: { keep: "yes" } } });
      const response = await widgets.deleteCollection({ labelSelector: "!keep" });
      assert.equal(isStatus(response), false);
      assert.deepEqual(namesOf((await widgets.list()).items), ["b"]);
    },
  },
];
