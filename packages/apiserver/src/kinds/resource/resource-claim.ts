import type { KindStrategy } from "../../resources/kind-strategy.js";
import { resourceClaimColumns } from "../fields/cluster-columns.js";

/** Strategy of the kind ResourceClaim. */
export const resourceClaimStrategy: KindStrategy = {
  rules: { returnDeleted: true, statusMetadata: "none" },
  columns: resourceClaimColumns,
  idle: { why: "does not allocate devices" },
};
