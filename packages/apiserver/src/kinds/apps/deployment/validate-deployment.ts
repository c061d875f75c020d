import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { isJsonObject, type JsonObject } from "../../../objects/json-value.js";
import { mapOf, specOf } from "../../../objects/parts.js";
import { validateCountOrPercent } from "../../../phases/validate/checks.js";
import { fieldValidator } from "../../fields/validate-fields.js";
import { isZero, shownRollingUpdate } from "../../workloads/rolling-update.js";
import {
  invalidSelector,
  validateWorkload,
  type WorkloadKind,
} from "../../workloads/validate-workload.js";

const deployment: WorkloadKind = {
  selectorOf: "deployment",
  deadlineOf: "ReplicaSet",
  selectorError: invalidSelector,
};

/** Appends the field errors of a Deployment. */
export function validateDeployment(object: ApiObject, errors: FieldErrors): void {
  const spec = specOf(object);
  const { minReadySeconds, progressDeadlineSeconds: deadline } = spec;
  const validate = fieldValidator("apps/v1.DeploymentSpec", spec, "spec", errors);
  validate("replicas");
  validateWorkload(deployment, spec, mapOf(spec["template"]), errors);
  validateDeploymentStrategy(mapOf(spec["strategy"]), "spec.strategy", errors);
  validate("minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds");
  if (typeof deadline === "number" && deadline <= Number(minReadySeconds ?? 0)) {
    const why = "must be greater than minReadySeconds";
    errors.push(cause.invalid("spec.progressDeadlineSeconds", deadline, why));
  }
}

function validateDeploymentStrategy(
  { type, rollingUpdate }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  switch (type) {
    case "RollingUpdate":
      validateRollingUpdate(mapOf(rollingUpdate), `${path}.rollingUpdate`, errors);
      break;
    case "Recreate":
      if (isJsonObject(rollingUpdate)) {
        const why = "may not be specified when strategy `type` is 'Recreate'";
        errors.push(cause.forbidden(`${path}.rollingUpdate`, why));
      }
      break;
    default: {
      const shown = { Type: type, RollingUpdate: shownRollingUpdate(rollingUpdate) };
      errors.push(cause.notSupported(path, shown, ["Recreate", "RollingUpdate"]));
    }
  }
}

function validateRollingUpdate(
  { maxSurge, maxUnavailable }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  validateCountOrPercent(maxUnavailable, `${path}.maxUnavailable`, errors);
  validateCountOrPercent(maxSurge, `${path}.maxSurge`, errors);
  if (isZero(maxSurge) && isZero(maxUnavailable)) {
    const why = "may not be 0 when `maxSurge` is 0";
    errors.push(cause.invalid(`${path}.maxUnavailable`, maxUnavailable, why));
  }
  if (typeof maxUnavailable === "string" && /^[0-9]+%$/.test(maxUnavailable)) {
    validateCountOrPercent(maxUnavailable, `${path}.maxUnavailable`, errors, 100);
  }
}
