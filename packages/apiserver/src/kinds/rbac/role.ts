import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateRole } from "./validate-role.js";

/** Strategy of the kind Role. */
export const roleStrategy: KindStrategy = {
  rules: { createOnUpdate: true, names: "path" },
  validate: (object, errors) => validateRole(object, false, errors),
};
