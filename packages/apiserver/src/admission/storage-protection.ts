import type { ApiObject } from "../objects/api-object.js";
import { withFinalizer } from "../objects/parts.js";

const finalizers: Readonly<Record<string, string>> = {
  persistentvolumeclaims: "kubernetes.io/pvc-protection",
  persistentvolumes: "kubernetes.io/pv-protection",
  "volumeattributesclasses.storage.k8s.io": "kubernetes.io/vac-protection",
};

/** Adds the finalizer that protects a new claim, volume or class in use, like StorageObjectInUseProtection. */
export function withProtection(storage: string, object: ApiObject): ApiObject {
  const finalizer = finalizers[storage];
  return finalizer === undefined ? object : withFinalizer(object, finalizer);
}
