import { parseQuantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
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

/** Appends the field errors of a claim's spec. */
export function validateClaimSpec(spec: JsonObject, path: string, errors: FieldErrors): void {
  const { storageClassName, volumeAttributesClassName, dataSource } = spec;
  const modes = stringsOf(spec["accessModes"]);
  const { storage } = mapOf(mapOf(spec["resources"])["requests"]);
  if (modes.length === 0) {
    errors.push(cause.required(`${path}.accessModes`, "at least 1 access mode is required"));
  }
  validateAccessModes(modes, `${path}.accessModes`, errors);
  validateSelector(spec["selector"], `${path}.selector`, errors);
  validateStorage(storage, `${path}.resources[storage]`, errors);
  validateOptional(storageClassName, validateSubdomain, `${path}.storageClassName`, errors);
  validateOptional(
    volumeAttributesClassName,
    validateSubdomain,
    `${path}.volumeAttributesClassName`,
    errors,
  );
  validateGivenOneOf(spec["volumeMode"], volumeModes, `${path}.volumeMode`, errors);
  validateDataSource(dataSource, `${path}.dataSource`, errors);
  validateDataSource(dataSource ?? spec["dataSourceRef"], `${path}.dataSourceRef`, errors);
}

/** Appends the field errors of access modes. */
export function validateAccessModes(
  modes: readonly string[],
  path: string,
  errors: FieldErrors,
): void {
  for (const mode of modes) {
    validateGivenOneOf(mode, accessModes, path, errors);
  }
  if (modes.includes("ReadWriteOncePod") && modes.length > 1) {
    errors.push(cause.forbidden(path, "may not use ReadWriteOncePod with other access modes"));
  }
}

/** Appends an error if an amount of storage is not greater than zero. */
export function validateStorage(amount: unknown, path: string, errors: FieldErrors): void {
  const quantity = parseQuantity(amount);
  if (quantity === undefined) {
    errors.push(cause.required(path));
  } else if (!(quantity.nanos > 0n)) {
    errors.push(cause.invalid(path, amount, "must be greater than zero"));
  }
}

function validateDataSource(source: unknown, path: string, errors: FieldErrors): void {
  if (!isJsonObject(source)) {
    return;
  }
  const { apiGroup, kind, name } = source;
  validateRequired(name, `${path}.name`, errors);
  validateRequired(kind, `${path}.kind`, errors);
  validateOptional(apiGroup, validateSubdomain, `${path}.apiGroup`, errors);
  if (isUnset(apiGroup) && kind !== "PersistentVolumeClaim") {
    const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    errors.push(cause.invalid(path, kind ?? "", why));
  }
}
