import type { StructuralSchema } from "../schema/structural-schema.js";
import { getOwn, isJsonObject, jsonEqual } from "../store/json-value.js";

/** What stood at a place before an update. */
export interface Before {
  readonly value: unknown;
}

/**
 * The item that an item of a list was before: the one with the same keys. Items of other lists cannot be told apart, so
 * they count as new.
 */
export function correlatedItem(
  item: unknown,
  { listType, listMapKeys }: StructuralSchema,
  before: Before | undefined,
): Before | undefined {
  if (listType !== "map" || !Array.isArray(before?.value) || !isJsonObject(item)) {
    return undefined;
  }
  const found = before.value.find(
    (old: unknown) =>
      isJsonObject(old) &&
      listMapKeys.every((key) => jsonEqual(getOwn(old, key), getOwn(item, key))),
  );
  return found === undefined ? undefined : { value: found as unknown };
}
