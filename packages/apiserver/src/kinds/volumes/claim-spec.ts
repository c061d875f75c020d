import { parseQuantity } from "@typekube/core/quantity";
import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { isUnset, validateGivenOneOf } from "../../phases/validate/checks.js";
import { fieldValidator, validateFields } from "../fields/validate-fields.js";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Appends the field errors of a claim's spec. */
export function validateClaimSpec(spec: JsonObject, path: string, errors: FieldErrors): void {
  const { dataSource } = spec;
  const validate = fieldValidator("core/v1.PersistentVolumeClaimSpec", spec, path, errors);
  const modes = stringsOf(spec["accessModes"]);
  const { storage } = mapOf(mapOf(spec["resources"])["requests"]);
  if (modes.length === 0) {
    errors.push(cause.required(`${path}.accessModes`, "at least 1 access mode is required"));
  }
  validateAccessModes(modes, `${path}.accessModes`, errors);
  validate("selector");
  validateStorage(storage, `${path}.resources[storage]`, errors);
  validate("storageClassName", "volumeAttributesClassName", "volumeMode");
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
  const { apiGroup, kind } = source;
  validateFields("core/v1.TypedLocalObjectReference", source, path, errors);
  if (isUnset(apiGroup) && kind !== "PersistentVolumeClaim") {
    const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    errors.push(cause.invalid(path, kind ?? "", why));
  }
}
