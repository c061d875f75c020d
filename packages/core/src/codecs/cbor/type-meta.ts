import { asKey, outKeyHash } from "./strings.js";

/** Kind and apiVersion that a list declares for its items. */
export interface TypeMeta {
  readonly kind: string;
  readonly apiVersion: string;
}

function hashOf(key: string): number {
  asKey(key);
  return outKeyHash;
}

/** Sum that kind and apiVersion add to the hash of a set of keys. */
export const typeMetaHash: number = hashOf("kind") + hashOf("apiVersion");

/**
 * Adds kind and apiVersion to the entries of a map (alternating keys and values) if it has neither.
 *
 * @param end - end of the entries, where the two are added.
 * @returns `true` when they were added.
 */
export function addTypeMeta(
  entries: unknown[],
  start: number,
  end: number,
  { kind, apiVersion }: TypeMeta,
): boolean {
  for (let i = start; i < end; i += 2) {
    if (entries[i] === "kind" || entries[i] === "apiVersion") {
      return false;
    }
  }
  entries[end] = "kind";
  entries[end + 1] = kind;
  entries[end + 2] = "apiVersion";
  entries[end + 3] = apiVersion;
  return true;
}
