import type { KindStrategy } from "../../resources/kind-strategy.js";
import { secretColumns } from "../fields/cluster-columns.js";
import { validateSecretType } from "../rbac/validate-access.js";
import { withStringData } from "./access-hooks.js";
import { certificateWarnings } from "./certificate-warnings.js";
import { validateImmutableData } from "./immutable-fields.js";
import { validateData } from "./validate-data.js";

/** Strategy of the kind Secret. */
export const secretStrategy: KindStrategy = {
  defaults: withStringData,
  validate: (object, errors) => {
    validateData("secrets", object, errors);
    validateSecretType(object, errors);
  },
  changesFirst: true,
  immutable: [{ path: "type" }],
  validateUpdate: validateImmutableData,
  warnings: certificateWarnings,
  fieldSelectors: { paths: ["type"] },
  columns: secretColumns,
  idle: {
    why: "does not fill Secrets with tokens (request one of the ServiceAccount instead)",
    note: "of type `kubernetes.io/service-account-token`",
    only: (object) => object["type"] === "kubernetes.io/service-account-token",
  },
};
