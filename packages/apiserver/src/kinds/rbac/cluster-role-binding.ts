import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { bindings } from "./access-cells.js";
import { validateBinding } from "./validate-binding.js";

/** Strategy of the kind ClusterRoleBinding. */
export const clusterRoleBindingStrategy: KindStrategy = {
  rules: { createOnUpdate: true, names: "path" },
  validate: (object, errors) => validateBinding(object, true, errors),
  immutable: [{ path: "roleRef" }],
  columns: columnsFor("clusterrolebindings.rbac.authorization.k8s.io", bindings),
};
