import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject } from "../../objects/json-value.js";
import { mapOf, specOf, withSpec } from "../../objects/parts.js";
import { selectsLabels } from "../../objects/selects.js";
import { validateOneOf } from "../../phases/validate/checks.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { labelsText } from "../../response/table/cell-text.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { validateTemplate } from "../pod-spec/validate-pod-spec.js";
import { replicaCounts, validateReplicaCounts } from "../workloads/replica-counts.js";
import { labelMismatch } from "../workloads/validate-workload.js";
import { containers, current, desired, ready } from "../workloads/workload-cells.js";
import { controllerWarnings } from "../workloads/workload-warnings.js";

const labelSelector = column("Selector of the pods.", (one) => labelsText(specOf(one)["selector"]));

/** Strategy of the kind ReplicationController. */
export const replicationControllerStrategy: KindStrategy = {
  rules: { generation: true, orphansDependents: true },
  defaults: withTemplateLabels,
  validate: validateController,
  validateStatus: (object, _old, errors) => validateReplicaCounts(replicaCounts, object, errors),
  warnings: controllerWarnings,
  fieldSelectors: { paths: ["status.replicas"], zeros: { "status.replicas": "0" } },
  columns: columnsFor("replicationcontrollers", {
    Desired: desired,
    Current: current,
    Ready: ready,
    ...containers,
    Selector: labelSelector,
  }),
};

/** Defaults selector and labels from the template's labels. */
function withTemplateLabels(controller: ApiObject): ApiObject {
  const spec = specOf(controller);
  const labels = mapOf(mapOf(mapOf(spec["template"])["metadata"])["labels"]);
  if (Object.keys(labels).length === 0) {
    return controller;
  }
  const { metadata } = controller;
  const selected =
    Object.keys(mapOf(spec["selector"])).length === 0
      ? withSpec(controller, { selector: labels })
      : controller;
  return Object.keys(metadata.labels ?? {}).length === 0
    ? { ...selected, metadata: { ...metadata, labels: labels as Record<string, string> } }
    : selected;
}

/** Checks a ReplicationController, whose selector is a plain map. */
function validateController(object: ApiObject, errors: FieldErrors): void {
  const spec = specOf(object);
  const { selector, template } = spec;
  const { metadata, spec: podSpec } = mapOf(template);
  const { labels } = mapOf(metadata);
  const isEmpty = Object.keys(mapOf(selector)).length === 0;
  if (isEmpty) {
    errors.push(cause.required("spec.selector"));
  }
  if (!isJsonObject(template)) {
    errors.push(cause.required("spec.template"));
    return;
  }
  if (!isEmpty && !selectsLabels({ matchLabels: selector }, labels)) {
    errors.push(labelMismatch(labels));
  }
  validateTemplate(template, "spec.template", errors);
  const { restartPolicy } = mapOf(podSpec);
  validateOneOf(restartPolicy, ["Always"], "spec.template.spec.restartPolicy", errors);
}
