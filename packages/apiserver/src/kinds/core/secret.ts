import type { KindStrategy } from "../../resources/kind-strategy.js";
import { withStringData } from "../access-hooks.js";
import { validateData } from "../data-validation.js";
import { validateImmutableData } from "../immutable-fields.js";
import { secretColumns } from "../table/cluster-columns.js";
import { validateSecretType } from "../validation/access.js";
import { certificateWarnings } from "../warnings/certificate-warnings.js";

/** Strategy of the kind Secret. */
export const secretStrategy: KindStrategy = {
  defaults: withStringData,
  validate: (object, errors) =>
    void errors.push(...validateData("secrets", object), ...validateSecretType(object)),
  changesFirst: true,
  immutable: [{ path: "type" }],
  validateUpdate: (object, old, errors) => void errors.push(...validateImmutableData(object, old)),
  warnings: certificateWarnings,
  fieldSelectors: { paths: ["type"] },
  columns: secretColumns,
  idle: {
    why: "does not fill Secrets with tokens (request one of the ServiceAccount instead)",
    note: "of type `kubernetes.io/service-account-token`",
    only: (object) => object["type"] === "kubernetes.io/service-account-token",
  },
};
