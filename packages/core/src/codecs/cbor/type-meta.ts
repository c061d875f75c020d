import { asKey, keyHash } from "./strings.js";

/** What a list says for its items. */
export interface TypeMeta {
  readonly kind: string;
  readonly apiVersion: string;
}

function hashOf(key: string): number {
  asKey(key);
  return keyHash;
}

/** What kind and apiVersion add to the hash of a set of keys. */
export const typeMetaHash: number = hashOf("kind") + hashOf("apiVersion");

/**
 * Adds kind and apiVersion to the entries of a map, keys and values by turns, if it has neither.
 *
 * @param end - where the entries end, and the two are added.
 * @returns whether they were.
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
