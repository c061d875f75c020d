import type { KindStrategy } from "../../resources/kind-strategy.js";
import { serviceCidrColumns } from "../table/service-columns.js";
import { validateServiceCidr } from "../validation/service-addresses.js";

/** Strategy of the kind ServiceCIDR. */
export const serviceCidrStrategy: KindStrategy = {
  rules: { statusMetadata: "none" },
  validate: (object, errors) => void errors.push(...validateServiceCidr(object)),
  columns: serviceCidrColumns,
  idle: { why: "gives Services addresses of 10.0.0.0/24 only" },
};
