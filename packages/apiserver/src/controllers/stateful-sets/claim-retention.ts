import type { ApiObject } from "../../objects/api-object.js";
import { jsonEqual } from "../../objects/json-value.js";
import { controllerReference, isGoing, ownersOf } from "../../objects/owner-references.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { ControllerParts } from "../runtime/controller-parts.js";

const storage = "persistentvolumeclaims";

/** Returns the name of the claim that a StatefulSet's pod gets for a template. */
export function claimNameOf(template: unknown, podName: string): string {
  return `${mapOf(mapOf(template)["metadata"])["name"]}-${podName}`;
}

/**
 * Sets the owner of the claims of a StatefulSet's pods according to the set's `persistentVolumeClaimRetentionPolicy`:
 * the set (`whenDeleted: Delete`), a pod that is being scaled down (`whenScaled: Delete`), or none. The garbage
 * collector then deletes claims with their owner. Claims with another controller don't get an owner.
 */
export function retainClaims(
  { writer }: ControllerParts,
  set: ApiObject,
  pods: readonly ApiObject[],
  isWanted: (pod: ApiObject) => boolean,
): void {
  const { volumeClaimTemplates, persistentVolumeClaimRetentionPolicy } = specOf(set);
  const { whenDeleted, whenScaled } = mapOf(persistentVolumeClaimRetentionPolicy);
  for (const pod of pods) {
    const { name: podName = "", namespace = "" } = pod.metadata;
    const owner =
      !isWanted(pod) && whenScaled === "Delete"
        ? pod
        : whenDeleted === "Delete" && (isWanted(pod) || whenScaled !== "Delete")
          ? set
          : undefined;
    for (const template of objectsOf(volumeClaimTemplates)) {
      const claim = writer.get(storage, namespace, claimNameOf(template, podName));
      if (claim !== undefined && !isGoing(claim)) {
        own(writer, claim, owner, [set, pod]);
      }
    }
  }
}

/** Sets a claim's owner and removes the other candidates from its owner references. */
function own(
  writer: ControllerParts["writer"],
  claim: ApiObject,
  owner: ApiObject | undefined,
  candidates: readonly ApiObject[],
): void {
  const uids = new Set(candidates.map(({ metadata }) => metadata.uid));
  const isForeign = ownersOf(claim).some(({ controller, uid }) => controller && !uids.has(uid));
  const before = objectsOf(claim.metadata.ownerReferences);
  const others = before.filter(({ uid }) => !uids.has(uid as string));
  const ownerReferences =
    owner === undefined || isForeign ? others : [...others, controllerReference(owner)];
  if (!jsonEqual(before, ownerReferences)) {
    writer.update(storage, { ...claim, metadata: { ...claim.metadata, ownerReferences } });
  }
}
