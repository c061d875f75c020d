import assert from "node:assert/strict";
import { generate, readCluster, readDefinitions, type SourcesRead } from "@typekube/crd/generate";
import type { ConformanceCase } from "../conformance-case.js";
import { customDefinition, customResource, version } from "../support/custom-resources.js";

/** A group of its own: other cases compare all versions of the group that they share. */
const group = "generated.typekube.dev";

const schema = {
  description: "A plant.",
  type: "object",
  required: ["spec"],
  properties: {
    spec: {
      type: "object",
      required: ["color"],
      properties: {
        color: { type: "string", enum: ["red", "green"], description: "Its color." },
        height: { type: "integer", format: "int64", minimum: 0, default: 1 },
        note: { type: "string", nullable: true },
        port: { "x-kubernetes-int-or-string": true },
        any: { "x-kubernetes-preserve-unknown-fields": true },
        leaves: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
        },
        source: {
          type: "object",
          properties: { seed: { type: "string" }, cutting: { type: "string" } },
          oneOf: [{ required: ["seed"] }, { required: ["cutting"] }],
        },
      },
      "x-kubernetes-validations": [{ rule: "self.height < 100", message: "too high" }],
    },
    status: { type: "object", properties: { replicas: { type: "integer" } } },
  },
};

const plants = {
  ...customDefinition(
    "Plant",
    [
      version(schema, {
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: "Color", type: "string", jsonPath: ".spec.color" }],
      }),
      version(schema, { name: "x1", storage: false, deprecated: true }),
      version(schema, { name: "x2", storage: false, served: false }),
    ],
    { group },
  ),
  metadata: { name: `plants.${group}` },
};

/** Returns the generated modules of the kind by path. */
function modulesOf(read: SourcesRead): Record<string, string> {
  return Object.fromEntries(generate([read], { kinds: ["Plant"], groups: [group] }).files);
}

/** Types generated from a cluster. */
export const generatedTypes: readonly ConformanceCase[] = [
  {
    id: "GT1-cluster",
    name: "types generated from a cluster are those generated from its definition",
    needs: ["crd"],
    async run(context) {
      await customResource(context, plants);
      const { client, signal } = context;
      const read = await readCluster(client, { groups: [group], signal });
      assert.deepEqual(read.notes, []);
      const apiVersion = "apiextensions.k8s.io/v1";
      const manifest = { ...plants, apiVersion, kind: "CustomResourceDefinition" };
      const fromFile = await readDefinitions([{ name: "a", text: JSON.stringify(manifest) }]);
      const modules = modulesOf(read);
      assert.deepEqual(Object.keys(modules), [`${group}/v1.ts`, `${group}/x1.ts`]);
      assert.deepEqual(modules, modulesOf(fromFile));
    },
  },
  {
    id: "GT7-denied",
    name: "a user who may not list definitions gets the same types from OpenAPI documents, and a note",
    needs: ["crd", "users"],
    async run(context) {
      await customResource(context, plants);
      const { client, clientOf, signal, whileTimePasses } = context;
      await using viewer = await clientOf("viewer");
      const described = async (): Promise<SourcesRead> => {
        // Real servers publish the document of each version after a moment.
        for (;;) {
          const read = await readCluster(viewer, { groups: [group], signal });
          if (`${group}/v1.ts` in modulesOf(read) && `${group}/x1.ts` in modulesOf(read)) {
            return read;
          }
          viewer.discovery.invalidate();
          await client.version({ signal });
        }
      };
      const read = await whileTimePasses(described());
      assert.equal(read.notes.length, 1);
      assert.match(read.notes[0] ?? "", /may not list customresourcedefinitions/);
      const denied = modulesOf(read);
      const allowed = modulesOf(await readCluster(client, { groups: [group], signal }));
      assert.deepEqual(Object.keys(denied), Object.keys(allowed));
      for (const [path, text] of Object.entries(allowed)) {
        assert.equal(withoutFacts(denied[path] ?? ""), withoutFacts(text));
      }
    },
  },
];

/** Returns a module without its hash and without the facts that OpenAPI documents lack. */
function withoutFacts(text: string): string {
  return text
    .replace(/sha256:\w+/, "")
    .replace(/^ \*\n \* Columns: .*\n/m, "")
    .replace(/^ {2}columns: .*\n/m, "")
    .replace(/^ \* @deprecated .*\n/m, "")
    .replace(/^\/\*\* @deprecated .*\n/m, "")
    .replace(/^\/\*\*\n \* (.*)\n \*\/$/m, "/** $1 */");
}
