import assert from "node:assert/strict";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { applyConflicts, KubeError } from "@typekube/core";
import type { DynamicResourceClient } from "typekube";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { ownDefinition, version } from "../support/custom-resources.js";
import { install } from "../support/widgets.js";

const string = { type: "string" };
const list = { type: "array", items: string };
const rows = {
  type: "array",
  items: { type: "object", required: ["name"], properties: { name: string, value: string } },
};
const free = { type: "object", additionalProperties: string };

const oneWhole = { "x-kubernetes-list-type": "atomic" };
const byName = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] };

/** Fields that become atomic: schemas before and after, the value of each of two managers, and another value. */
const becomeAtomic = [
  [
    "map",
    free,
    { ...free, "x-kubernetes-map-type": "atomic" },
    [{ a: "1" }, { b: "2" }, { a: "9" }],
  ],
  [
    "set",
    { ...list, "x-kubernetes-list-type": "set" },
    { ...list, ...oneWhole },
    [["a"], ["b"], ["c"]],
  ],
  [
    "rows",
    { ...rows, ...byName },
    { ...rows, ...oneWhole },
    [[{ name: "a" }], [{ name: "b", value: "2" }], [{ name: "a", value: "9" }]],
  ],
] as const;

/** Cases for field ownership after the schema changed how values are merged. */
export const listTypesChanged: readonly ConformanceCase[] = [
  ...becomeAtomic.map(
    ([id, before, after, [first, second, other]]): ConformanceCase => ({
      id: `SSA32-${id}`,
      name: "when a field becomes atomic, a manager of any part owns all of it, and only owners can change it",
      needs: ["crd"],
      async run(context) {
        const { objects, change } = await kindOf(context, before);
        await objects.apply(of(first), { fieldManager: "m1" });
        await objects.apply(of(second), { fieldManager: "m2" });
        await change(after);
        const owners = ["m1 .spec.data", "m2 .spec.data"];
        await untilOwned(context, objects, other, owners);
        const taken = await objects.apply(of(other), { fieldManager: "m3", force: true });
        assert.deepEqual(owned(taken, "m3"), { "f:spec": { "f:data": {} } });
        assert.deepEqual(owned(taken, "m1"), undefined);
      },
    }),
  ),
  {
    id: "SSA33",
    name: "when an atomic field becomes granular, its owner keeps only the field: others change its keys without a conflict",
    needs: ["crd"],
    async run(context) {
      const whole = { ...free, "x-kubernetes-map-type": "atomic" };
      const { objects, change } = await kindOf(context, whole);
      await objects.apply(of({ key1: "1", key2: "2" }), { fieldManager: "m1" });
      await untilOwned(context, objects, { key1: "x", key2: "2" }, ["m1 .spec.data"]);
      await change(free);
      await untilOwned(context, objects, { key1: "x" }, []);
      const shared = await objects.apply(of({ key1: "x" }), { fieldManager: "m2" });
      assert.deepEqual(shared["spec"], { data: { key1: "x", key2: "2" } });
      assert.deepEqual(owned(shared, "m1"), { "f:spec": { "f:data": {} } });
      assert.deepEqual(owned(shared, "m2"), { "f:spec": { "f:data": { "f:key1": {} } } });
    },
  },
];

function of(data: unknown) {
  return { metadata: { name: "a" }, spec: { data } };
}

/** Installs a kind with one spec field whose schema can be changed. */
async function kindOf({ client, namespace, signal }: ConformanceContext, data: object) {
  const schemaOf = (field: object) => ({
    type: "object",
    properties: { spec: { type: "object", properties: { data: field } } },
  });
  const definition = ownDefinition(namespace, "Part", version(schemaOf(data)));
  await install(client, definition, signal);
  const apiVersion = `${definition.spec.group}/v1`;
  return {
    objects: client.resource({ apiVersion, kind: "Part" }, namespace),
    change: (field: object) =>
      client.resource(CustomResourceDefinition).modify(definition.metadata.name, (current) => {
        current.spec.versions = [version(schemaOf(field))];
      }),
  };
}

/**
 * Waits until an apply by another manager conflicts with these owners; a real server applies a new schema a moment
 * later.
 */
async function untilOwned(
  { server, signal }: ConformanceContext,
  objects: DynamicResourceClient,
  data: unknown,
  owners: readonly string[],
): Promise<void> {
  for (;;) {
    const seen = await ownersMet(objects, data);
    if (seen !== undefined && JSON.stringify(seen) === JSON.stringify(owners)) {
      return;
    }
    assert.equal(server, "real", `owners: ${JSON.stringify(seen)}`);
    signal.throwIfAborted();
  }
}

/**
 * Returns the owners that an apply by an unknown manager conflicts with; `undefined` while the server reloads the
 * definition.
 */
async function ownersMet(
  objects: DynamicResourceClient,
  data: unknown,
): Promise<string[] | undefined> {
  try {
    await objects.apply(of(data), { fieldManager: "m3", dryRun: "All" });
    return [];
  } catch (error) {
    if (error instanceof KubeError && error.code === "Conflict") {
      return applyConflicts(error)
        .map(({ manager, path }) => `${manager} ${path}`)
        .sort();
    }
    if (error instanceof KubeError && error.code === "TooManyRequests") {
      return undefined;
    }
    throw error;
  }
}

function owned(object: Awaited<ReturnType<DynamicResourceClient["apply"]>>, name: string): unknown {
  return object.metadata.managedFields?.find(({ manager }) => manager === name)?.fieldsV1;
}
