import { isJsonObject, type JsonObject, omitKeys } from "../../objects/json-value.js";
import type { ServedResource } from "../../resources/served-resource.js";

const untrackedMetadata = [
  "clusterName",
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "generation",
  "managedFields",
  "name",
  "namespace",
  "resourceVersion",
  "selfLink",
  "uid",
];

/**
 * Returns the part of an object whose ownership is tracked for a write through one subresource: never the identity; the
 * status only through `status`, which tracks nothing but status and metadata.
 */
export function tracked(
  object: JsonObject,
  { hasStatus, rules }: ServedResource,
  subresource: string,
): JsonObject {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  const shown: JsonObject = {
    ...omitKeys(object, "apiVersion", "kind"),
    metadata: omitKeys(metadata, ...untrackedMetadata),
  };
  if (!hasStatus) {
    return shown;
  }
  if (subresource !== "status") {
    // A namespace's spec holds only finalizers, which clients write only through `finalize`.
    return rules.specOwnedByFinalize && subresource !== "finalize"
      ? omitKeys(shown, "spec", "status")
      : omitKeys(shown, "status");
  }
  const closed = {
    withoutLabels: ["labels"],
    withoutOwners: ["ownerReferences"],
    all: [],
    none: [],
  };
  const open = omitKeys(shown["metadata"] as JsonObject, ...closed[rules.statusMetadata]);
  const status: JsonObject = { metadata: open };
  if (shown["status"] !== undefined) {
    status["status"] = shown["status"];
  }
  return status;
}
