import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { size } from "./data-size.js";
import { certificateWarnings } from "./secret/certificate-warnings.js";
import { withStringData } from "./secret/string-data.js";
import { validateSecretType } from "./secret/validate-secret-type.js";
import { type DataKind, validateData, validateImmutableData } from "./validate-data.js";

const secretData: DataKind = { encoding: "base64", sizePath: "data" };

/** Strategy of the kind Secret. */
export const secretStrategy: KindStrategy = {
  defaults: withStringData,
  validate(object, errors) {
    validateData(secretData, object, errors);
    validateSecretType(object, errors);
  },
  changesFirst: true,
  immutable: [{ path: "type" }],
  validateUpdate: validateImmutableData,
  warnings: certificateWarnings,
  fieldSelectors: { paths: ["type"] },
  columns: columnsFor("secrets", {
    Type: column("Type of the Secret.", ({ type }) => type),
    Data: column("Number of keys.", ({ data }) => size(data)),
  }),
  idle: {
    why: "does not fill Secrets with tokens (request one of the ServiceAccount instead)",
    note: "of type `kubernetes.io/service-account-token`",
    only: (object) => object["type"] === "kubernetes.io/service-account-token",
  },
};
