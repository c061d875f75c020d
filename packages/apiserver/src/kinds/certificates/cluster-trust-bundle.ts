import type { KindStrategy } from "../../resources/kind-strategy.js";
import { clusterTrustBundleColumns } from "../rbac/access-columns.js";

/** Strategy of the kind ClusterTrustBundle. */
export const clusterTrustBundleStrategy: KindStrategy = {
  columns: clusterTrustBundleColumns,
};
