import type { KubeObject } from "@typekube/api";
import { type JsonObject, jsonEqual } from "@typekube/core/internal";

/** Metadata that the server maintains and nobody applies. */
const serverMetadata = [
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "selfLink",
  "uid",
];

/**
 * Returns the object without the fields that differ between two identical writes: resourceVersions, timestamps, field
 * owners.
 */
export function withoutServerFields(object: KubeObject): JsonObject {
  const { metadata = {}, ...rest } = object as JsonObject & { readonly metadata?: JsonObject };
  const kept = Object.entries(metadata).filter(([field]) => !serverMetadata.includes(field));
  return { ...rest, metadata: Object.fromEntries(kept) };
}

/** Returns true when two states of an object differ in server-managed metadata only. */
export function equalExceptServerFields(one: KubeObject, other: KubeObject): boolean {
  return jsonEqual(withoutServerFields(one), withoutServerFields(other));
}
