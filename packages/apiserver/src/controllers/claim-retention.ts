import { mapOf, objectsOf, specOf } from "../kinds/parts.js";
import { jsonEqual } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";
import type { ControllerParts } from "./controller-parts.js";
import { controllerReference, isGoing, ownersOf } from "./owner-references.js";

const storage = "persistentvolumeclaims";

/** The name of the claim that a pod of a StatefulSet gets for a template. */
export function claimNameOf(template: unknown, podName: string): string {
  return `${mapOf(mapOf(template)["metadata"])["name"]}-${podName}`;
}

/**
 * Gives the claims of a StatefulSet's pods the owner that takes them along by the set's
 * `persistentVolumeClaimRetentionPolicy`: the set (`whenDeleted: Delete`), the pod where it is scaled away
 * (`whenScaled: Delete`), nobody. The garbage collector does the rest. Claims with another controller stay as they are.
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

/** Makes a claim belong to its owner, and to none of the other candidates. */
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
