import type { KindStrategy } from "../../resources/kind-strategy.js";
import type { TableColumn } from "../../resources/table-column.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { binding } from "./admission-cells.js";

/** Columns of the kind MutatingAdmissionPolicyBinding. */
const mutatingAdmissionPolicyBindingColumns: readonly TableColumn[] = columnsFor(
  "mutatingadmissionpolicybindings.admissionregistration.k8s.io",
  binding,
);

/** Strategy of the kind MutatingAdmissionPolicyBinding. */
export const mutatingAdmissionPolicyBindingStrategy: KindStrategy = {
  rules: { generation: true },
  columns: mutatingAdmissionPolicyBindingColumns,
  idle: { why: "does not evaluate admission policies" },
};
