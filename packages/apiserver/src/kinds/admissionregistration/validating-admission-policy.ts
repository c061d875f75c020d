import { objectsOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { paramKind } from "./admission-cells.js";
import { validateValidatingPolicy } from "./validate-policy.js";

/** Strategy of the kind ValidatingAdmissionPolicy. */
export const validatingAdmissionPolicyStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false, statusMetadata: "none" },
  columns: columnsFor("validatingadmissionpolicies.admissionregistration.k8s.io", {
    Validations: column(
      "Number of validations.",
      (one) => objectsOf(specOf(one)["validations"]).length,
    ),
    ParamKind: paramKind,
  }),
  validateWrite: validateValidatingPolicy,
};
