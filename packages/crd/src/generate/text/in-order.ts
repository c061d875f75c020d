import { isJsonObject, type JsonObject, setOwn } from "@typekube/core/internal";

/** Returns JSON data with the keys of objects in order: files and clusters write one definition in different orders. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(inOrder);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const ordered: JsonObject = {};
  for (const key of Object.keys(value).sort()) {
    setOwn(ordered, key, inOrder(value[key]));
  }
  return ordered;
}
