import { parseQuantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, specOf } from "../../objects/parts.js";
import {
  isUnset,
  validateGivenOneOf,
  validateOptional,
  validateRequired,
  validateSubdomain,
} from "../../phases/validate/checks.js";
import { validateSelector } from "../fields/selectors.js";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Volume modes. */
export const volumeModes: readonly string[] = ["Block", "Filesystem"];

/** Appends the field errors of a PersistentVolumeClaim. */
export function validateClaim(claim: ApiObject, errors: FieldErrors): void {
  validateClaimSpec(specOf(claim), "spec", errors);
}

/** Appends the field errors of a claim's spec. */
export function validateClaimSpec(spec: JsonObject, path: string, errors: FieldErrors): void {
  const modes = stringsOf(spec["accessModes"]);
  const { storage } = mapOf(mapOf(spec["resources"])["requests"]);
  const storageClass = spec["storageClassName"];
  const attributes = spec["volumeAttributesClassName"];
  if (modes.length === 0) {
    errors.push(cause.required(`${path}.accessModes`, "at least 1 access mode is required"));
  }
  validateModes(modes, `${path}.accessModes`, errors);
  validateSelector(spec["selector"], `${path}.selector`, errors);
  validateAmount(storage, `${path}.resources[storage]`, errors);
  validateOptional(storageClass, validateSubdomain, `${path}.storageClassName`, errors);
  validateOptional(attributes, validateSubdomain, `${path}.volumeAttributesClassName`, errors);
  validateGivenOneOf(spec["volumeMode"], volumeModes, `${path}.volumeMode`, errors);
  for (const key of ["dataSource", "dataSourceRef"]) {
    validateSource(spec["dataSource"] ?? spec[key], `${path}.${key}`, errors);
  }
}

const growths = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
];

/** Appends the field errors of a claim's resize status. Errors show the resource, not its status. */
export function validateClaimStatus({ status }: ApiObject, errors: FieldErrors): void {
  const field = "status.allocatedResourceStatuses";
  for (const [name, growth] of Object.entries(mapOf(mapOf(status)["allocatedResourceStatuses"]))) {
    if (name !== "storage" && !name.includes("/")) {
      errors.push(cause.notSupported(field, name, ["storage"]));
    }
    if (!growths.includes(String(growth))) {
      errors.push(cause.notSupported(field, name, growths));
    }
  }
}

/** Appends the field errors of access modes. */
export function validateModes(modes: readonly string[], path: string, errors: FieldErrors): void {
  for (const mode of modes) {
    validateGivenOneOf(mode, accessModes, path, errors);
  }
  if (modes.includes("ReadWriteOncePod") && modes.length > 1) {
    errors.push(cause.forbidden(path, "may not use ReadWriteOncePod with other access modes"));
  }
}

/** Checks that an amount of storage is greater than zero. */
export function validateAmount(amount: unknown, path: string, errors: FieldErrors): void {
  const quantity = parseQuantity(amount);
  if (quantity === undefined) {
    errors.push(cause.required(path));
    return;
  }
  if (!(quantity.nanos > 0n)) {
    errors.push(cause.invalid(path, amount, "must be greater than zero"));
  }
}

function validateSource(source: unknown, path: string, errors: FieldErrors): void {
  if (!isJsonObject(source)) {
    return;
  }
  const { apiGroup, kind, name } = source;
  const isOther = isUnset(apiGroup) && kind !== "PersistentVolumeClaim";
  validateRequired(name, `${path}.name`, errors);
  validateRequired(kind, `${path}.kind`, errors);
  validateOptional(apiGroup, validateSubdomain, `${path}.apiGroup`, errors);
  if (isOther) {
    errors.push(
      cause.invalid(
        path,
        kind ?? "",
        "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
      ),
    );
  }
}
