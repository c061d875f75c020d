import type { KindStrategy } from "../../resources/kind-strategy.js";
import { podTemplateWarnings } from "../workloads/workload-warnings.js";
import { podTemplateColumns } from "./pod/pod-columns.js";

/** Strategy of the kind PodTemplate. */
export const podTemplateStrategy: KindStrategy = {
  rules: { generation: true, returnDeleted: true },
  warnings: podTemplateWarnings,
  columns: podTemplateColumns,
};
