import { mapOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { labelsText } from "../../response/table/cell-text.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { validateFields } from "../fields/validate-fields.js";
import { validateCollisionCount } from "../workloads/replica-counts.js";
import { containers, selector, statusOf } from "../workloads/workload-cells.js";
import { changedTemplateWarnings } from "../workloads/workload-warnings.js";
import {
  asFirstGeneration,
  withFirstGeneration,
  withNextGeneration,
} from "./daemon-set/template-generation.js";
import { validateDaemonSet } from "./daemon-set/validate-daemon-set.js";

/** Strategy of the kind DaemonSet. */
export const daemonSetStrategy: KindStrategy = {
  rules: { generation: true },
  defaults: withFirstGeneration,
  prepareCreate: asFirstGeneration,
  prepareUpdate: withNextGeneration,
  validate: validateDaemonSet,
  immutable: [{ path: "spec.selector" }],
  validateStatus(object, old, errors) {
    validateFields("apps/v1.DaemonSetStatus", mapOf(object["status"]), "status", errors);
    validateCollisionCount(object, old, errors);
  },
  warnings: changedTemplateWarnings,
  columns: columnsFor("daemonsets.apps", {
    Desired: column("Nodes that should run a pod.", (one) =>
      statusOf(one, "desiredNumberScheduled"),
    ),
    Current: column("Nodes that run a pod.", (one) => statusOf(one, "currentNumberScheduled")),
    Ready: column("Nodes whose pod is ready.", (one) => statusOf(one, "numberReady")),
    "Up-to-date": column("Nodes whose pod is of the newest template.", (one) =>
      statusOf(one, "updatedNumberScheduled"),
    ),
    Available: column("Nodes whose pod is available.", (one) => statusOf(one, "numberAvailable")),
    "Node Selector": column("Selector of the nodes.", (one) =>
      labelsText(mapOf(mapOf(specOf(one)["template"])["spec"])["nodeSelector"]),
    ),
    ...containers,
    Selector: selector,
  }),
};
