import { parseQuantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { givenOneOf, required, subdomain } from "../../phases/validate/old-checks.js";
import { validateSelector } from "../fields/selectors.js";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Volume modes. */
export const volumeModes: readonly string[] = ["Block", "Filesystem"];

/** Returns the field errors of a PersistentVolumeClaim. */
export function validateClaim(claim: ApiObject): FieldErrors {
  return validateClaimSpec(specOf(claim), "spec");
}

/** Returns the field errors of a claim's spec. */
export function validateClaimSpec(spec: JsonObject, path: string): FieldErrors {
  const modes = stringsOf(spec["accessModes"]);
  const { storage } = mapOf(mapOf(spec["resources"])["requests"]);
  const storageClass = spec["storageClassName"];
  const attributes = spec["volumeAttributesClassName"];
  return [
    ...(modes.length === 0
      ? [cause.required(`${path}.accessModes`, "at least 1 access mode is required")]
      : []),
    ...validateModes(modes, `${path}.accessModes`),
    ...validateSelector(spec["selector"], `${path}.selector`),
    ...validateAmount(storage, `${path}.resources[storage]`),
    ...(isUnset(storageClass) ? [] : subdomain(`${path}.storageClassName`, storageClass)),
    ...(isUnset(attributes) ? [] : subdomain(`${path}.volumeAttributesClassName`, attributes)),
    ...givenOneOf(`${path}.volumeMode`, spec["volumeMode"], volumeModes),
    // Real servers copy the data source to the newer field before validation.
    ...["dataSource", "dataSourceRef"].flatMap((key) =>
      validateSource(spec["dataSource"] ?? spec[key], `${path}.${key}`),
    ),
  ];
}

const growths = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
];

/** Returns the field errors of a claim's resize status. Errors show the resource, not its status. */
export function validateClaimStatus({ status }: ApiObject): FieldErrors {
  const field = "status.allocatedResourceStatuses";
  return Object.entries(mapOf(mapOf(status)["allocatedResourceStatuses"])).flatMap(
    ([name, growth]) => [
      ...(name === "storage" || name.includes("/")
        ? []
        : [cause.notSupported(field, name, ["storage"])]),
      ...(growths.includes(String(growth)) ? [] : [cause.notSupported(field, name, growths)]),
    ],
  );
}

/** Returns the field errors of access modes. */
export function validateModes(modes: readonly string[], field: string): FieldErrors {
  return [
    ...modes.flatMap((mode) => givenOneOf(field, mode, accessModes)),
    ...(modes.includes("ReadWriteOncePod") && modes.length > 1
      ? [cause.forbidden(field, "may not use ReadWriteOncePod with other access modes")]
      : []),
  ];
}

/** Checks that an amount of storage is greater than zero. */
export function validateAmount(amount: unknown, field: string): FieldErrors {
  const quantity = parseQuantity(amount);
  if (quantity === undefined) {
    return [cause.required(field)];
  }
  return quantity.nanos > 0n ? [] : [cause.invalid(field, amount, "must be greater than zero")];
}

function validateSource(source: unknown, field: string): FieldErrors {
  if (!isJsonObject(source)) {
    return [];
  }
  const { apiGroup, kind, name } = source;
  const isOther = isUnset(apiGroup) && kind !== "PersistentVolumeClaim";
  return [
    ...required(`${field}.name`, name),
    ...required(`${field}.kind`, kind),
    ...(isUnset(apiGroup) ? [] : subdomain(`${field}.apiGroup`, apiGroup)),
    ...(isOther
      ? [
          cause.invalid(
            field,
            kind ?? "",
            "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
          ),
        ]
      : []),
  ];
}
