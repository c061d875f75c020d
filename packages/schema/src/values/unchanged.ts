import { getOwn, isJsonObject, jsonEqual } from "@typekube/core/internal/json";
import type { StructuralSchema } from "../structural/structural-schema.js";

/** The old value of a place in an update. */
export interface Before {
  readonly value: unknown;
}

/** Returns the old item with the same list map keys. Items of other lists can't be correlated, so they count as new. */
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
