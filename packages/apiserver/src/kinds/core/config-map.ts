import type { KindStrategy } from "../../resources/kind-strategy.js";
import { configMapColumns } from "../fields/cluster-columns.js";
import { validateImmutableData } from "./immutable-fields.js";
import { validateData } from "./validate-data.js";

/** Strategy of the kind ConfigMap. */
export const configMapStrategy: KindStrategy = {
  validate: (object, errors) => validateData("configmaps", object, errors),
  changesFirst: true,
  validateUpdate: validateImmutableData,
  columns: configMapColumns,
};
