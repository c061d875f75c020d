import type { KindStrategy } from "../../resources/kind-strategy.js";
import { configMapColumns } from "../fields/cluster-columns.js";
import { type DataKind, validateData, validateImmutableData } from "./validate-data.js";

/** The API names a ConfigMap as a whole by the path `[]`. */
const configMapData: DataKind = { encoding: "utf8", sizePath: "[]" };

/** Strategy of the kind ConfigMap. */
export const configMapStrategy: KindStrategy = {
  validate: (object, errors) => validateData(configMapData, object, errors),
  changesFirst: true,
  validateUpdate: validateImmutableData,
  columns: configMapColumns,
};
