import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateBalancerStatusChange } from "../fields/balancer-status.js";
import { ingressWarnings } from "./network-warnings.js";
import { ingressColumns } from "./service-columns.js";
import { validateIngress, validateNewIngress } from "./validate-networking.js";

/** Strategy of the kind Ingress. */
export const ingressStrategy: KindStrategy = {
  rules: { generation: true },
  validate: (object, errors) => void errors.push(...validateIngress(object)),
  validateCreate: (object, errors) => void errors.push(...validateNewIngress(object)),
  validateStatus: (object, old, errors) =>
    void errors.push(...validateBalancerStatusChange(object, old)),
  warnings: (object, old) => (old === undefined ? ingressWarnings(object) : []),
  columns: ingressColumns,
};
