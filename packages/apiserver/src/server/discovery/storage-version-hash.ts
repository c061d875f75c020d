import { createHash } from "node:crypto";
import { isVirtual, type ServedResource } from "../../resources/served-resource.js";

/** Built-in kinds that 1.37.1 stores in a version or group other than the served one. */
const storedElsewhere: Readonly<Record<string, string>> = {
  "apiextensions.k8s.io/v1/CustomResourceDefinition": "apiextensions.k8s.io/v1beta1",
  "autoscaling/v1/HorizontalPodAutoscaler": "autoscaling/v2",
  "certificates.k8s.io/v1/ClusterTrustBundle": "certificates.k8s.io/v1beta1",
  "certificates.k8s.io/v1/PodCertificateRequest": "certificates.k8s.io/v1beta1",
  "events.k8s.io/v1/Event": "/v1",
  "resource.k8s.io/v1/DeviceTaintRule": "resource.k8s.io/v1beta2",
  "storagemigration.k8s.io/v1/StorageVersionMigration": "storagemigration.k8s.io/v1beta1",
};

/** Returns the hash of a kind's storage version for discovery; empty for kinds that are not stored. */
export function storageVersionHash(resource: ServedResource): {
  readonly storageVersionHash?: string;
} {
  const { descriptor, group, version, kind, defined } = resource;
  if (!descriptor.verbs.includes("create") || isVirtual({ resource })) {
    return {};
  }
  const served = `${group}/${version}`;
  const stored =
    defined === undefined
      ? (storedElsewhere[`${served}/${kind}`] ?? served)
      : `${group}/${defined.definition.storageVersion}`;
  const hash = createHash("sha256").update(`${stored}/${kind}`).digest();
  return { storageVersionHash: hash.subarray(0, 8).toString("base64") };
}
