import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateRole } from "./validate-role.js";

/** Strategy of the kind ClusterRole. */
export const clusterRoleStrategy: KindStrategy = {
  rules: { createOnUpdate: true, names: "path" },
  validate: (object, errors) => validateRole(object, true, errors),
};
