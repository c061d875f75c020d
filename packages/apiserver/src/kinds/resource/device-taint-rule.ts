import type { KindStrategy } from "../../resources/kind-strategy.js";
import { deviceTaintRuleColumns } from "../fields/cluster-columns.js";

/** Strategy of the kind DeviceTaintRule. */
export const deviceTaintRuleStrategy: KindStrategy = {
  columns: deviceTaintRuleColumns,
};
