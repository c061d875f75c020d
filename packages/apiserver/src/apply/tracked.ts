import type { ServedResource } from "../resources/served-resource.js";
import { isJsonObject, type JsonObject, omitKeys } from "../store/json-value.js";

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
 * The part of an object whose fields have owners, for a write through one path: never the identity, the status only
 * through `status`, and nothing but the status and the metadata there.
 */
export function tracked(
  object: JsonObject,
  { hasStatus, storage, rules }: ServedResource,
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
    // All that a namespace has in its spec are the server's own finalizers, which nobody else writes but by `finalize`.
    return storage === "namespaces" && subresource !== "finalize"
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
