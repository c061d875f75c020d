import type { ServerContext } from "../context/server-context.js";
import type { ApiObject } from "../objects/api-object.js";
import { specOf, withSpec } from "../objects/parts.js";
import type { Collection } from "../store/collection.js";

/**
 * Returns the name of the newest class marked as default by an annotation; of several from the same second, the first
 * by name.
 */
function defaultClass(classes: Collection, annotation: string): string | undefined {
  if (classes.size === 0) {
    return undefined;
  }
  const [newest] = classes
    .entries("")
    .map(([, one]) => one)
    .filter(({ metadata }) => metadata.annotations?.[annotation] === "true")
    .sort(
      (a, b) =>
        (b.metadata.creationTimestamp ?? "").localeCompare(a.metadata.creationTimestamp ?? "") ||
        (a.metadata.name ?? "").localeCompare(b.metadata.name ?? ""),
    );
  return newest?.metadata.name;
}

const storageClassAnnotation = "storageclass.kubernetes.io/is-default-class";
const ingressClassAnnotation = "ingressclass.kubernetes.io/is-default-class";
const oldIngressAnnotation = "kubernetes.io/ingress.class";

/** Sets the newest default StorageClass on a claim that names no class. */
export function withDefaultStorageClass(
  claim: ApiObject,
  { store }: Pick<ServerContext, "store">,
): ApiObject {
  if (specOf(claim)["storageClassName"] !== undefined) {
    return claim;
  }
  const classes = store.collection("storageclasses.storage.k8s.io");
  const newest = defaultClass(classes, storageClassAnnotation);
  return newest === undefined ? claim : withSpec(claim, { storageClassName: newest });
}

/** Sets the default IngressClass on an Ingress that names none, neither by field nor by the legacy annotation. */
export function withDefaultIngressClass(
  ingress: ApiObject,
  { store }: Pick<ServerContext, "store">,
): ApiObject {
  const { annotations = {} } = ingress.metadata;
  if (specOf(ingress)["ingressClassName"] !== undefined || oldIngressAnnotation in annotations) {
    return ingress;
  }
  const classes = store.collection("ingressclasses.networking.k8s.io");
  const newest = defaultClass(classes, ingressClassAnnotation);
  return newest === undefined ? ingress : withSpec(ingress, { ingressClassName: newest });
}
