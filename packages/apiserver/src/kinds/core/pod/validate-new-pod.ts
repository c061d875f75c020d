import type { FieldErrors } from "../../../errors/field-errors.js";
import { cause } from "../../../errors/status-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { objectsOf, specOf } from "../../../objects/parts.js";
import { isUnset } from "../../../phases/validate/checks.js";

/** Appends the field errors that apply only to new pods. */
export function validateNewPod(pod: ApiObject, errors: FieldErrors): void {
  const { ephemeralContainers, nodeName, schedulingGates } = specOf(pod);
  const gated = "cannot be set until all schedulingGates have been cleared";
  if (objectsOf(ephemeralContainers).length > 0) {
    errors.push(cause.forbidden("spec.ephemeralContainers", "cannot be set on create"));
  }
  if (!isUnset(nodeName) && objectsOf(schedulingGates).length > 0) {
    errors.push(cause.forbidden("spec.nodeName", gated));
  }
}
