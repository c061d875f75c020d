import assert from "node:assert/strict";
import { ConfigMap } from "@typekube/api/core/v1";
import type { Encoding } from "@typekube/client";
import { projectBody, projectionOf } from "@typekube/core/internal";
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
];

function sorted<T extends { readonly metadata: { readonly name: string } }>(objects: T[]): T[] {
  return objects.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}
