import type { KindStrategy } from "../../resources/kind-strategy.js";
import { ipAddressColumns } from "../table/service-columns.js";
import { validateIpAddress } from "../validation/service-addresses.js";

/** Strategy of the kind IPAddress. */
export const ipAddressStrategy: KindStrategy = {
  rules: { names: "address" },
  validate: (object, errors) => void errors.push(...validateIpAddress(object)),
  columns: ipAddressColumns,
};
