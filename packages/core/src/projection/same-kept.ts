import { isJsonObject, jsonEqual } from "../objects/json-value.js";
import type { Projection } from "./projection.js";
import type { Selection } from "./selection.js";

/**
 * Returns whether a projection keeps the same of two states of an object. The resourceVersion, which differs in every
 * state, does not count.
 */
export function isSameKept(before: unknown, after: unknown, projection: Projection): boolean {
  return isSame(before, after, projection.root, "");
}

function isSame(before: unknown, after: unknown, kept: Selection, path: string): boolean {
  if (before === after) {
    return true;
  }
  if (kept.whole) {
    return path === "/metadata"
      ? jsonEqual(withoutVersion(before), withoutVersion(after))
      : jsonEqual(before, after);
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    return (
      before.length === after.length &&
      before.every((item, at) => isSame(item, after[at], kept, `${path}/-`))
    );
  }
  // An object of which nothing is kept is as good as none.
  const [old, now] = [before ?? {}, after ?? {}];
  if (!isJsonObject(old) || !isJsonObject(now)) {
    return jsonEqual(before, after);
  }
  for (const [name, field] of kept.fields) {
    const at = `${path}/${name}`;
    const isVersion = at === "/metadata/resourceVersion";
    if (!isVersion && !isSame(old[name], now[name], field, at)) {
      return false;
    }
  }
  return true;
}

function withoutVersion(metadata: unknown): unknown {
  return isJsonObject(metadata) ? { ...metadata, resourceVersion: "" } : metadata;
}
