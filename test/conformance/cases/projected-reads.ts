import assert from "node:assert/strict";
import { ConfigMap, Secret } from "@typekube/api/core/v1";
import { type Encoding, mergePatch } from "@typekube/client";
import { projectBody, projectionOf } from "@typekube/core/internal";
import { defineController, keepFields, startManager } from "typekube/controller";
import type { ConformanceCase } from "../conformance-case.js";
import { collect } from "../support/collect.js";
import { customDefinition, customResource, version } from "../support/custom-resources.js";
import { configMap, namesOf } from "../support/objects.js";

const encodings: readonly Encoding[] = ["json", "protobuf", "cbor"];

/** Reads that keep some fields of each object. */
export const projectedReads: readonly ConformanceCase[] = [
  {
    id: "FIELDS-reads",
    name: "get, list, items, watch and informers keep the fields that they name, in each encoding",
    async run({ client, namespace, signal }) {
      const configMaps = client.resource(ConfigMap, namespace);
      for (const name of ["a", "b", "c"]) {
        await configMaps.create({
          ...configMap(name),
          metadata: { name, labels: { app: name }, annotations: { "example.com/owner": "x" } },
          data: { kept: name, dropped: "y" },
        });
      }
      const fields = ["metadata.labels", 'data["kept"]'] as const;
      const projection = projectionOf(fields);
      const whole = await configMaps.list();
      const expected = whole.items.map((item) => projectBody(item, projection));
      for (const encoding of encodings) {
        const options = { fields, encoding, signal };
        assert.deepEqual(await configMaps.get("a", options), expected[0], encoding);
        assert.deepEqual((await configMaps.list(options)).items, expected, encoding);
        const walk = configMaps.items({ ...options, pageSize: 2 });
        assert.deepEqual(await collect(walk), expected, encoding);
        await using informer = client.informer(ConfigMap, { ...options, namespace });
        await informer.synced();
        assert.deepEqual(sorted(informer.list()), expected, encoding);
        const seen: unknown[] = [];
        for await (const event of configMaps.watch(options)) {
          seen.push(event.object);
          if (seen.length === expected.length) {
            break;
          }
        }
        assert.deepEqual(sorted(seen as typeof whole.items), expected, encoding);
      }
    },
  },
  {
    id: "FIELDS-custom",
    name: "custom resources are read with fields too, and a projected object is not written",
    needs: ["crd"],
    async run(context) {
      const { client, namespace } = context;
      const schema = {
        type: "object",
        properties: {
          spec: {
            type: "object",
            properties: {
              size: { type: "integer" },
              parts: {
                type: "array",
                items: {
                  type: "object",
                  properties: { name: { type: "string" }, port: { type: "integer" } },
                },
              },
            },
          },
        },
      };
      const definition = customDefinition("Shelf", [version(schema)]);
      await customResource(context, definition);
      const { group } = definition.spec;
      const shelves = client.resource({ apiVersion: `${group}/v1`, kind: "Shelf" }, namespace);
      await shelves.create({
        metadata: { name: "a" },
        spec: { size: 3, parts: [{ name: "x", port: 1 }, { name: "y" }] },
      });
      const { items } = await shelves.list({ fields: ["spec.parts.name"] });
      assert.deepEqual(namesOf(items), ["a"]);
      assert.deepEqual(items[0]?.["spec"], { parts: [{ name: "x" }, { name: "y" }] });
      await assert.rejects(shelves.update(items[0] as never), { code: "InvalidArgument" });
      const whole = await shelves.get("a");
      assert.equal((whole["spec"] as { size: number }).size, 3);
    },
  },
  {
    id: "FIELDS-controllers",
    name: "a controller with some fields runs for changes of these, applies what others changed, and writes no more than it must",
    async run({ client, namespace, signal, whileTimePasses }) {
      const settings = keepFields(ConfigMap, ['data["size"]']);
      const children = keepFields(Secret, ["type"]);
      const runs: string[] = [];
      let ran = () => {};
      const until = async (isReached: () => boolean) => {
        while (!isReached()) {
          signal.throwIfAborted();
          await new Promise<void>((resolve) => {
            ran = resolve;
          });
        }
      };
      const controller = defineController(
        { kind: settings, namespaces: [namespace], labelSelector: "app=sized" },
        {
          name: "sized",
          owns: [{ kind: children, namespaces: [namespace] }],
          async reconcile({ metadata, data }, run) {
            const size = data?.size ?? "";
            const child = { metadata: { name: metadata.name }, stringData: { size } };
            const { type } = await run.apply(children, child);
            runs.push(`${size} ${type} ${Object.keys(run.get(settings, run.name) ?? {}).sort()}`);
            ran();
          },
        },
      );
      const configMaps = client.resource(ConfigMap, namespace);
      const secrets = client.resource(Secret, namespace);
      await configMaps.create({
        metadata: { name: "a", labels: { app: "sized" } },
        data: { size: "1", other: "x" },
      });
      await using manager = await startManager(client, { controllers: [controller], log() {} });
      const seen = "Opaque apiVersion,data,kind,metadata";
      await whileTimePasses(until(() => runs.length === 1));
      const { resourceVersion } = (await secrets.get("a")).metadata;
      await configMaps.patch("a", mergePatch({ data: { other: "y" } }));
      await configMaps.patch("a", mergePatch({ data: { size: "2" } }));
      await whileTimePasses(until(() => runs.length === 2));
      assert.deepEqual(runs, [`1 ${seen}`, `2 ${seen}`]);
      const second = (await secrets.get("a")).metadata;
      assert.notEqual(second.resourceVersion, resourceVersion);
      // The content is not kept: a run compares it by the resourceVersion, once the watch has shown the change.
      await secrets.patch("a", mergePatch({ data: { size: "OQ==" } }));
      const again = async () => {
        const count = runs.length;
        manager.controller("sized").trigger(`${namespace}/a`);
        await whileTimePasses(until(() => runs.length > count));
        return secrets.get("a");
      };
      let third = await again();
      while (third.data?.["size"] !== "Mg==") {
        signal.throwIfAborted();
        third = await again();
      }
      const fourth = await again();
      assert.equal(fourth.metadata.resourceVersion, third.metadata.resourceVersion);
      assert.deepEqual(
        manager.controller("sized").caches.map(({ kind, fields }) => [kind, fields]),
        [
          ["v1/ConfigMap", ['data["size"]']],
          ["v1/Secret", ["type"]],
        ],
      );
    },
  },
];

function sorted<T extends { readonly metadata: { readonly name: string } }>(objects: T[]): T[] {
  return objects.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}
