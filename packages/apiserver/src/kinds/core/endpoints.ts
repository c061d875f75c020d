import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateEndpoints } from "../fields/endpoints.js";
import { endpointsWarnings } from "../networking/network-warnings.js";
import { endpointsColumns } from "../networking/service-columns.js";

/** Strategy of the kind Endpoints. */
export const endpointsStrategy: KindStrategy = {
  rules: { createOnUpdate: true },
  validate: validateEndpoints,
  warnings: endpointsWarnings,
  columns: endpointsColumns,
};
