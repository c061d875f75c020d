import type { KindStrategy } from "../../resources/kind-strategy.js";
import { componentStatusColumns } from "../fields/cluster-columns.js";

/** Strategy of the kind ComponentStatus. */
export const componentStatusStrategy: KindStrategy = {
  columns: componentStatusColumns,
};
