import type { KindStrategy } from "../../resources/kind-strategy.js";
import { networkPolicyColumns } from "../table/service-columns.js";
import { validateNetworkPolicy } from "../validation/networking.js";
import { networkPolicyWarnings } from "../warnings/network-warnings.js";

/** Strategy of the kind NetworkPolicy. */
export const networkPolicyStrategy: KindStrategy = {
  rules: { generation: true },
  validate: (object, errors, old) => void errors.push(...validateNetworkPolicy(object, old)),
  warnings: networkPolicyWarnings,
  columns: networkPolicyColumns,
};
