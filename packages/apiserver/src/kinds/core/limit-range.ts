import type { KindStrategy } from "../../resources/kind-strategy.js";
import { limitRangeColumns } from "../table/cluster-columns.js";
import { validateLimitRange } from "../validation/limit-ranges.js";

/** Strategy of the kind LimitRange. */
export const limitRangeStrategy: KindStrategy = {
  rules: { createOnUpdate: true },
  validate: (object, errors) => void errors.push(...validateLimitRange(object)),
  columns: limitRangeColumns,
};
