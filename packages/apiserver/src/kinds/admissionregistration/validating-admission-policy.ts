import { objectsOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import type { TableColumn } from "../../resources/table-column.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { paramKind } from "./admission-cells.js";

/** Columns of the kind ValidatingAdmissionPolicy. */
const validatingAdmissionPolicyColumns: readonly TableColumn[] = columnsFor(
  "validatingadmissionpolicies.admissionregistration.k8s.io",
  {
    Validations: column(
      "Number of validations.",
      (one) => objectsOf(specOf(one)["validations"]).length,
    ),
    ParamKind: paramKind,
  },
);

/** Strategy of the kind ValidatingAdmissionPolicy. */
export const validatingAdmissionPolicyStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false, statusMetadata: "none" },
  columns: validatingAdmissionPolicyColumns,
  idle: { why: "does not evaluate admission policies" },
};
