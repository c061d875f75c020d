import { type JsonObject, jsonEqual } from "@typekube/core/internal/json";

/** Returns whether all versions have the same value; a server stores it once, and reports its errors at another path. */
export function isShared(versions: readonly JsonObject[], key: string): boolean {
  const [first] = versions;
  return versions.every(
    (version) => version[key] !== undefined && jsonEqual(version[key], first?.[key]),
  );
}
