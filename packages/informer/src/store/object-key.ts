import type { KubeObject } from "@typekube/api";

/** Namespace of the last key, and the beginning of its keys: objects of a namespace often come one after the other. */
let lastNamespace = "";
let lastPrefix = "";

/** Returns the key of an object in a cache: `namespace/name`, or `name` for a cluster-wide object. (as in client-go) */
export function objectKey(object: KubeObject): string {
  const metadata = object.metadata;
  const name = metadata?.name ?? "";
  const namespace = metadata?.namespace;
  if (!namespace) {
    return name;
  }
  if (namespace !== lastNamespace) {
    lastNamespace = namespace;
    lastPrefix = `${namespace}/`;
  }
  return lastPrefix + name;
}
