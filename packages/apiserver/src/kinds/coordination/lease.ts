import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { validateFields } from "../fields/validate-fields.js";

/** Strategy of the kind Lease. */
export const leaseStrategy: KindStrategy = {
  rules: { createOnUpdate: true, unconditionalUpdate: false },
  validate: validateLease,
  columns: columnsFor("leases.coordination.k8s.io", {
    Holder: column("Holder of the lease.", (one) => specOf(one)["holderIdentity"] ?? ""),
  }),
};

function validateLease(lease: ApiObject, errors: FieldErrors): void {
  const spec = specOf(lease);
  const { leaseDurationSeconds: duration } = spec;
  if (typeof duration === "number" && duration <= 0) {
    errors.push(cause.invalid("spec.leaseDurationSeconds", duration, "must be greater than 0"));
  }
  validateFields("coordination/v1.LeaseSpec", spec, "spec", errors);
}
