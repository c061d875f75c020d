import { forbidden } from "../../../errors/status-errors.js";

/** Namespaces that every cluster has initially. All but `kube-node-lease` can't be deleted. */
export const systemNamespaces: readonly string[] = [
  "default",
  "kube-node-lease",
  "kube-public",
  "kube-system",
];

const undeletable = new Set(["default", "kube-public", "kube-system"]);

/** Rejects deleting a protected namespace. */
export function assertDeletable(name: string): void {
  if (undeletable.has(name)) {
    throw forbidden({ group: "", plural: "namespaces" }, name, "this namespace may not be deleted");
  }
}
