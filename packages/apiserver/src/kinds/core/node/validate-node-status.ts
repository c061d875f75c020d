import { parseQuantity } from "@typekube/core/quantity";
import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { getPath, jsonEqual } from "../../../objects/json-value.js";
import { mapOf, objectsOf } from "../../../objects/parts.js";

/** Appends the field errors of a Node status. */
export function validateNodeStatus({ status }: ApiObject, errors: FieldErrors): void {
  const addresses = objectsOf(getPath(status, "addresses"));
  for (const [at, address] of addresses.entries()) {
    if (addresses.slice(0, at).some((one) => jsonEqual(one, address))) {
      const shown = { Type: address["type"], Address: address["address"] };
      errors.push(cause.duplicate(`status.addresses[${at}]`, shown));
    }
  }
  for (const list of ["capacity", "allocatable"]) {
    for (const [name, amount] of Object.entries(mapOf(getPath(status, list)))) {
      if ((parseQuantity(amount)?.nanos ?? 0n) < 0n) {
        const why = "must be greater than or equal to 0";
        errors.push(cause.invalid(`status.${list}.${name}`, amount, why));
      }
    }
  }
}
