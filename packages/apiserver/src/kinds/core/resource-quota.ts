import type { KindStrategy } from "../../resources/kind-strategy.js";
import { resourceQuotaColumns } from "../fields/cluster-columns.js";
import { validateQuota } from "./resource-quota/validate-quota.js";

/** Strategy of the kind ResourceQuota. */
export const resourceQuotaStrategy: KindStrategy = {
  rules: { returnDeleted: true },
  validate: validateQuota,
  columns: resourceQuotaColumns,
};
