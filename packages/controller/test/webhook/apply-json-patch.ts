import type { KubeObject } from "@typekube/api";
import { cloneJson, type JsonObject, type JsonPatchOperation } from "@typekube/core/internal";

/** Applies adds, replaces and removes of object fields, by the letter of RFC 6902. */
export function applyJsonPatch(
  before: KubeObject,
  operations: readonly JsonPatchOperation[],
): KubeObject {
  const result = cloneJson(before);
  for (const operation of operations) {
    const keys = operation.path
      .split("/")
      .slice(1)
      .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = keys.pop() ?? "";
    let parent = result as JsonObject;
    for (const key of keys) {
      parent = parent[key] as JsonObject;
    }
    if (operation.op === "remove") {
      delete parent[last];
    } else if (operation.op === "add" || operation.op === "replace") {
      parent[last] = operation.value;
    }
  }
  return result;
}
