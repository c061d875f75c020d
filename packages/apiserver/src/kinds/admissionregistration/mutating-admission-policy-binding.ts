import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { binding } from "./admission-cells.js";
import { validateMutatingBinding } from "./validate-binding.js";

/** Strategy of the kind MutatingAdmissionPolicyBinding. */
export const mutatingAdmissionPolicyBindingStrategy: KindStrategy = {
  rules: { generation: true },
  columns: columnsFor("mutatingadmissionpolicybindings.admissionregistration.k8s.io", binding),
  validate: validateMutatingBinding,
};
