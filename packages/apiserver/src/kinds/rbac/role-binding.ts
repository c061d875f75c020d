import type { KindStrategy } from "../../resources/kind-strategy.js";
import { roleBindingColumns } from "./access-columns.js";
import { validateBinding } from "./validate-binding.js";

/** Strategy of the kind RoleBinding. */
export const roleBindingStrategy: KindStrategy = {
  rules: { createOnUpdate: true, names: "path" },
  validate: (object, errors) => validateBinding(object, false, errors),
  immutable: [{ path: "roleRef" }],
  columns: roleBindingColumns,
};
