import type { KindStrategy } from "../../resources/kind-strategy.js";
import { podWarnings } from "../pod-spec/pod-warnings.js";
import { gracePeriodOf } from "./pod/grace-period.js";
import { mergePodSpec, withQosClass } from "./pod/merge-pod.js";
import { validatePodChange } from "./pod/pod-changes.js";
import { podColumns } from "./pod/pod-columns.js";
import { asPendingPod, withPodDefaults } from "./pod/pod-defaults.js";
import { readPodField } from "./pod/pod-fields.js";
import { validatePodStatus } from "./pod/pod-status.js";
import { validateNewPod, validatePod } from "./pod/validate-pod.js";

/** Strategy of the kind Pod. */
export const podStrategy: KindStrategy = {
  rules: {
    generation: true,
    returnDeleted: true,
    statusMetadata: "withoutOwners",
    removedInTwoSteps: true,
  },
  defaults: withPodDefaults,
  prepareCreate: asPendingPod,
  mergeStatus: withQosClass,
  mergeSpec: mergePodSpec,
  gatedFields: {
    "status.volumeHealth": "CSIVolumeHealth",
    "status.nodeAllocatableResourceClaimStatuses": "DRANodeAllocatableResources",
  },
  validate: validatePod,
  validateCreate: validateNewPod,
  validateStatus: validatePodStatus,
  validateWrite: validatePodChange,
  warnings: (object, old) => (old === undefined ? podWarnings(object) : []),
  gracePeriod: gracePeriodOf,
  fieldSelectors: {
    paths: [
      "spec.host",
      "spec.nodeName",
      "spec.restartPolicy",
      "spec.schedulerName",
      "spec.serviceAccountName",
      "spec.hostNetwork",
      "status.phase",
      "status.podIP",
      "status.podIPs",
      "status.nominatedNodeName",
    ],
    zeros: { "spec.hostNetwork": "false" },
    read: readPodField,
  },
  columns: podColumns,
};
