import type { ApiObject } from "../../objects/api-object.js";
import { mapOf } from "../../objects/parts.js";

const classAnnotation = "volume.beta.kubernetes.io/storage-class";

/** Returns warnings about the annotation that named the class of a claim or volume before the field did. */
export function classAnnotationWarnings({ metadata }: ApiObject): string[] {
  return classAnnotation in mapOf(metadata.annotations)
    ? [
        `metadata.annotations[${classAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`,
      ]
    : [];
}
