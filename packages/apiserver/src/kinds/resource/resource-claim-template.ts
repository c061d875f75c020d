import type { KindStrategy } from "../../resources/kind-strategy.js";

/** Strategy of the kind ResourceClaimTemplate. */
export const resourceClaimTemplateStrategy: KindStrategy = {
  rules: { returnDeleted: true },
};
