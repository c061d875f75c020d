import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateBalancerStatusChange } from "../fields/balancer-status.js";
import { ingressWarnings } from "./network-warnings.js";
import { ingressColumns } from "./service-columns.js";
import { validateIngress, validateNewIngress } from "./validate-networking.js";

/** Strategy of the kind Ingress. */
export const ingressStrategy: KindStrategy = {
  rules: { generation: true },
  validate: validateIngress,
  validateCreate: validateNewIngress,
  validateStatus: validateBalancerStatusChange,
  warnings: (object, old) => (old === undefined ? ingressWarnings(object) : []),
  columns: ingressColumns,
};
