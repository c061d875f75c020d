import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { binding } from "./admission-cells.js";
import { validateValidatingBinding } from "./validate-binding.js";

/** Strategy of the kind ValidatingAdmissionPolicyBinding. */
export const validatingAdmissionPolicyBindingStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false },
  columns: columnsFor("validatingadmissionpolicybindings.admissionregistration.k8s.io", binding),
  validate: validateValidatingBinding,
};
