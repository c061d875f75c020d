import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { specOf } from "../../objects/parts.js";
import { validateNotNegative } from "../../phases/validate/checks.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { leaseColumns } from "../fields/cluster-columns.js";

/** Strategy of the kind Lease. */
export const leaseStrategy: KindStrategy = {
  rules: { createOnUpdate: true, unconditionalUpdate: false },
  validate: validateLease,
  columns: leaseColumns,
};

function validateLease(lease: ApiObject, errors: FieldErrors): void {
  const { leaseDurationSeconds: duration, leaseTransitions } = specOf(lease);
  if (typeof duration === "number" && duration <= 0) {
    errors.push(cause.invalid("spec.leaseDurationSeconds", duration, "must be greater than 0"));
  }
  validateNotNegative(leaseTransitions, "spec.leaseTransitions", errors);
}
