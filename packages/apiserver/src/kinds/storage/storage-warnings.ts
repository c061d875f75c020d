import type { ApiObject } from "../../objects/api-object.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { nodeSelectorWarnings, oldLabelText } from "../fields/node-label-warnings.js";
import { claimSpecWarnings, persistentSourceWarnings } from "../volumes/volume-warnings.js";

const classAnnotation = "volume.beta.kubernetes.io/storage-class";

function classWarnings({ metadata }: ApiObject): string[] {
  return classAnnotation in mapOf(metadata.annotations)
    ? [
        `metadata.annotations[${classAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`,
      ]
    : [];
}

/** Returns warnings about a PersistentVolume. */
export function persistentVolumeWarnings(volume: ApiObject): string[] {
  const spec = specOf(volume);
  return [
    ...classWarnings(volume),
    ...(spec["persistentVolumeReclaimPolicy"] === "Recycle"
      ? [
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
        ]
      : []),
    ...nodeSelectorWarnings(mapOf(spec["nodeAffinity"])["required"], "spec.nodeAffinity.required"),
    ...persistentSourceWarnings(spec, "spec"),
  ];
}

/** Returns warnings about a PersistentVolumeClaim. */
export function claimWarnings(claim: ApiObject): string[] {
  return [...classWarnings(claim), ...claimSpecWarnings(specOf(claim), "spec")];
}

/** Returns warnings about a StorageClass. */
export function storageClassWarnings({ allowedTopologies }: ApiObject): string[] {
  return objectsOf(allowedTopologies).flatMap((topology, at) =>
    objectsOf(topology["matchLabelExpressions"]).flatMap(({ key }, keyAt) => {
      const text = oldLabelText(key);
      const field = `allowedTopologies[${at}].matchLabelExpressions[${keyAt}].key`;
      return text === undefined ? [] : [`${field}: ${text}`];
    }),
  );
}
