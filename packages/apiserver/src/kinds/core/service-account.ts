import type { KindStrategy } from "../../resources/kind-strategy.js";
import { serviceAccountWarnings } from "./more-warnings.js";

/** Strategy of the kind ServiceAccount. */
export const serviceAccountStrategy: KindStrategy = {
  rules: { returnDeleted: true },
  warnings: (object, old) => (old === undefined ? serviceAccountWarnings(object) : []),
};
