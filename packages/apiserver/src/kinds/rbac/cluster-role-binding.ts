import type { KindStrategy } from "../../resources/kind-strategy.js";
import { clusterRoleBindingColumns } from "./access-columns.js";
import { validateBinding } from "./validate-binding.js";

/** Strategy of the kind ClusterRoleBinding. */
export const clusterRoleBindingStrategy: KindStrategy = {
  rules: { createOnUpdate: true, names: "path" },
  validate: (object, errors) => validateBinding(object, true, errors),
  immutable: [{ path: "roleRef" }],
  columns: clusterRoleBindingColumns,
};
