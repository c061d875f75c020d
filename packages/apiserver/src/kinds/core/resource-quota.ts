import type { KindStrategy } from "../../resources/kind-strategy.js";
import { resourceQuotaColumns } from "../table/cluster-columns.js";
import { validateQuota } from "../validation/quotas.js";

/** Strategy of the kind ResourceQuota. */
export const resourceQuotaStrategy: KindStrategy = {
  rules: { returnDeleted: true },
  validate: (object, errors) => void errors.push(...validateQuota(object)),
  columns: resourceQuotaColumns,
};
