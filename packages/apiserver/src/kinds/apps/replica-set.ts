import { mapOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { validateFields } from "../fields/validate-fields.js";
import { replicaCounts, validateReplicaCounts } from "../workloads/replica-counts.js";
import {
  invalidSelector,
  validateWorkload,
  type WorkloadKind,
} from "../workloads/validate-workload.js";
import { containers, current, desired, ready, selector } from "../workloads/workload-cells.js";
import { controllerWarnings } from "../workloads/workload-warnings.js";

const replicaSet: WorkloadKind = {
  selectorOf: "deployment",
  deadlineOf: "ReplicaSet",
  selectorError: invalidSelector,
};

/** Strategy of the kind ReplicaSet. */
export const replicaSetStrategy: KindStrategy = {
  rules: { generation: true },
  validate(object, errors) {
    const spec = specOf(object);
    validateFields("apps/v1.ReplicaSetSpec", spec, "spec", errors);
    validateWorkload(replicaSet, spec, mapOf(spec["template"]), errors);
  },
  immutable: [{ path: "spec.selector" }],
  validateStatus: (object, _old, errors) => validateReplicaCounts(replicaCounts, object, errors),
  warnings: controllerWarnings,
  columns: columnsFor("replicasets.apps", {
    Desired: desired,
    Current: current,
    Ready: ready,
    ...containers,
    Selector: selector,
  }),
};
