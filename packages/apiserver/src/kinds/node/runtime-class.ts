import type { FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { validateItems } from "../../phases/validate/checks.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { nodeLabelWarnings } from "../fields/node-label-warnings.js";
import { validateResources } from "../fields/resource-amounts.js";
import { validateFields } from "../fields/validate-fields.js";
import { validateToleration } from "../pod-spec/tolerations.js";

/** Strategy of the kind RuntimeClass. */
export const runtimeClassStrategy: KindStrategy = {
  rules: { unconditionalUpdate: false },
  validate: validateRuntimeClass,
  immutable: [{ path: "handler", shows: "null" }],
  warnings: ({ scheduling }) =>
    nodeLabelWarnings(mapOf(scheduling)["nodeSelector"], () => "scheduling.nodeSelector"),
  columns: columnsFor("runtimeclasses.node.k8s.io", {
    Handler: column("Runtime handler of the containers.", ({ handler }) => handler),
  }),
};

function validateRuntimeClass({ overhead, scheduling }: ApiObject, errors: FieldErrors): void {
  const { tolerations } = mapOf(scheduling);
  validateResources({ limits: mapOf(overhead)["podFixed"] }, "overhead", errors);
  validateFields("node/v1.Scheduling", mapOf(scheduling), "scheduling", errors);
  validateItems(objectsOf(tolerations), validateToleration, "scheduling.tolerations", errors);
}
