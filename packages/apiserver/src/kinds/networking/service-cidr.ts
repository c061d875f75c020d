import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateServiceCidr } from "./service-addresses.js";
import { serviceCidrColumns } from "./service-columns.js";

/** Strategy of the kind ServiceCIDR. */
export const serviceCidrStrategy: KindStrategy = {
  rules: { statusMetadata: "none" },
  validate: validateServiceCidr,
  columns: serviceCidrColumns,
  idle: { why: "gives Services addresses of 10.0.0.0/24 only" },
};
