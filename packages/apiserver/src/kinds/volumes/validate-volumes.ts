import { parseQuantity } from "@typekube/core/quantity";
import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, specOf } from "../../objects/parts.js";
import {
  appendInvalid,
  type Check,
  isUnset,
  validateDnsLabel,
  validateLabels,
  validateRequiredWith,
} from "../../phases/validate/checks.js";
import { subdomainTexts } from "../../phases/validate/name-texts.js";
import { validateFields } from "../fields/validate-fields.js";
import { validateClaimSpec } from "./claim-spec.js";
import { driverVolumeChecks } from "./driver-volumes.js";
import { validateDownwardApi } from "./field-references.js";
import { validateProjection } from "./projections.js";

/** Order in which sources are checked first; a second source is rejected. */
const order = ["emptyDir", "hostPath"];

/**
 * Appends the field errors of the volumes of a pod; returns the valid volumes.
 *
 * @param podName - name of the pod, from which the names of its ephemeral claims derive.
 */
export function validateVolumes(
  volumes: readonly JsonObject[],
  path: string,
  errors: FieldErrors,
  podName: string | undefined,
): JsonObject[] {
  const names = new Set<unknown>();
  const valid: JsonObject[] = [];
  for (const [at, volume] of volumes.entries()) {
    const { name, ephemeral } = volume;
    const count = errors.length;
    validateSource(volume, `${path}[${at}]`, errors);
    if (isJsonObject(ephemeral) && podName !== undefined && !isUnset(name)) {
      const claim = `${podName}-${String(name)}`;
      const texts = subdomainTexts(claim).map((why) => `PVC name "${claim}": ${why}`);
      appendInvalid(texts, name, `${path}[${at}].name`, errors);
    }
    validateRequiredWith(name, validateDnsLabel, `${path}[${at}].name`, errors);
    if (!isUnset(name) && names.has(name)) {
      errors.push(cause.duplicate(`${path}[${at}].name`, name));
    }
    names.add(name);
    if (errors.length === count) {
      valid.push(volume);
    }
  }
  return valid;
}

function validateSource(volume: JsonObject, path: string, errors: FieldErrors): void {
  const [first, ...others] = Object.keys(volume)
    .filter((key) => key !== "name" && isJsonObject(volume[key]))
    .sort((a, b) => rank(a) - rank(b));
  if (first !== undefined) {
    sourceChecks[first]?.(mapOf(volume[first]), `${path}.${first}`, errors);
    validateFields("core/v1.VolumeSource", { [first]: volume[first] }, path, errors);
  }
  for (const key of others) {
    errors.push(cause.forbidden(`${path}.${key}`, "may not specify more than 1 volume type"));
  }
}

function rank(key: string): number {
  const at = order.indexOf(key);
  return at < 0 ? order.length : at;
}

/** Checks of volume sources that rows can't express, by field. */
const sourceChecks: Readonly<Record<string, Check<JsonObject>>> = {
  ...driverVolumeChecks,
  emptyDir({ sizeLimit }, path, errors) {
    if ((parseQuantity(sizeLimit)?.nanos ?? 0n) < 0n) {
      const why = "SizeLimit field must be a valid resource quantity";
      errors.push(cause.forbidden(`${path}.sizeLimit`, why));
    }
  },
  ephemeral: ({ volumeClaimTemplate }, path, errors) =>
    validateEphemeralClaim(volumeClaimTemplate, `${path}.volumeClaimTemplate`, errors),
  projected: validateProjection,
  downwardAPI: validateDownwardApi,
};

function validateEphemeralClaim(template: unknown, path: string, errors: FieldErrors): void {
  if (!isJsonObject(template)) {
    errors.push(cause.required(path));
    return;
  }
  validateLabels(mapOf(template["metadata"])["labels"], `${path}.metadata.labels`, errors);
  validateClaimSpec(specOf(template), `${path}.spec`, errors);
}
