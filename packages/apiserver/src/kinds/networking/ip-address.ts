import type { FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { mapOf, specOf } from "../../objects/parts.js";
import {
  validateOptional,
  validatePathSegment,
  validateSubdomain,
} from "../../phases/validate/checks.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { ipAddressColumns } from "./service-columns.js";

/** Strategy of the kind IPAddress. */
export const ipAddressStrategy: KindStrategy = {
  rules: { names: "address" },
  validate: validateIpAddress,
  columns: ipAddressColumns,
};

function validateIpAddress(object: ApiObject, errors: FieldErrors): void {
  const parent = mapOf(specOf(object)["parentRef"]);
  validateOptional(parent["group"], validateSubdomain, "spec.parentRef.group", errors);
  for (const key of ["resource", "name", "namespace"]) {
    validateOptional(parent[key], validatePathSegment, `spec.parentRef.${key}`, errors);
  }
}
