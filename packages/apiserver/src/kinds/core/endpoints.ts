import type { ApiObject } from "../../objects/api-object.js";
import { objectsOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { addressWarnings } from "../fields/address-warnings.js";
import { endpointsColumns } from "../networking/service-columns.js";
import { validateEndpoints } from "./endpoints/validate-endpoints.js";

/** Strategy of the kind Endpoints. */
export const endpointsStrategy: KindStrategy = {
  rules: { createOnUpdate: true },
  validate: validateEndpoints,
  warnings: endpointsWarnings,
  columns: endpointsColumns,
};

function endpointsWarnings({ subsets }: ApiObject): string[] {
  return objectsOf(subsets).flatMap((subset, at) =>
    ["addresses", "notReadyAddresses"].flatMap((list) =>
      objectsOf(subset[list]).flatMap(({ ip }, ipAt) =>
        addressWarnings(`subsets[${at}].${list}[${ipAt}].ip`, String(ip)),
      ),
    ),
  );
}
