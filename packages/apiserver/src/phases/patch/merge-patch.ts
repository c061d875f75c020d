import { getOwn, isJsonObject, type JsonObject, setOwn } from "../../objects/json-value.js";

/** Applies a JSON merge patch (RFC 7386) and returns the result without modifying the arguments. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) {
    return patch;
  }
  const merged: JsonObject = {};
  const source = isJsonObject(target) ? target : {};
  for (const key of Object.keys(source)) {
    if (!Object.hasOwn(patch, key)) {
      setOwn(merged, key, source[key]);
    } else if (patch[key] !== null) {
      setOwn(merged, key, applyMergePatch(source[key], patch[key]));
    }
  }
  for (const key of Object.keys(patch)) {
    if (!Object.hasOwn(source, key) && patch[key] !== null) {
      setOwn(merged, key, applyMergePatch(getOwn(source, key), patch[key]));
    }
  }
  return merged;
}
