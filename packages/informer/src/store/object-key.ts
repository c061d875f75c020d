import type { KubeObject } from "@typekube/api";

/** Namespace of the last key, and the beginning of its keys: objects of a namespace often come one after the other. */
let lastNamespace = "";
let lastPrefix = "";

/** Returns the key of an object in a cache: `namespace/name`, or `name` for a cluster-wide object. (as in client-go) */
export function objectKey(object: KubeObject): string {
  const metadata = object.metadata;
  return keyOf(metadata?.namespace || "", metadata?.name ?? "");
}

/** Returns the key of the object with this name; `namespace` is empty for a cluster-wide one. */
export function keyOf(namespace: string, name: string): string {
  if (namespace === "") {
    return name;
  }
  if (namespace !== lastNamespace) {
    lastNamespace = namespace;
    lastPrefix = `${namespace}/`;
  }
  return lastPrefix + name;
}

/** Place of an object in a store: that on the server, whatever a transform shows. */
export interface Place {
  /** Empty for a cluster-wide object. */
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
}

/** Returns the place of an object. */
export function placeOf({ metadata }: KubeObject): Place {
  const namespace = metadata?.namespace || "";
  const name = metadata?.name ?? "";
  return { namespace, name, key: keyOf(namespace, name) };
}
