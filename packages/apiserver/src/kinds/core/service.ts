import type { KindStrategy } from "../../resources/kind-strategy.js";
import { serviceColumns } from "../networking/service-columns.js";
import { asNewService, validateGrant, withKeptAddresses } from "./service/service-hooks.js";
import { serviceWarnings } from "./service/service-warnings.js";
import {
  validateService,
  validateServiceStatus,
  validateServiceUpdate,
} from "./service/validate-service.js";

/** Strategy of the kind Service. */
export const serviceStrategy: KindStrategy = {
  rules: { createOnUpdate: true, returnDeleted: true, names: "service" },
  prepareCreate: asNewService,
  prepareUpdate: withKeptAddresses,
  validate: validateService,
  validateUpdate: validateServiceUpdate,
  validateStatus: validateServiceStatus,
  validateGrant,
  warnings: serviceWarnings,
  fieldSelectors: { paths: ["spec.clusterIP", "spec.type"] },
  columns: serviceColumns,
};
