import { getOwn, isJsonObject, type JsonObject, omitKeys, setOwn } from "../json-value.js";
import type { ServedResource } from "../served-resource.js";

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
 * through `status`, and nothing but the status and the metadata there. `skeleton` is what a typed object always has.
 */
export function tracked(
  object: JsonObject,
  { hasStatus, storage }: ServedResource,
  subresource: string,
  skeleton: JsonObject = {},
): JsonObject {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  const shown = {
    ...omitKeys(object, "apiVersion", "kind"),
    metadata: omitKeys(metadata, ...untrackedMetadata),
  };
  const filled = fill(shown, skeleton);
  if (!hasStatus) {
    return filled;
  }
  if (subresource !== "status") {
    // All that a namespace has in its spec are the server's own finalizers.
    return storage === "namespaces"
      ? omitKeys(filled, "spec", "status")
      : omitKeys(filled, "status");
  }
  const status: JsonObject = { metadata: filled["metadata"] };
  if (filled["status"] !== undefined) {
    status["status"] = filled["status"];
  }
  return status;
}

function fill(value: JsonObject, skeleton: JsonObject): JsonObject {
  const filled: JsonObject = { ...value };
  for (const key of Object.keys(skeleton)) {
    const there = getOwn(filled, key);
    const expected = skeleton[key];
    if (there === undefined) {
      setOwn(filled, key, expected);
    } else if (isJsonObject(there) && isJsonObject(expected)) {
      setOwn(filled, key, fill(there, expected));
    }
  }
  return filled;
}
