import { getOwn, isJsonObject, type JsonObject, keysOf } from "../objects/json-value.js";
import { setOwn } from "../objects/own-property.js";
import { inexpressible, type Place } from "./inexpressible.js";
import { type FieldPlace, fieldPlace } from "./type-place.js";

/**
 * Copies a value that a strategic patch adds as a whole. Omits keys with the value null in typed objects: servers drop
 * them when they decode the object.
 *
 * @param field - field that has this value; for an item of a list, the list.
 * @throws {KubeError} `InvalidArgument` for a key with the value null in a free-form value, where servers store null
 * but a patch cannot set it; also for a key that is a directive.
 */
export function added(value: unknown, field: FieldPlace | undefined, place: Place): unknown {
  if (Array.isArray(value)) {
    return value.map((item, at) => added(item, field, [...place, String(at)]));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const isMap = field?.schema.container === "map";
  const copy: JsonObject = {};
  for (const key of keysOf(value)) {
    assertNoDirective(key, place);
    if (value[key] !== null) {
      const inner = isMap ? undefined : fieldPlace(field?.place, key);
      setOwn(copy, key, added(value[key], inner, [...place, key]));
    } else if (field?.place === undefined || isMap) {
      throw inexpressible("a strategic patch cannot set null", [...place, key]);
    }
  }
  return copy;
}

/**
 * Returns a list for a patch that replaces the whole list.
 *
 * @throws {KubeError} `InvalidArgument` for an item without the merge key, and for items with equal keys that do not
 * follow each other: servers move such items next to each other.
 */
export function replacing(items: readonly unknown[], mergeKey: string, place: Place): unknown[] {
  const seen = new Set<unknown>();
  let last: unknown;
  for (const item of items) {
    const id = isJsonObject(item) ? getOwn(item, mergeKey) : undefined;
    if (id === undefined) {
      throw inexpressible(
        `a strategic patch cannot change a list of items without ${mergeKey}`,
        place,
      );
    }
    if (id !== last && seen.has(id)) {
      throw inexpressible(
        `a strategic patch cannot separate items with the same ${mergeKey}`,
        place,
      );
    }
    seen.add(id);
    last = id;
  }
  return [...items, { $patch: "replace" }];
}

/** Rejects a key that a server would read as a directive. */
export function assertNoDirective(key: string, place: Place): void {
  if (/^\$(patch$|retainKeys$|setElementOrder\/|deleteFromPrimitiveList\/)/.test(key)) {
    throw inexpressible(`a strategic patch cannot have a key named "${key}"`, place);
  }
}
