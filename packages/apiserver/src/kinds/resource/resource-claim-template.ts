import type { KindStrategy } from "../../resources/kind-strategy.js";
import { resourceClaimTemplateColumns } from "../fields/cluster-columns.js";

/** Strategy of the kind ResourceClaimTemplate. */
export const resourceClaimTemplateStrategy: KindStrategy = {
  rules: { returnDeleted: true },
  columns: resourceClaimTemplateColumns,
};
