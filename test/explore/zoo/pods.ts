import { type Client, mergePatch } from "typekube";
import { PersistentVolumeClaim, Pod } from "typekube/api/core/v1";

/** Returns the pods of the namespace in which everything happens. */
export const podsOf = (client: Client) => client.resource(Pod, "default");

/** Returns the claims of the namespace in which everything happens. */
export const claimsOf = (client: Client) => client.resource(PersistentVolumeClaim, "default");

/** Spec of the pods of shops. */
export const podSpec = { containers: [{ name: "main", image: "shop:1" }] };

/** Returns a pod of a shop. */
export const podFor = (shop: string, name: string) => ({
  metadata: { name, labels: { shop } },
  spec: podSpec,
});

/** Returns a claim of a shop. */
export const claimFor = (shop: string, name: string) => ({
  metadata: { name, labels: { shop } },
  spec: { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } },
});

/** Returns a step in which the kubelet reports the phase of a pod. */
export const reportPhase = (name: string, phase: string) => (client: Client) =>
  podsOf(client).status.patch(name, mergePatch({ status: { phase } }));
