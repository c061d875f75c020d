import type { KindStrategy } from "../../resources/kind-strategy.js";
import { leaseColumns } from "../fields/cluster-columns.js";
import { validateLease } from "../fields/others.js";

/** Strategy of the kind Lease. */
export const leaseStrategy: KindStrategy = {
  rules: { createOnUpdate: true, unconditionalUpdate: false },
  validate: validateLease,
  columns: leaseColumns,
};
