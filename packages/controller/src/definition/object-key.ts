import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { objectKey } from "@typekube/informer";

/** Names an object: its key (`namespace/name`, or `name` for a cluster-wide object), its parts, or the object itself. */
export type KeyLike = string | ObjectName | KubeObject;

/** The name of an object, and its namespace unless it is cluster-wide. */
export interface ObjectName {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/**
 * Returns the key that a value names.
 *
 * @param namespace - namespace of a text without one. Default: none.
 * @throws {KubeError} `InvalidArgument` for a value without a name.
 */
export function keyOf(value: KeyLike, namespace?: string): string {
  if (typeof value === "string" && value !== "") {
    return namespace === undefined || value.includes("/") ? value : `${namespace}/${value}`;
  }
  if (typeof value === "object" && value !== null) {
    const metadata = (value as KubeObject).metadata ?? (value as ObjectName);
    if (typeof metadata.name === "string" && metadata.name !== "") {
      const own = metadata.namespace ?? namespace;
      return objectKey({ metadata: { name: metadata.name, ...(own ? { namespace: own } : {}) } });
    }
  }
  throw new KubeError("InvalidArgument", "a key must be text or have a name", {
    hint: '"namespace/name", { namespace, name }, or the object itself',
  });
}

/** Splits a key into its parts. */
export function nameOfKey(key: string): ObjectName {
  const slash = key.indexOf("/");
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
