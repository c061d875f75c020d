import type { KindStrategy } from "../../resources/kind-strategy.js";
import { networkPolicyWarnings } from "./network-warnings.js";
import { networkPolicyColumns } from "./service-columns.js";
import { validateNetworkPolicy } from "./validate-networking.js";

/** Strategy of the kind NetworkPolicy. */
export const networkPolicyStrategy: KindStrategy = {
  rules: { generation: true },
  validate: validateNetworkPolicy,
  warnings: networkPolicyWarnings,
  columns: networkPolicyColumns,
};
