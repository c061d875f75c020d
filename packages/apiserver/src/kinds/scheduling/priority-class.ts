import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { validateOneOf } from "../../phases/validate/checks.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { priorityClassColumns } from "../fields/cluster-columns.js";

/** Strategy of the kind PriorityClass. */
export const priorityClassStrategy: KindStrategy = {
  rules: { generation: true },
  validateCreate: validatePriorityClass,
  immutable: [
    { path: "value", forbidden: true, why: "may not be changed in an update." },
    { path: "preemptionPolicy" },
  ],
  columns: priorityClassColumns,
};

const maxPriority = 1_000_000_000;
const systemPriorities = ["system-cluster-critical", "system-node-critical"];

function validatePriorityClass(
  { metadata: { name = "" }, value, preemptionPolicy }: ApiObject,
  errors: FieldErrors,
): void {
  const isSystem = name.startsWith("system-");
  if (isSystem && !systemPriorities.includes(name)) {
    const why = `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`;
    errors.push(cause.forbidden("metadata.name", why));
  }
  if (!isSystem && typeof value === "number" && value > maxPriority) {
    const why = `maximum allowed value of a user defined priority is ${maxPriority}`;
    errors.push(cause.forbidden("value", why));
  }
  validateOneOf(preemptionPolicy, ["PreemptLowerPriority", "Never"], "preemptionPolicy", errors);
}
