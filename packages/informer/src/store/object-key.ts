import type { KubeObject } from "@typekube/api";

/** Returns the key of an object in a cache: `namespace/name`, or `name` for a cluster-wide object. (as in client-go) */
export function objectKey(object: KubeObject): string {
  const metadata = object.metadata;
  const name = metadata?.name ?? "";
  return metadata?.namespace ? `${metadata.namespace}/${name}` : name;
}
