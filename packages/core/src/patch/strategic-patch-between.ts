import type { SchemaTable } from "@typekube/api/schema";
import { KubeError } from "../errors/kube-error.js";
import { getOwn, isJsonObject, type JsonObject, jsonEqual, keysOf } from "../objects/json-value.js";
import { setOwn } from "../objects/own-property.js";
import { inexpressible, type Place } from "./inexpressible.js";
import { added, assertNoDirective, replacing } from "./strategic-values.js";
import { type FieldPlace, fieldPlace, type TypePlace, typePlace } from "./type-place.js";

/**
 * Returns the strategic merge patch that turns one object of a built-in kind into another, by the merge keys of the
 * kind. List items are added, changed and removed one by one (`$patch: delete`), and their order is included
 * (`$setElementOrder`). The other members of a union are dropped (`$retainKeys`). A value without fields in the schema
 * is replaced as a whole, and so is a list whose merge keys are not unique.
 *
 * @param table - schema of the kind's group-version, from `loadSchema` of `@typekube/api/schema`.
 * @returns `{}` when the two are equal. As for built-in kinds, null equals an absent key.
 * @throws {KubeError} `InvalidArgument` for a kind that the table lacks, and for changes that no strategic patch can
 * express: null inside a free-form value, a key that would be read as a directive, a list of finalizers with a
 * duplicate, a list in which items of the same merge key are not adjacent or some items lack it.
 */
export function strategicPatchBetween(
  before: object,
  after: object,
  table: SchemaTable,
  kind: string,
): JsonObject {
  const place = typePlace(table, kind);
  if (place === undefined) {
    throw new KubeError("InvalidArgument", `the schema of ${table.name} has no kind ${kind}`);
  }
  return diffFields(before as JsonObject, after as JsonObject, place, []);
}

function diffFields(
  before: JsonObject,
  after: JsonObject,
  type: TypePlace | undefined,
  place: Place,
): JsonObject {
  const patch: JsonObject = {};
  for (const key of keysOf(after)) {
    const value = after[key];
    const old = getOwn(before, key) ?? undefined;
    if (value === null || jsonEqual(old, value)) {
      continue;
    }
    const here = [...place, key];
    assertNoDirective(key, place);
    const field = fieldPlace(type, key);
    if (isJsonObject(old) && isJsonObject(value)) {
      const change = diffObjects(old, value, field, here);
      if (change !== undefined) {
        setOwn(patch, key, change);
      }
    } else if (Array.isArray(old) && Array.isArray(value) && isMerged(field)) {
      diffMergedLists(patch, key, old, value, field, here);
    } else {
      setOwn(patch, key, added(value, field, here));
    }
  }
  for (const key of keysOf(before)) {
    if (before[key] !== null && (getOwn(after, key) ?? undefined) === undefined) {
      assertNoDirective(key, place);
      setOwn(patch, key, null);
    }
  }
  return patch;
}

/** Returns the patch of an object that changed; `undefined` when only nulls changed. */
function diffObjects(
  before: JsonObject,
  after: JsonObject,
  field: FieldPlace | undefined,
  place: Place,
): unknown {
  const strategy = field?.schema.patchStrategy ?? "";
  const isScalarMap = field?.schema.container === "map" && field.schema.type === "string";
  if (strategy.includes("replace")) {
    return added(after, field, place);
  }
  if (isScalarMap || (field?.place !== undefined && field.schema.container === undefined)) {
    const patch = diffFields(before, after, isScalarMap ? undefined : field?.place, place);
    if (Object.keys(patch).length === 0) {
      return undefined;
    }
    return strategy.includes("retainKeys") ? retaining(patch, after) : patch;
  }
  // When servers merge, they look up the fields in the schema. A free-form value has none, so it can only be replaced.
  return { $patch: "replace", ...(added(after, undefined, place) as JsonObject) };
}

function isMerged(field: FieldPlace | undefined): field is FieldPlace {
  return field?.schema.patchStrategy?.includes("merge") === true;
}

/** Writes the change of a list into the patch of the object that holds it. */
function diffMergedLists(
  patch: JsonObject,
  key: string,
  before: readonly unknown[],
  after: readonly unknown[],
  field: FieldPlace,
  place: Place,
): void {
  const { patchMergeKey: mergeKey, patchStrategy } = field.schema;
  if (mergeKey === undefined) {
    diffSets(patch, key, before, after, place);
    return;
  }
  const old = byKey(before, mergeKey);
  const now = byKey(after, mergeKey);
  if (old === undefined || now === undefined) {
    const items = added(after, field, place) as unknown[];
    patch[key] = replacing(items, mergeKey, place);
    return;
  }
  const items: JsonObject[] = [];
  for (const [id, item] of now) {
    const known = old.get(id);
    const here = [...place, String(id)];
    if (known === undefined) {
      items.push(added(item, field, here) as JsonObject);
    } else if (!jsonEqual(known, item)) {
      const inner = diffFields(known, item, field.place, here);
      const change = { [mergeKey]: id, ...inner };
      items.push(patchStrategy?.includes("retainKeys") ? retaining(change, item) : change);
    }
  }
  const gone = [...old.keys()].filter((id) => !now.has(id));
  items.push(...gone.map((id) => ({ [mergeKey]: id, $patch: "delete" })));
  if (items.length > 0) {
    patch[key] = items;
  }
  if (now.size > 0) {
    patch[`$setElementOrder/${key}`] = [...now.keys()].map((id) => ({ [mergeKey]: id }));
  }
}

function diffSets(
  patch: JsonObject,
  key: string,
  before: readonly unknown[],
  after: readonly unknown[],
  place: Place,
): void {
  const old = new Set(before);
  const now = new Set(after);
  if (old.size < before.length || now.size < after.length) {
    throw inexpressible("a strategic patch cannot change a list with duplicate keys", place);
  }
  const gone = [...old].filter((item) => !now.has(item));
  const come = [...now].filter((item) => !old.has(item));
  if (gone.length > 0) {
    patch[`$deleteFromPrimitiveList/${key}`] = gone;
  }
  if (come.length > 0) {
    patch[key] = come;
  }
  if (now.size > 0) {
    patch[`$setElementOrder/${key}`] = [...now];
  }
}

/** Returns items by the value of their merge key; `undefined` when it does not distinguish them. */
function byKey(items: readonly unknown[], mergeKey: string): Map<unknown, JsonObject> | undefined {
  const found = new Map<unknown, JsonObject>();
  for (const item of items) {
    const id = isJsonObject(item) ? getOwn(item, mergeKey) : undefined;
    if ((typeof id !== "string" && typeof id !== "number") || found.has(id)) {
      return undefined;
    }
    found.set(id, item as JsonObject);
  }
  return found;
}

function retaining(patch: JsonObject, after: JsonObject): JsonObject {
  return { $retainKeys: keysOf(after).filter((key) => after[key] !== null), ...patch };
}
