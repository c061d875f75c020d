import type { FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import {
  validateDnsLabel,
  validateItems,
  validateLabels,
  validateRequiredWith,
} from "../../phases/validate/checks.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import type { TableColumn } from "../../resources/table-column.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { nodeLabelWarnings } from "../fields/node-label-warnings.js";
import { validateResources } from "../fields/resource-amounts.js";
import { validateToleration } from "../pod-spec/tolerations.js";

/** Columns of the kind RuntimeClass. */
const runtimeClassColumns: readonly TableColumn[] = columnsFor("runtimeclasses.node.k8s.io", {
  Handler: column("Runtime handler of the containers.", ({ handler }) => handler),
});

/** Strategy of the kind RuntimeClass. */
export const runtimeClassStrategy: KindStrategy = {
  rules: { unconditionalUpdate: false },
  validate: validateRuntimeClass,
  immutable: [{ path: "handler", shows: "null" }],
  warnings: ({ scheduling }) =>
    nodeLabelWarnings(mapOf(scheduling)["nodeSelector"], () => "scheduling.nodeSelector"),
  columns: runtimeClassColumns,
};

function validateRuntimeClass(
  { handler, overhead, scheduling }: ApiObject,
  errors: FieldErrors,
): void {
  const { nodeSelector, tolerations } = mapOf(scheduling);
  validateRequiredWith(handler, validateDnsLabel, "handler", errors);
  validateResources({ limits: mapOf(overhead)["podFixed"] }, "overhead", errors);
  validateLabels(nodeSelector, "scheduling.nodeSelector", errors);
  validateItems(objectsOf(tolerations), validateToleration, "scheduling.tolerations", errors);
}
