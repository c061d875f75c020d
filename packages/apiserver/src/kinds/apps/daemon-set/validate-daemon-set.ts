import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import type { JsonObject } from "../../../objects/json-value.js";
import { mapOf, specOf } from "../../../objects/parts.js";
import { validateCountOrPercent } from "../../../phases/validate/checks.js";
import { fieldValidator } from "../../fields/validate-fields.js";
import { isZero, shownRollingUpdate } from "../../workloads/rolling-update.js";
import { validateWorkload, type WorkloadKind } from "../../workloads/validate-workload.js";

const daemonSet: WorkloadKind = {
  selectorOf: "daemonset",
  deadlineOf: "DaemonSet",
  needsSelector: false,
};

/** Appends the field errors of a DaemonSet. */
export function validateDaemonSet(object: ApiObject, errors: FieldErrors): void {
  const spec = specOf(object);
  const validate = fieldValidator("apps/v1.DaemonSetSpec", spec, "spec", errors);
  validateWorkload(daemonSet, spec, mapOf(spec["template"]), errors);
  validate("minReadySeconds");
  validateUpdateStrategy(mapOf(spec["updateStrategy"]), "spec.updateStrategy", errors);
  validate("revisionHistoryLimit");
}

function validateUpdateStrategy(
  { type, rollingUpdate }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  if (type === "RollingUpdate") {
    validateRollingUpdate(mapOf(rollingUpdate), `${path}.rollingUpdate`, errors);
  } else if (type !== "OnDelete") {
    const shown = { Type: type, RollingUpdate: shownRollingUpdate(rollingUpdate) };
    errors.push(cause.notSupported(path, shown, ["RollingUpdate", "OnDelete"]));
  }
}

function validateRollingUpdate(
  { maxSurge, maxUnavailable }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  validateCountOrPercent(maxUnavailable, `${path}.maxUnavailable`, errors, 100);
  validateCountOrPercent(maxSurge, `${path}.maxSurge`, errors);
  if (isZero(maxSurge) && isZero(maxUnavailable)) {
    errors.push(cause.required(`${path}.maxUnavailable`, "cannot be 0 when maxSurge is 0"));
  }
  if (maxSurge !== undefined && !isZero(maxSurge) && !isZero(maxUnavailable)) {
    const why = "may not be set when maxUnavailable is non-zero";
    errors.push(cause.invalid(`${path}.maxSurge`, maxSurge, why));
  }
}
