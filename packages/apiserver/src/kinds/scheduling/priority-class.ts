import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { validateFields } from "../fields/validate-fields.js";

/** Strategy of the kind PriorityClass. */
export const priorityClassStrategy: KindStrategy = {
  rules: { generation: true },
  validateCreate: validatePriorityClass,
  immutable: [
    { path: "value", forbidden: true, why: "may not be changed in an update." },
    { path: "preemptionPolicy" },
  ],
  columns: columnsFor("priorityclasses.scheduling.k8s.io", {
    Value: column("Priority of the class.", ({ value }) => value ?? 0),
    "Global-Default": column(
      "True for the class of pods without one.",
      ({ globalDefault }) => globalDefault === true,
    ),
    PreemptionPolicy: column(
      "Policy for preempting other pods.",
      ({ preemptionPolicy }) => preemptionPolicy,
    ),
  }),
};

const maxPriority = 1_000_000_000;
const systemPriorities = ["system-cluster-critical", "system-node-critical"];

function validatePriorityClass(object: ApiObject, errors: FieldErrors): void {
  const { name = "" } = object.metadata;
  const { value } = object;
  const isSystem = name.startsWith("system-");
  if (isSystem && !systemPriorities.includes(name)) {
    const why = `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`;
    errors.push(cause.forbidden("metadata.name", why));
  }
  if (!isSystem && typeof value === "number" && value > maxPriority) {
    const why = `maximum allowed value of a user defined priority is ${maxPriority}`;
    errors.push(cause.forbidden("value", why));
  }
  validateFields("scheduling/v1.PriorityClass", object, "", errors);
}
