import type { ResourceDescriptor, SubresourceDescriptors } from "@typekube/api";
import type { ApiObject } from "../objects/api-object.js";
import { getPath, stringsOf } from "../objects/json-value.js";
import type { DefinedVersion, Definition } from "../resources/definition.js";
import { type ServedResource, servedResource } from "../resources/served-resource.js";
import { customStrategy } from "./custom-strategy.js";
import { printerColumns } from "./printer-column.js";

const parts = ["get", "patch", "update"] as const;

/** Returns the resources of a definition: one per served version. */
export function servedVersions(object: ApiObject, definition: Definition): ServedResource[] {
  return [...definition.versions.values()]
    .filter(({ served }) => served)
    .map((version) => {
      const descriptor = descriptorOf(object, definition, version);
      const strategy = customStrategy(version, descriptor, printerColumns(version.source));
      return { ...servedResource(descriptor, true, strategy), defined: version };
    });
}

function descriptorOf(
  object: ApiObject,
  { group, kind }: Definition,
  { name: version, apiVersion, hasStatus, scale }: DefinedVersion,
): ResourceDescriptor {
  const accepted = getPath(object, "status", "acceptedNames");
  const text = (key: string) => String(getPath(accepted, key) ?? "");
  const subresources: SubresourceDescriptors = {
    ...(hasStatus ? { status: { apiVersion, kind, verbs: parts } } : {}),
    ...(scale === undefined
      ? {}
      : { scale: { apiVersion: "autoscaling/v1", kind: "Scale", verbs: parts } }),
  };
  return {
    group,
    version,
    apiVersion,
    kind: text("kind"),
    listKind: text("listKind"),
    plural: text("plural"),
    singular: text("singular"),
    shortNames: stringsOf(getPath(accepted, "shortNames")),
    categories: stringsOf(getPath(accepted, "categories")),
    scope: getPath(object, "spec", "scope") === "Cluster" ? "Cluster" : "Namespaced",
    verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
    subresources,
    protobuf: false,
  };
}
