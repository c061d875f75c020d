import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateLimitRange } from "./limit-range/validate-limit-range.js";

/** Strategy of the kind LimitRange. */
export const limitRangeStrategy: KindStrategy = {
  rules: { createOnUpdate: true },
  validate: validateLimitRange,
};
