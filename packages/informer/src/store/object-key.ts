import type { KubeObject } from "@typekube/api";

/** The key of an object in a store: `namespace/name`, or `name` for a cluster-wide one. (client-go) */
export function objectKey(object: KubeObject): string {
  const metadata = object.metadata;
  const name = metadata?.name ?? "";
  return metadata?.namespace ? `${metadata.namespace}/${name}` : name;
}
