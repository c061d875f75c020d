import type { KindStrategy } from "../../resources/kind-strategy.js";
import { templateWarnings } from "../pod-spec/pod-warnings.js";
import { isRestated } from "../workloads/workload-warnings.js";
import { podTemplateColumns } from "./pod/pod-columns.js";

/** Strategy of the kind PodTemplate. */
export const podTemplateStrategy: KindStrategy = {
  rules: { generation: true, returnDeleted: true },
  warnings: (object, old) =>
    isRestated(object, old) ? templateWarnings(object["template"], "template") : [],
  columns: podTemplateColumns,
};
