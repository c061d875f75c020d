import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { size } from "./data-size.js";
import { type DataKind, validateData, validateImmutableData } from "./validate-data.js";

/** The API names a ConfigMap as a whole by the path `[]`. */
const configMapData: DataKind = { encoding: "utf8", sizePath: "[]" };

/** Strategy of the kind ConfigMap. */
export const configMapStrategy: KindStrategy = {
  validate: (object, errors) => validateData(configMapData, object, errors),
  changesFirst: true,
  validateUpdate: validateImmutableData,
  columns: columnsFor("configmaps", {
    Data: column("Number of keys.", (one) => size(one["data"]) + size(one["binaryData"])),
  }),
};
