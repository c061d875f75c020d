import type { KindStrategy } from "../../resources/kind-strategy.js";
import { flowSchemaColumns } from "../fields/cluster-columns.js";

/** Strategy of the kind FlowSchema. */
export const flowSchemaStrategy: KindStrategy = {
  rules: { generation: true, unconditionalUpdate: false, statusMetadata: "none" },
  columns: flowSchemaColumns,
  idle: { why: "handles all requests at once and queues none" },
};
