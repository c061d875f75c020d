import { setOwn } from "../codecs/own-property.js";
import { getOwn, isJsonObject, type JsonObject, keysOf } from "./json-value.js";
import { type FieldPlace, fieldPlace } from "./type-place.js";
import { type Place, unsayable } from "./unsayable.js";

/**
 * A copy of what comes as a whole, which servers take as it is. Null keys are left out, as the typed server would; in a free form
 * they mean something.
 *
 * @param field - the field that it is the value of; for an item of a list, the list.
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
      throw unsayable("a strategic patch cannot set null", [...place, key]);
    }
  }
  return copy;
}

/** A list that takes the place of another. Servers put items of one key side by side, even then. */
export function replacing(items: readonly unknown[], mergeKey: string, place: Place): unknown[] {
  const seen = new Set<unknown>();
  let last: unknown;
  for (const item of items) {
    const id = isJsonObject(item) ? getOwn(item, mergeKey) : undefined;
    if (id === undefined) {
      throw unsayable(`a strategic patch cannot change a list of items without ${mergeKey}`, place);
    }
    if (id !== last && seen.has(id)) {
      throw unsayable(
        `a strategic patch cannot put items of one ${mergeKey} apart from each other`,
        place,
      );
    }
    seen.add(id);
    last = id;
  }
  return [...items, { $patch: "replace" }];
}

/** Refuses a key that a server would read as a directive. */
export function assertNoDirective(key: string, place: Place): void {
  if (/^\$(patch$|retainKeys$|setElementOrder\/|deleteFromPrimitiveList\/)/.test(key)) {
    throw unsayable(`a strategic patch cannot have a key named "${key}"`, place);
  }
}
