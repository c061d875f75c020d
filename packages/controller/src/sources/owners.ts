import type { KubeObject, Live } from "@typekube/api";
import { objectKey } from "@typekube/informer";
import { type AnyKind, groupOf } from "../definition/any-kind.js";

/** An owner reference that points to an object of the controller's kind. */
export interface OwnerOf {
  readonly key: string;
  readonly uid: string;
}

/**
 * Returns the owners of an object among the objects of a kind. Group and kind count, the version does not. (as in
 * controller-runtime's enqueue_owner.go)
 *
 * @param isNamespaced - `true` for an owner in the object's own namespace.
 * @param anyOwner - `true` to take also references that are not the controller's.
 */
export function ownersOf(
  object: Live<KubeObject>,
  owner: { readonly kind: AnyKind; readonly isNamespaced: boolean },
  anyOwner: boolean,
): OwnerOf[] {
  const { ownerReferences = [], namespace } = object.metadata;
  const found: OwnerOf[] = [];
  for (const { apiVersion, kind, name, uid, controller } of ownerReferences) {
    const isOfKind = kind === owner.kind.kind && groupOf({ apiVersion }) === groupOf(owner.kind);
    if (isOfKind && (anyOwner || controller === true)) {
      const place = owner.isNamespaced && namespace !== undefined ? { namespace } : {};
      found.push({ key: objectKey({ metadata: { name, ...place } }), uid });
    }
  }
  return found;
}
