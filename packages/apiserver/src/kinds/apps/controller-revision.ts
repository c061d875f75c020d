import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateRevision } from "../fields/others.js";
import { controllerRevisionColumns } from "../workloads/workload-columns.js";

/** Strategy of the kind ControllerRevision. */
export const controllerRevisionStrategy: KindStrategy = {
  validate: validateRevision,
  immutable: [{ path: "data" }],
  columns: controllerRevisionColumns,
};
