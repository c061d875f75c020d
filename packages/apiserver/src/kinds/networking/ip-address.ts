import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateIpAddress } from "./service-addresses.js";
import { ipAddressColumns } from "./service-columns.js";

/** Strategy of the kind IPAddress. */
export const ipAddressStrategy: KindStrategy = {
  rules: { names: "address" },
  validate: validateIpAddress,
  columns: ipAddressColumns,
};
