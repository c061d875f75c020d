import type { KindStrategy } from "../../resources/kind-strategy.js";
import { mutatingAdmissionPolicyColumns } from "./admission-columns.js";

/** Strategy of the kind MutatingAdmissionPolicy. */
export const mutatingAdmissionPolicyStrategy: KindStrategy = {
  rules: { generation: true },
  columns: mutatingAdmissionPolicyColumns,
  idle: { why: "does not evaluate admission policies" },
};
