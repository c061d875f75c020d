import { isJsonObject, type JsonObject } from "../../objects/json-value.js";

/**
 * Formats a patched object for an error: JSON with the top-level keys sorted.
 *
 * @param isMap - `true` for objects that servers keep as maps, such as custom resources: keys are then sorted at every
 * level.
 */
export function showObject(object: JsonObject, isMap = false): string {
  const shown = (value: unknown): unknown => (isMap ? inOrder(value, shown) : value);
  return JSON.stringify(inOrder(object, shown), (_, value: unknown) =>
    typeof value === "bigint" ? Number(value) : value,
  );
}

function inOrder(value: unknown, each: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(each);
  }
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, each(value[key])]),
      )
    : value;
}
