import { randomUid } from "../control/random.js";
import { type ServerContext, timestamp } from "../server-context.js";
import { systemNamespaces } from "./namespaces.js";

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
