import { objectsOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import type { TableColumn } from "../../resources/table-column.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { paramKind } from "./admission-cells.js";

/** Columns of the kind MutatingAdmissionPolicy. */
const mutatingAdmissionPolicyColumns: readonly TableColumn[] = columnsFor(
  "mutatingadmissionpolicies.admissionregistration.k8s.io",
  {
    Mutations: column("Number of mutations.", (one) => objectsOf(specOf(one)["mutations"]).length),
    ParamKind: paramKind,
  },
);

/** Strategy of the kind MutatingAdmissionPolicy. */
export const mutatingAdmissionPolicyStrategy: KindStrategy = {
  rules: { generation: true },
  columns: mutatingAdmissionPolicyColumns,
  idle: { why: "does not evaluate admission policies" },
};
