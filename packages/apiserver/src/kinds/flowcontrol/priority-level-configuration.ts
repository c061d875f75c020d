import type { KindStrategy } from "../../resources/kind-strategy.js";
import { priorityLevelConfigurationColumns } from "../fields/cluster-columns.js";

/** Strategy of the kind PriorityLevelConfiguration. */
export const priorityLevelConfigurationStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false, statusMetadata: "none" },
  columns: priorityLevelConfigurationColumns,
  idle: { why: "handles all requests at once and queues none" },
};
