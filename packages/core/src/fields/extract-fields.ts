import { cloneJson, isJsonObject, type JsonObject } from "../objects/json-value.js";
import { setOwn } from "../objects/own-property.js";
import { type FieldPlace, fieldPlace, type TypePlace } from "../patch/type-place.js";
import { elementFromText, itemAt } from "./field-path.js";
import { emptyFieldSet, type FieldSet, isEmptyFieldSet } from "./field-set.js";

/** State of the extraction at one place. */
interface Here {
  /** Fields below that the manager owns. */
  readonly owned: FieldSet;
  /** Fields below that any manager owns. They show that a place is not owned as a whole. */
  readonly known: FieldSet;
  /** Type of the object at this place, or of the items of the list. */
  readonly type: TypePlace | undefined;
}

/**
 * Returns the part of an object that is in a field set. Items of lists are found by their keys, and include them.
 *
 * A place that is in the set without fields below it is included as a whole when it is a scalar or atomic. A map or
 * list whose parts have owners of their own is empty then. The schema tells which of the two applies; for kinds without
 * a schema, it depends on whether any manager owns a part.
 *
 * @param known - places that any manager owns.
 * @param type - type of the object; `undefined` for kinds without a schema.
 */
export function extractFields(
  object: JsonObject,
  owned: FieldSet,
  known: FieldSet,
  type: TypePlace | undefined,
): JsonObject {
  return fromObject(object, { owned, known, type });
}

function fromObject(object: JsonObject, here: Here): JsonObject {
  const part: JsonObject = {};
  for (const key of Object.keys(object)) {
    const step = `f:${key}`;
    const field = fieldPlace(here.type, key);
    const value = extracted(object[key], below(here, step, field?.place), here, step, field);
    if (value !== undefined) {
      setOwn(part, key, value);
    }
  }
  return part;
}

function fromList(list: readonly unknown[], here: Here): unknown[] {
  const found = new Map<number, unknown>();
  for (const step of new Set([...here.owned.members, ...here.owned.children.keys()])) {
    const element = elementFromText(step);
    const at = element && !("field" in element) ? itemAt(list, element) : undefined;
    if (element === undefined || at === undefined) {
      continue;
    }
    const inner = below(here, step, here.type);
    const value = isJsonObject(at.item)
      ? wholeOr(at.item, inner, () => fromObject(at.item as JsonObject, inner))
      : cloneJson(at.item);
    found.set(
      at.index,
      "keys" in element
        ? { ...keysToInclude(element.keys, step, here.owned), ...(value as object) }
        : value,
    );
  }
  return [...found].sort(([a], [b]) => a - b).map(([, value]) => value);
}

/**
 * Returns the keys to include for an item. The manager owns the keys that it applied. Other keys are defaults of the
 * schema, and applying them would take ownership of them.
 */
function keysToInclude(
  keys: Readonly<Record<string, unknown>>,
  step: string,
  { members, children }: FieldSet,
): Readonly<Record<string, unknown>> {
  const given = Object.entries(keys).filter(([key]) => children.get(step)?.members.has(`f:${key}`));
  return members.has(step) && given.length > 0 ? Object.fromEntries(given) : keys;
}

/**
 * Returns the item as a whole when it is owned without any of its fields and is atomic or of unknown type; otherwise
 * its part.
 */
function wholeOr(item: JsonObject, inner: Here, part: () => JsonObject): JsonObject {
  const isWhole =
    isEmptyFieldSet(inner.owned) &&
    isEmptyFieldSet(inner.known) &&
    (inner.type === undefined || inner.type.type.mapType === "atomic");
  return isWhole ? cloneJson(item) : part();
}

function extracted(
  value: unknown,
  inner: Here,
  outer: Here,
  step: string,
  field: FieldPlace | undefined,
): unknown {
  if (!isEmptyFieldSet(inner.owned)) {
    if (isJsonObject(value)) {
      return fromObject(value, inner);
    }
    return Array.isArray(value) ? fromList(value, inner) : undefined;
  }
  if (!outer.owned.members.has(step)) {
    return undefined;
  }
  if (typeof value !== "object" || value === null || isAtomic(field, inner)) {
    return cloneJson(value);
  }
  return Array.isArray(value) ? [] : {};
}

/** Returns whether a map or list that is owned without fields below it is owned as a whole. */
function isAtomic(field: FieldPlace | undefined, { known }: Here): boolean {
  if (!isEmptyFieldSet(known)) {
    return false;
  }
  if (field === undefined) {
    return true;
  }
  const { container, listType, mapType, patchStrategy } = field.schema;
  if (container === "list") {
    return listType === undefined ? !patchStrategy?.includes("merge") : listType === "atomic";
  }
  if (container === "map") {
    return mapType === "atomic";
  }
  return field.place === undefined || mapType === "atomic" || field.place.type.mapType === "atomic";
}

function below({ owned, known }: Here, step: string, type: TypePlace | undefined): Here {
  return {
    owned: owned.children.get(step) ?? emptyFieldSet,
    known: known.children.get(step) ?? emptyFieldSet,
    type,
  };
}
