import type { KindStrategy } from "../../resources/kind-strategy.js";
import { runtimeClassColumns } from "../table/cluster-columns.js";
import { validateRuntimeClass } from "../validation/others.js";
import { runtimeClassWarnings } from "../warnings/more-warnings.js";

/** Strategy of the kind RuntimeClass. */
export const runtimeClassStrategy: KindStrategy = {
  rules: { unconditionalUpdate: false },
  validate: (object, errors) => void errors.push(...validateRuntimeClass(object)),
  immutable: [{ path: "handler", shows: "null" }],
  warnings: runtimeClassWarnings,
  columns: runtimeClassColumns,
};
