import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validatingAdmissionPolicyColumns } from "./admission-columns.js";

/** Strategy of the kind ValidatingAdmissionPolicy. */
export const validatingAdmissionPolicyStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false, statusMetadata: "none" },
  columns: validatingAdmissionPolicyColumns,
  idle: { why: "does not evaluate admission policies" },
};
