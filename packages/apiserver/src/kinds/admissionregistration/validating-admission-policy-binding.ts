import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validatingAdmissionPolicyBindingColumns } from "./admission-columns.js";

/** Strategy of the kind ValidatingAdmissionPolicyBinding. */
export const validatingAdmissionPolicyBindingStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false },
  columns: validatingAdmissionPolicyBindingColumns,
  idle: { why: "does not evaluate admission policies" },
};
