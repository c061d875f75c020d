import type { SchemaTable } from "@typekube/api/schema";
import { setOwn } from "../codecs/own-property.js";
import { KubeError } from "../kube-error.js";
import { getOwn, isJsonObject, type JsonObject, jsonEqual, keysOf } from "./json-value.js";
import { added, assertNoDirective, replacing } from "./strategic-values.js";
import { type FieldPlace, fieldPlace, type TypePlace, typePlace } from "./type-place.js";
import { type Place, unsayable } from "./unsayable.js";

/**
 * The strategic merge patch that makes one object of a built-in kind of another, by the merge keys of the kind: items of
 * lists are added, changed and taken out one by one (`$patch: delete`), their order is told (`$setElementOrder`), of a union
 * the other members are dropped (`$retainKeys`). What has no fields of its own in the schema is replaced whole, and so is a
 * list whose merge keys are not unique.
 *
 * @param table - the schema of the kind's group-version, as `loadSchema` of `@typekube/api/schema` gives it.
 * @returns `{}` where the two are equal; null is the same as an absent key, as it is for built-in kinds.
 * @throws {KubeError} `InvalidArgument` for a kind that the table does not have, and for what no strategic patch can say: null
 * inside a free form, a key that would be read as a directive, a list of finalizers that names one twice, a list in which
 * items of one merge key do not stand side by side or some have none.
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

/** What to write for an object that changed; `undefined` where only nulls did. */
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
  // Servers look for the fields of what is merged, and a free form has none: it can only be replaced.
  return { $patch: "replace", ...(added(after, undefined, place) as JsonObject) };
}

function isMerged(field: FieldPlace | undefined): field is FieldPlace {
  return field?.schema.patchStrategy?.includes("merge") === true;
}

/** Writes what makes one list of another into the patch of the object that holds them. */
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
    throw unsayable("a strategic patch cannot change a list with duplicate keys", place);
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

/** Items by the value of their merge key; `undefined` where that does not tell them apart. */
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
