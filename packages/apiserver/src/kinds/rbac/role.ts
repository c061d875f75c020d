import type { KindStrategy } from "../../resources/kind-strategy.js";
import { roleColumns } from "../table/access-columns.js";
import { validateRole } from "../validation/access.js";

/** Strategy of the kind Role. */
export const roleStrategy: KindStrategy = {
  rules: { createOnUpdate: true, names: "path" },
  validate: (object, errors) => void errors.push(...validateRole(object, false)),
  columns: roleColumns,
};
