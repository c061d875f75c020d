import { isJsonObject, type JsonObject } from "../store/json-value.js";

/**
 * A patched object as a refusal shows it: JSON with the keys of the object itself in order.
 *
 * @param isMap - servers keep it as a map, as all custom resources: the keys of everything in it are in order.
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
