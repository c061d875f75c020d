import { forbidden } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { getPath, isJsonObject, stringsOf } from "../../objects/json-value.js";

/** Namespaces that every cluster has initially. All but `kube-node-lease` can't be deleted. */
export const systemNamespaces: readonly string[] = [
  "default",
  "kube-node-lease",
  "kube-public",
  "kube-system",
];
const undeletable = new Set(["default", "kube-public", "kube-system"]);

/** Labels a namespace with its own name. */
export function withOwnName(namespace: ApiObject): ApiObject {
  const { metadata } = namespace;
  const labels = { ...metadata.labels, "kubernetes.io/metadata.name": metadata.name ?? "" };
  return { ...namespace, metadata: { ...metadata, labels } };
}

/** Sets the finalizers and the phase of a new namespace. */
export function asNewNamespace(namespace: ApiObject): ApiObject {
  return { ...namespace, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } };
}

/** Keeps the spec: its finalizers change only through the subresource `finalize`. */
export function withOldSpec(namespace: ApiObject, old: ApiObject): ApiObject {
  return { ...namespace, spec: old["spec"] };
}

/** Returns the finalizers in the spec of a namespace. */
export function specFinalizers(namespace: ApiObject): string[] {
  return stringsOf(getPath(namespace, "spec", "finalizers"));
}

/** Rejects deleting a protected namespace. */
export function assertDeletable(name: string): void {
  if (undeletable.has(name)) {
    throw forbidden({ group: "", plural: "namespaces" }, name, "this namespace may not be deleted");
  }
}

/** Marks a namespace as being deleted. */
export function beginTerminating(namespace: ApiObject, now: string): ApiObject {
  const status = isJsonObject(namespace["status"]) ? namespace["status"] : {};
  return {
    ...namespace,
    metadata: { ...namespace.metadata, deletionTimestamp: now },
    status: { ...status, phase: "Terminating" },
  };
}
