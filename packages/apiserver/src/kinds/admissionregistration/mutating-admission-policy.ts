import { objectsOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { paramKind } from "./admission-cells.js";
import { validateMutatingPolicy } from "./validate-policy.js";

/** Strategy of the kind MutatingAdmissionPolicy. */
export const mutatingAdmissionPolicyStrategy: KindStrategy = {
  rules: { generation: true },
  columns: columnsFor("mutatingadmissionpolicies.admissionregistration.k8s.io", {
    Mutations: column("Number of mutations.", (one) => objectsOf(specOf(one)["mutations"]).length),
    ParamKind: paramKind,
  }),
  validateWrite: validateMutatingPolicy,
};
