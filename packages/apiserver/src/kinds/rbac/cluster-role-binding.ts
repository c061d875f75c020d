import type { KindStrategy } from "../../resources/kind-strategy.js";
import type { TableColumn } from "../../resources/table-column.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { bindings } from "./access-cells.js";
import { validateBinding } from "./validate-binding.js";

/** Columns of the kind ClusterRoleBinding. */
const clusterRoleBindingColumns: readonly TableColumn[] = columnsFor(
  "clusterrolebindings.rbac.authorization.k8s.io",
  bindings,
);

/** Strategy of the kind ClusterRoleBinding. */
export const clusterRoleBindingStrategy: KindStrategy = {
  rules: { createOnUpdate: true, names: "path" },
  validate: (object, errors) => validateBinding(object, true, errors),
  immutable: [{ path: "roleRef" }],
  columns: clusterRoleBindingColumns,
};
