import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap } from "@typekube/api/core/v1";
import { strategicPatch } from "@typekube/client";
import type { ConformanceCase } from "../conformance-case.js";
import { configMap, deployment } from "../support/objects.js";
import { expectRefusal } from "../support/raw-request.js";
import { widgets as widgetKind, widgetsIn } from "../support/widgets.js";

/** Cases for strategic merge patches, which use the merge keys of built-in kinds. */
export const strategicPatches: readonly ConformanceCase[] = [
  {
    id: "strategic-merges-by-key",
    name: "a strategic patch merges containers by their names",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      await deployments.create(deployment("a"));
      const patched = await deployments.patch(
        "a",
        strategicPatch({
          spec: {
            template: {
              spec: {
                containers: [
                  { name: "main", env: [{ name: "A", value: "1" }] },
                  { name: "extra", image: "registry.k8s.io/extra:1" },
                ],
              },
            },
          },
        }),
      );
      const containers = patched.spec?.template.spec?.containers ?? [];
      const byName = Object.fromEntries(containers.map((one) => [one.name, one]));
      assert.deepEqual(Object.keys(byName).sort(), ["extra", "main"]);
      assert.equal(byName["main"]?.image, "registry.k8s.io/pause:3.10");
      assert.deepEqual(byName["main"]?.env, [{ name: "A", value: "1" }]);
    },
  },
  {
    id: "strategic-delete-directive",
    name: "a strategic patch removes a list item by its key",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      const two = deployment("a");
      two.spec?.template.spec?.containers.push({ name: "extra", image: "registry.k8s.io/extra:1" });
      await deployments.create(two);
      const patched = await deployments.patch(
        "a",
        strategicPatch({
          spec: { template: { spec: { containers: [{ name: "extra", $patch: "delete" }] } } },
        }),
      );
      const containers = patched.spec?.template.spec?.containers ?? [];
      assert.deepEqual(
        containers.map(({ name }) => name),
        ["main"],
      );
    },
  },
  {
    id: "strategic-replace-directive",
    name: "a strategic patch replaces a map with the directive replace",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a", { one: "1", two: "2" }));
      const patched = await configMaps.patch(
        "a",
        strategicPatch({ data: { $patch: "replace", k: "v" } }),
      );
      assert.deepEqual(patched.data, { k: "v" });
    },
  },
  {
    id: "strategic-primitive-list",
    name: "a strategic patch merges a list of finalizers and deletes from it",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create({ metadata: { name: "a", finalizers: ["x.io/1"] } });
      const added = await configMaps.patch(
        "a",
        strategicPatch({ metadata: { finalizers: ["x.io/2"] } }),
      );
      assert.deepEqual([...(added.metadata.finalizers ?? [])].sort(), ["x.io/1", "x.io/2"]);
      const removed = await configMaps.patch(
        "a",
        strategicPatch({
          metadata: { "$deleteFromPrimitiveList/finalizers": ["x.io/1", "x.io/2"] },
        }),
      );
      assert.equal(removed.metadata.finalizers, undefined);
    },
  },
  {
    id: "strategic-retain-keys",
    name: "a strategic patch with retainKeys drops the other keys of a union",
    async run({ client, namespace }) {
      const deployments = client.resource(Deployment, namespace);
      await deployments.create(deployment("a"));
      const patched = await deployments.patch(
        "a",
        strategicPatch({ spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } }),
      );
      assert.deepEqual(patched.spec?.strategy, { type: "Recreate" });
    },
  },
  {
    id: "UPD11",
    name: "a strategic patch of a custom resource is rejected by the compiler, the client and the server",
    async run(context) {
      const { client, namespace } = context;
      const widgets = widgetsIn(client, namespace);
      await widgets.create({ metadata: { name: "a" }, spec: { size: 1 } });
      // @ts-expect-error a strategic patch of a kind that is not built in
      const refused = await widgets.patch("a", strategicPatch({ spec: { size: 2 } })).catch(String);
      assert.match(
        String(refused),
        /\[InvalidArgument\] Widget .* use mergePatch, jsonPatch or apply/,
      );
      await expectRefusal(
        context,
        {
          method: "PATCH",
          path: `/apis/${widgetKind.apiVersion}/namespaces/${namespace}/widgets/a`,
          contentType: "application/strategic-merge-patch+json",
          body: { spec: { size: 2 } },
        },
        {
          code: 415,
          reason: "UnsupportedMediaType",
          message:
            /accepted media types include: application\/json-patch\+json, application\/merge-patch\+json, application\/apply-patch\+yaml/,
        },
      );
    },
  },
];
