import type { KindStrategy } from "../../resources/kind-strategy.js";
import { controllerRevisionColumns } from "../table/workload-columns.js";
import { validateRevision } from "../validation/others.js";

/** Strategy of the kind ControllerRevision. */
export const controllerRevisionStrategy: KindStrategy = {
  validate: (object, errors) => void errors.push(...validateRevision(object)),
  immutable: [{ path: "data" }],
  columns: controllerRevisionColumns,
};
