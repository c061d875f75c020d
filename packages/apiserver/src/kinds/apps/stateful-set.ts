import type { ApiObject } from "../../objects/api-object.js";
import { objectsOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { claimSpecWarnings } from "../volumes/volume-warnings.js";
import {
  type ReplicaCounts,
  validateCollisionCount,
  validateReplicaCounts,
} from "../workloads/replica-counts.js";
import { containers, readyOfAll } from "../workloads/workload-cells.js";
import { changedTemplateWarnings } from "../workloads/workload-warnings.js";
import { withClaimKinds } from "./stateful-set/claim-templates.js";
import { validateStatefulSet } from "./stateful-set/validate-stateful-set.js";

const counts: ReplicaCounts = {
  status: "apps/v1.StatefulSetStatus",
  ofReplicas: ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
  readyCalled: "status.readyReplicas",
};

/** Strategy of the kind StatefulSet. */
export const statefulSetStrategy: KindStrategy = {
  rules: { generation: true, names: "label" },
  defaults: withClaimKinds,
  validate: validateStatefulSet,
  immutable: [
    { path: "spec.serviceName" },
    { path: "spec.podManagementPolicy" },
    { path: "spec.selector" },
    { path: "spec.volumeClaimTemplates" },
  ],
  validateStatus(object, old, errors) {
    validateReplicaCounts(counts, object, errors);
    validateCollisionCount(object, old, errors);
  },
  warnings: statefulSetWarnings,
  columns: columnsFor("statefulsets.apps", {
    Ready: readyOfAll,
    ...containers,
  }),
};

function statefulSetWarnings(object: ApiObject, old: ApiObject | undefined): string[] {
  const { volumeClaimTemplates, revisionHistoryLimit } = specOf(object);
  return [
    ...changedTemplateWarnings(object, old),
    ...objectsOf(volumeClaimTemplates).flatMap((claim, at) => {
      const path = `spec.volumeClaimTemplates[${at}]`;
      return claimSpecWarnings(specOf(claim), old === undefined ? path : `${path}.Spec`);
    }),
    ...(Number(revisionHistoryLimit ?? 0) < 0
      ? [
          "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended",
        ]
      : []),
  ];
}
