import type { StatusCause } from "@typekube/core";
import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { isJsonObject, type JsonObject, jsonEqual } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import { validateItems } from "../../../phases/validate/checks.js";
import { fieldValidator, validateFields } from "../../fields/validate-fields.js";
import { validateClaimSpec } from "../../volumes/claim-spec.js";
import { isZero } from "../../workloads/rolling-update.js";
import { validateWorkload, type WorkloadKind } from "../../workloads/validate-workload.js";
import { withClaimedVolumes } from "./claim-templates.js";

const statefulSet: WorkloadKind = {
  selectorOf: "statefulset",
  deadlineOf: "StatefulSet",
  selectorError: unexplained,
};

/** Returns the error about an invalid selector; it has no explanation. */
function unexplained(selector: unknown): StatusCause {
  const error = cause.invalid("spec.selector", selector, "");
  return { ...error, message: String(error.message).replace(/: $/, "") };
}

/**
 * Appends the field errors of a StatefulSet. The immutable service name is validated only on create, the template and
 * claim templates only when they change.
 */
export function validateStatefulSet(object: ApiObject, errors: FieldErrors, old?: ApiObject): void {
  const spec = specOf(object);
  const oldSpec = old && specOf(old);
  const template = mapOf(spec["template"]);
  const claims = objectsOf(spec["volumeClaimTemplates"]);
  const { podManagementPolicy: policy } = spec;
  const validate = fieldValidator("apps/v1.StatefulSetSpec", spec, "spec", errors);
  if (oldSpec === undefined) {
    validate("serviceName");
  }
  if (policy !== "OrderedReady" && policy !== "Parallel") {
    const why = "must be 'OrderedReady' or 'Parallel'";
    errors.push(cause.invalid("spec.podManagementPolicy", policy, why));
  }
  validateUpdateStrategy(mapOf(spec["updateStrategy"]), "spec.updateStrategy", errors);
  if (!jsonEqual(claims, oldSpec && objectsOf(oldSpec["volumeClaimTemplates"]))) {
    validateItems(claims, validateClaimTemplate, "spec.volumeClaimTemplates", errors);
  }
  validate("ordinals", "persistentVolumeClaimRetentionPolicy", "replicas", "minReadySeconds");
  const isKept = oldSpec !== undefined && jsonEqual(template, mapOf(oldSpec["template"]));
  const checked = isKept ? undefined : withClaimedVolumes(spec, template);
  validateWorkload(statefulSet, spec, checked, errors);
}

function validateClaimTemplate(claim: JsonObject, path: string, errors: FieldErrors): void {
  validateClaimSpec(specOf(claim), `${path}.spec`, errors);
}

function validateUpdateStrategy(
  { type, rollingUpdate }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const { partition = null, maxUnavailable = null } = mapOf(rollingUpdate);
  const shown = isJsonObject(rollingUpdate)
    ? { Partition: partition, MaxUnavailable: maxUnavailable }
    : null;
  if (type !== "RollingUpdate" && type !== "OnDelete") {
    const why = "must be 'RollingUpdate' or 'OnDelete'";
    errors.push(cause.invalid(path, { Type: type, RollingUpdate: shown }, why));
  }
  if (type === "OnDelete" && shown !== null) {
    const why = "only allowed for updateStrategy 'RollingUpdate'";
    errors.push(cause.invalid(`${path}.rollingUpdate`, shown, why));
  }
  const place = `${path}.rollingUpdate`;
  validateFields("apps/v1.RollingUpdateStatefulSetStrategy", mapOf(rollingUpdate), place, errors);
  if (maxUnavailable !== null && isZero(maxUnavailable)) {
    errors.push(cause.invalid(`${place}.maxUnavailable`, maxUnavailable, "cannot be 0"));
  }
}
