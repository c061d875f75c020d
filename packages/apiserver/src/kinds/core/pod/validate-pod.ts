import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { objectsOf, specOf } from "../../../objects/parts.js";
import { isUnset } from "../../../phases/validate/checks.js";
import { validatePodAnnotations } from "../../pod-spec/pod-annotations.js";
import { validatePodSpec } from "../../pod-spec/validate-pod-spec.js";

/** Appends the field errors of a pod. */
export function validatePod(pod: ApiObject, errors: FieldErrors): void {
  const spec = specOf(pod);
  validatePodAnnotations(pod.metadata.annotations, spec, "metadata.annotations", errors);
  validatePodSpec(spec, "spec", errors, pod.metadata.name);
}

/** Appends the field errors that apply only to new pods. */
export function validateNewPod(pod: ApiObject, errors: FieldErrors): void {
  const { ephemeralContainers, nodeName, schedulingGates } = specOf(pod);
  if (objectsOf(ephemeralContainers).length > 0) {
    errors.push(cause.forbidden("spec.ephemeralContainers", "cannot be set on create"));
  }
  if (!isUnset(nodeName) && objectsOf(schedulingGates).length > 0) {
    const why = "cannot be set until all schedulingGates have been cleared";
    errors.push(cause.forbidden("spec.nodeName", why));
  }
}
