import type { KindStrategy } from "../../resources/kind-strategy.js";
import { ingressColumns } from "../table/service-columns.js";
import { validateBalancerStatusChange } from "../validation/balancer-status.js";
import { validateIngress, validateNewIngress } from "../validation/networking.js";
import { ingressWarnings } from "../warnings/network-warnings.js";

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
