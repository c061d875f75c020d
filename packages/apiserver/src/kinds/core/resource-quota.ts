import type { JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { validateQuota } from "./resource-quota/validate-quota.js";

/** Strategy of the kind ResourceQuota. */
export const resourceQuotaStrategy: KindStrategy = {
  rules: { returnDeleted: true },
  validate: validateQuota,
  columns: columnsFor("resourcequotas", {
    Request: column("Used requests, and their limits.", (one) => quotaText(one, false)),
    Limit: column("Used limits, and their limits.", (one) => quotaText(one, true)),
  }),
};

function quotaText({ status }: JsonObject, limits: boolean): string {
  const { hard, used } = mapOf(status);
  return Object.keys(mapOf(hard))
    .sort()
    .filter((name) => name.startsWith("limits.") === limits)
    .map((name) => `${name}: ${String(mapOf(used)[name] ?? "0")}/${String(mapOf(hard)[name])}`)
    .join(", ");
}
