import type { KindStrategy } from "../../resources/kind-strategy.js";
import { runtimeClassWarnings } from "../core/more-warnings.js";
import { runtimeClassColumns } from "../fields/cluster-columns.js";
import { validateRuntimeClass } from "../fields/others.js";

/** Strategy of the kind RuntimeClass. */
export const runtimeClassStrategy: KindStrategy = {
  rules: { unconditionalUpdate: false },
  validate: validateRuntimeClass,
  immutable: [{ path: "handler", shows: "null" }],
  warnings: runtimeClassWarnings,
  columns: runtimeClassColumns,
};
