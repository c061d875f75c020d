import type { KindStrategy } from "../../resources/kind-strategy.js";
import { endpointsColumns } from "../table/service-columns.js";
import { validateEndpoints } from "../validation/endpoints.js";
import { endpointsWarnings } from "../warnings/network-warnings.js";

/** Strategy of the kind Endpoints. */
export const endpointsStrategy: KindStrategy = {
  rules: { createOnUpdate: true },
  validate: (object, errors, old) => void errors.push(...validateEndpoints(object, old)),
  warnings: endpointsWarnings,
  columns: endpointsColumns,
};
