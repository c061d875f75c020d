import { parseApiVersion } from "@typekube/core";
import type { ServedResource } from "../../resources/served-resource.js";
import type { GroupVersionKind } from "../attributes.js";

/** Returns the kind of the objects that a resource or its subresource takes. */
export function kindOf({ descriptor }: ServedResource, subresource: string): GroupVersionKind {
  const { apiVersion, kind } = descriptor.subresources[subresource] ?? descriptor;
  return { ...parseApiVersion(apiVersion), kind };
}
