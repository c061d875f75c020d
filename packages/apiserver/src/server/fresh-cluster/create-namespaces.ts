import type { ServerContext } from "../../context/server-context.js";
import { systemNamespaces } from "../../kinds/core/namespace/system-namespaces.js";
import { randomUid } from "../../objects/random.js";
import { timestamp } from "../../objects/timestamp.js";

/** Creates the system namespaces. */
export function createNamespaces({ store, registry, random, clock }: ServerContext): void {
  if (registry.find("", "v1", "namespaces") === undefined) {
    return;
  }
  for (const name of systemNamespaces) {
    store.put("namespaces", name, {
      kind: "Namespace",
      apiVersion: "v1",
      metadata: {
        name,
        uid: randomUid(random),
        creationTimestamp: timestamp(clock),
        labels: { "kubernetes.io/metadata.name": name },
      },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    });
  }
}
