import type { KindStrategy } from "../../resources/kind-strategy.js";
import { mutatingAdmissionPolicyBindingColumns } from "./admission-columns.js";

/** Strategy of the kind MutatingAdmissionPolicyBinding. */
export const mutatingAdmissionPolicyBindingStrategy: KindStrategy = {
  rules: { generation: true },
  columns: mutatingAdmissionPolicyBindingColumns,
  idle: { why: "does not evaluate admission policies" },
};
