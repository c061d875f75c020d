import type { KindStrategy } from "../../resources/kind-strategy.js";
import { podTemplateColumns } from "../table/pod-columns.js";
import { podTemplateWarnings } from "../warnings/workload-warnings.js";

/** Strategy of the kind PodTemplate. */
export const podTemplateStrategy: KindStrategy = {
  rules: { generation: true, returnDeleted: true },
  warnings: podTemplateWarnings,
  columns: podTemplateColumns,
};
