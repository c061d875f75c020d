import { isJsonObject, type JsonObject } from "../json-value.js";

/** A patched object as a refusal shows it: JSON with the keys of the object itself in order. */
export function showObject(object: JsonObject): string {
  const sorted = Object.fromEntries(
    Object.keys(object)
      .sort()
      .map((key) => [key, object[key]]),
  );
  return JSON.stringify(sorted, (_, value: unknown) =>
    typeof value === "bigint" ? Number(value) : value,
  );
}

/** A patch as Go prints a map: `map[data:map[k:1]]`. */
export function showMap(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(showMap).join(" ")}]`;
  }
  if (isJsonObject(value)) {
    const entries = Object.keys(value)
      .sort()
      .map((key) => `${key}:${showMap(value[key])}`);
    return `map[${entries.join(" ")}]`;
  }
  return value === null ? "<nil>" : String(value);
}
