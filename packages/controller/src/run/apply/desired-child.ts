import type { KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { controllerReference } from "../context/controller-reference.js";

/** Label of applied objects: the name of the controller that prunes them. */
export const controllerLabel = "typekube.dev/controller";
/** Label of applied objects that have no owner reference: the uid of their owner. */
export const ownerLabel = "typekube.dev/owner-uid";

/** The owner of a child. */
export interface ChildOwner {
  readonly object: Live<KubeObject>;
  readonly isNamespaced: boolean;
}

/**
 * Returns an object as it is applied: with apiVersion, kind, namespace, the controller's label, and an owner reference or
 * a label with the owner's uid.
 *
 * @throws {KubeError} `InvalidArgument` for an object that the owner cannot own. (controller-runtime's validateOwner)
 */
export function desiredChild(
  kind: ResourceDescriptor,
  { metadata, ...rest }: KubeObject,
  owner: ChildOwner,
  { controller, track }: { readonly controller: string; readonly track: "label" | "owner" },
): KubeObject & { readonly metadata: NonNullable<KubeObject["metadata"]> } {
  const { uid } = owner.object.metadata;
  const namespace =
    kind.scope === "Cluster" ? undefined : (metadata?.namespace ?? owner.object.metadata.namespace);
  const tracked = {
    ...metadata?.labels,
    [controllerLabel]: controller,
    ...(track === "label" ? { [ownerLabel]: uid } : {}),
  };
  if (track === "owner") {
    assertCanOwn(kind, metadata?.name ?? "", namespace, owner);
  }
  const ownerReferences = [...(metadata?.ownerReferences ?? []), controllerReference(owner.object)];
  return {
    ...rest,
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: {
      ...metadata,
      ...(namespace === undefined ? {} : { namespace }),
      labels: tracked,
      ...(track === "owner" ? { ownerReferences } : {}),
    },
  };
}

function assertCanOwn(
  kind: ResourceDescriptor,
  name: string,
  namespace: string | undefined,
  { object, isNamespaced }: ChildOwner,
): void {
  const place = object.metadata.namespace;
  if (!isNamespaced || (namespace !== undefined && namespace === place)) {
    return;
  }
  const where = namespace === undefined ? "cluster-wide" : `in the namespace "${namespace}"`;
  throw new KubeError(
    "InvalidArgument",
    `${object.kind} ${place}/${object.metadata.name} cannot own ${kind.kind} "${name}", which is ${where}`,
    { hint: 'apply it with { track: "label" }: a label then marks its owner' },
  );
}
