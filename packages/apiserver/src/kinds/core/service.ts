import type { KindStrategy } from "../../resources/kind-strategy.js";
import { serviceColumns } from "../networking/service-columns.js";
import { asNewService, withKeptAddresses } from "./service/allocate-service.js";
import { validateServiceChange, validateServiceStatus } from "./service/service-changes.js";
import { validateAllocation } from "./service/service-use.js";
import { serviceWarnings } from "./service/service-warnings.js";
import { validateService } from "./service/validate-service.js";

/** Strategy of the kind Service. */
export const serviceStrategy: KindStrategy = {
  rules: { createOnUpdate: true, returnDeleted: true, names: "service" },
  prepareCreate: asNewService,
  prepareUpdate: withKeptAddresses,
  validate: validateService,
  validateUpdate: validateServiceChange,
  validateStatus: validateServiceStatus,
  validateGrant: validateAllocation,
  warnings: serviceWarnings,
  fieldSelectors: { paths: ["spec.clusterIP", "spec.type"] },
  columns: serviceColumns,
};
