import type { KindStrategy } from "../../resources/kind-strategy.js";
import type { TableColumn } from "../../resources/table-column.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { binding } from "./admission-cells.js";

/** Columns of the kind ValidatingAdmissionPolicyBinding. */
const validatingAdmissionPolicyBindingColumns: readonly TableColumn[] = columnsFor(
  "validatingadmissionpolicybindings.admissionregistration.k8s.io",
  binding,
);

/** Strategy of the kind ValidatingAdmissionPolicyBinding. */
export const validatingAdmissionPolicyBindingStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false },
  columns: validatingAdmissionPolicyBindingColumns,
  idle: { why: "does not evaluate admission policies" },
};
