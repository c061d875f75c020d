import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateData } from "../data-validation.js";
import { validateImmutableData } from "../immutable-fields.js";
import { configMapColumns } from "../table/cluster-columns.js";

/** Strategy of the kind ConfigMap. */
export const configMapStrategy: KindStrategy = {
  validate: (object, errors) => void errors.push(...validateData("configmaps", object)),
  changesFirst: true,
  validateUpdate: (object, old, errors) => void errors.push(...validateImmutableData(object, old)),
  columns: configMapColumns,
};
