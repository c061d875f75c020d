import { isJsonObject } from "@typekube/core/internal";

/** Returns JSON with the keys of objects in order, on one line: equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  }
  if (isJsonObject(value)) {
    const keys = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(",")}}`;
  }
  return typeof value === "bigint" ? String(value) : JSON.stringify(value ?? null);
}
